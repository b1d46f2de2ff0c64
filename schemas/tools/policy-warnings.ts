// Entries that do something else than they look like.
import type { Fault, Path } from '../kind.ts'
import { parseToolEntry } from './entry.ts'

/** In the order of evaluation. */
const ENTRY_LISTS = ['deny', 'ask', 'tools'] as const

interface Written {
  mode?: unknown
  tools?: unknown
  ask?: unknown
  deny?: unknown
}

type Hint = readonly [why: string, hint: string]

/** Warnings for manifests, at paths below `at`. */
export function policyWarnings(policy: Written, at: Path): Fault[] {
  return ENTRY_LISTS.flatMap((list) =>
    textsOf(policy[list]).flatMap((entry, index): Fault[] => {
      const found = shadowedBy(policy, list, entry) ?? surpriseOf(policy, list, entry)
      if (!found) return []
      const [why, hint] = found
      const message = `"${entry}" ${why}`
      return [{ path: [...at, list, index], code: 'entry-misleading', message, hint, severity: 'warning' }]
    }),
  )
}

const textsOf = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []

/** An earlier list decides. */
function shadowedBy(policy: Written, list: (typeof ENTRY_LISTS)[number], entry: string): Hint | null {
  const earlier = ENTRY_LISTS.slice(0, ENTRY_LISTS.indexOf(list))
  const other = earlier.find((each) => textsOf(policy[each]).includes(entry))
  return other === undefined
    ? null
    : [`has no effect: "${other}" has it too, and is evaluated first`, 'keep one of them']
}

function surpriseOf(policy: Written, list: string, entry: string): Hint | null {
  const { tool, pattern } = parseToolEntry(entry) ?? {}
  if (!tool || pattern === null || pattern === undefined) return null
  if (tool === 'Bash' && /(:\/\/[^\s/]+|localhost|\d\.\d+):\*$/.test(pattern))
    return [
      'does not match a port: ":*" at the end means more words',
      `write its first digit: ${entry.slice(0, -2)}3*)`,
    ]
  if (list !== 'tools') return null
  if (policy.mode === 'allow_list' && /^Bash\(rm( -f)?( |:)\*\)$/.test(entry) && !decidesRemovals(policy))
    return ['also covers rm -rf with any folder', 'add ask: ["Bash(rm -r *)"], which decides before it']
  if (policy.mode === 'deny_list' && tool === 'Read' && !/^[/~]/.test(pattern))
    return [
      'also refuses every Grep, Glob and LS of a folder above',
      'move it to ask, where a search is named only by its own path',
    ]
  return null
}

const decidesRemovals = ({ ask, deny }: Written): boolean =>
  [...textsOf(ask), ...textsOf(deny)].some((entry) => entry.startsWith('Bash(rm -') || entry === 'Bash')
