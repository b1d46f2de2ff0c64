export interface Command {
  id: string
  /** `go` opens a screen, `find` an object, `do` changes something. */
  kind: 'go' | 'find' | 'do'
  title: string
  /** Text of others is not allowed here, except names. */
  detail?: string
  keys?: string
  /** The command line that does the same: "agent interrupt builder". */
  shown?: string
  run(): void
}

const MOST_RESULTS = 50
const SEPARATORS = ' /-_.:@'

/** Points for a term in a text: at its start, at the start of a word, or anywhere; null if it does not occur. */
function points(term: string, text: string): number | null {
  let at = text.indexOf(term)
  if (at === -1) return null
  if (at === 0) return 3
  for (; at !== -1; at = text.indexOf(term, at + 1)) if (SEPARATORS.includes(text.charAt(at - 1))) return 2
  return 1
}

function score(terms: readonly string[], { title, detail = '', shown = '' }: Command): number | null {
  const texts = [title, detail, shown].map((text) => text.toLowerCase())
  let total = 0
  for (const term of terms) {
    const [inTitle, inDetail, inShown] = texts.map((text) => points(term, text))
    if (inTitle === null && inDetail === null && inShown === null) return null
    total += Math.max((inTitle ?? 0) * 2, inDetail ?? 0, inShown ?? 0)
  }
  return total
}

/** Commands that contain all words of the query, best first; for an empty query the first ones in their order. */
export function matchingCommands(query: string, commands: readonly Command[]): Command[] {
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (terms.length === 0) return commands.slice(0, MOST_RESULTS)
  return commands
    .flatMap((command) => {
      const found = score(terms, command)
      return found === null ? [] : [{ command, found }]
    })
    .sort((a, b) => b.found - a.found || a.command.title.length - b.command.title.length)
    .slice(0, MOST_RESULTS)
    .map(({ command }) => command)
}
