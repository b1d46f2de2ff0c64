interface Remedy {
  sign: RegExp
  fix: string
}

const REMEDIES: readonly Remedy[] = [
  {
    sign: /invalid api key|please run \/login|not logged in|authentication_error|oauth token (has )?expired/i,
    fix: 'log in: run the program in a terminal as the user of the agent (claude, then /login), or set ANTHROPIC_API_KEY in "env" of the agent',
  },
  {
    sign: /issue with the selected model|model[^.]{0,80}(not_found|not found|does not exist|is not available)|not_found_error[^.]{0,80}model/i,
    fix: 'set another "model", or none to use the default of the program',
  },
  {
    sign: /credit balance is too low|quota|usage limit reached/i,
    fix: 'check the account of the program; the agent continues once its quota allows',
  },
  {
    sign: /EADDRINUSE|address already in use/i,
    fix: 'another program uses the port: stop it, or set another port in "env" or "command"',
  },
]

export const remedyFor = (error: string): string | null => REMEDIES.find(({ sign }) => sign.test(error))?.fix ?? null

export function withRemedy(error: string): string {
  const fix = remedyFor(error)
  return fix === null ? error : `${error}; to fix it: ${fix}`
}

/** A line of the bridge: a frame sent to the program (`12:34:56 > initialize`), or its connection. */
const OF_BRIDGE = /^\d\d:\d\d:\d\d (?:> |\| (?:connected to ws|not connected \())/

/** Returns the last line that the program printed, or null; for an svc error, the error and its hint. */
export function lastOutputOf(shown: string): string | null {
  const lines = shown.split('\n').filter((line) => line.trim() !== '' && !OF_BRIDGE.test(line))
  const last = lines.at(-1)?.trim()
  if (last === undefined) return null
  const before = lines.at(-2)?.trim() ?? ''
  const [error, hint] = [/^error: (.*)$/.exec(before)?.[1], /^hint: (.*)$/.exec(last)?.[1]]
  return (error !== undefined && hint !== undefined ? `${error}; to fix it: ${hint}` : last).slice(0, 500)
}
