// Failures that everybody meets, each with what mends it: said where the failure is said.

interface Remedy {
  sign: RegExp
  mend: string
}

const REMEDIES: readonly Remedy[] = [
  {
    sign: /invalid api key|please run \/login|not logged in|authentication_error|oauth token (has )?expired/i,
    mend: 'log the program in: run it in a terminal as the user of the agent (claude, then /login), or give the agent ANTHROPIC_API_KEY in "env"',
  },
  {
    sign: /issue with the selected model|model[^.]{0,80}(not_found|not found|does not exist|is not available)|not_found_error[^.]{0,80}model/i,
    mend: 'give the agent another "model", or none: then the program takes its own',
  },
  {
    sign: /credit balance is too low|quota|usage limit reached/i,
    mend: 'look at the account of the program; the agent goes on when it may ask again',
  },
  {
    sign: /EADDRINUSE|address already in use/i,
    mend: 'another program listens there: end it, or give this one another port in "env" or "command"',
  },
]

/** What mends it, or null where nobody knows. */
export const remedyFor = (error: string): string | null => REMEDIES.find(({ sign }) => sign.test(error))?.mend ?? null

/** `<error>; to mend it: <remedy>` */
export function withRemedy(error: string): string {
  const mend = remedyFor(error)
  return mend === null ? error : `${error}; to mend it: ${mend}`
}

/** A line of the terminal that shows a frame sent to the program: `12:34:56 > initialize` (`bridge/pane.ts`). */
const SENT = /^\d\d:\d\d:\d\d > /

/**
 * The last line that a program printed, without what the bridge sent it; null if there is none. Of the two lines of an
 * error of svc, the error and its remedy.
 */
export function lastWordsOf(shown: string): string | null {
  const lines = shown.split('\n').filter((line) => line.trim() !== '' && !SENT.test(line))
  const last = lines.at(-1)?.trim()
  if (last === undefined) return null
  const before = lines.at(-2)?.trim() ?? ''
  const [error, hint] = [/^error: (.*)$/.exec(before)?.[1], /^hint: (.*)$/.exec(last)?.[1]]
  return (error !== undefined && hint !== undefined ? `${error}; to mend it: ${hint}` : last).slice(0, 500)
}
