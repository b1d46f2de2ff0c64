// Texts of messages and comments. Titles and names of checks come from outside and are left out.

/** `**<blocked>** <reference>: <reason>. Wanted: <action>` */
export const escalation = (blocked: string, reference: string, reason: string, wanted: string): string =>
  `**${blocked}** ${reference}: ${reason}. Wanted: ${wanted}`

/** `owner/name#7` */
export const reference = (repository: string, number: number): string => `${repository}#${number}`

/** `#7, #8` */
export const numberList = (numbers: readonly number[]): string => numbers.map((number) => `#${number}`).join(', ')

/** Found again in the comments of a pull request, so that a head gets one comment. */
export const checksComment = (head: string, failed: number, all: number): string =>
  `<!-- svc:conductor checks-failed ${head} -->\n` +
  `The label \`merge-ready\` is removed: ${failed} of ${all} checks of commit ${head} failed. ` +
  'It is added again when the checks of a newer or repeated run have passed and the approval remains.'

export const lockText = (repository: string, issues: number, step: number): string =>
  `[LOCK] ${repository}: ${issues} issues, step ${step}`

export const unlockText = (repository: string, step: number): string => `[UNLOCK] ${repository}: step ${step} has ended`
