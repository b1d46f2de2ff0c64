// How much of a campaign is run: by itself all of it, with SVC_TEST_CAMPAIGN=brief a tenth of what is repeated
// and every fifth of what is enumerated, as continuous integration does on each change. Where the fifths begin moves on
// each day and is printed; SVC_TEST_CAMPAIGN=brief@2 begins there again. Only here is the variable read.

/** Of what is enumerated every so-many-th is taken. */
const BRIEF_STRIDE = 5
const DAY_MS = 86_400_000

const [, brief, asked] = /^(brief)(?:@([0-4]))?$/.exec(process.env.SVC_TEST_CAMPAIGN ?? '') ?? []
if (process.env.SVC_TEST_CAMPAIGN && !brief)
  throw new Error(
    `SVC_TEST_CAMPAIGN is "${process.env.SVC_TEST_CAMPAIGN}"; it should be "brief" or "brief@0" to "brief@4"`,
  )

/** How often `full` times are done: all, or a tenth, and at least `least` times. */
export const times = (full: number, least = 1): number =>
  brief ? Math.min(full, Math.max(least, Math.ceil(full / 10))) : full

/** Of the points 0, 1, 2 and so on those that are taken: `begin`, `begin + every`, and so on. */
export const points = brief
  ? { begin: asked === undefined ? Math.floor(Date.now() / DAY_MS) % BRIEF_STRIDE : Number(asked), every: BRIEF_STRIDE }
  : { begin: 0, every: 1 }

/** Those of `all` that are taken; the order stays. */
export const chosen = <T>(all: readonly T[]): T[] => all.filter((_each, at) => at % points.every === points.begin)

/** What to print beside a count of enumerated points: nothing where all were taken. */
export const ofPoints = brief ? ` (every ${points.every}th, from ${points.begin + 1} on: brief@${points.begin})` : ''
