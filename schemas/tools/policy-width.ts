// Whether a policy allows more than another one. Patterns are compared as text, so a finding is a reason to look.
import { bashPattern, parseToolEntry, type ToolEntryParts } from './entry-parts.ts'
import { POLICY_MODES, type WorkflowToolPolicy } from './policy.ts'

/** True unless `after` is known to allow no more than `before`; undefined allows nothing. */
export function widensPolicy(before: WorkflowToolPolicy | undefined, after: WorkflowToolPolicy): boolean {
  if (allowsNothing(after)) return false
  // `auto` depends on the agent.
  if (before === undefined || before.mode === 'auto' || after.mode === 'auto') return true
  return widening(after, before) !== null
}

/** What `policy` allows without a person and `other` does not, in words; null if nothing is known. */
export function widening(policy: WorkflowToolPolicy, other: WorkflowToolPolicy): string | null {
  if (![policy, other].every(({ mode }) => (POLICY_MODES as readonly string[]).includes(mode))) return null
  if (allowsNothing(policy) || allowsAll(other)) return null
  const held = heldBy(policy)
  const isHeld = (entry: string) => held.some((wide) => covers(wide, entry))
  if (policy.mode === 'allow_list')
    return (policy.tools ?? []).find((entry) => !isHeld(entry) && !isAllowed(entry, other, isHeld)) ?? null
  if (other.mode !== 'deny_list') return policy.mode === 'allow_all' ? 'every tool' : 'every tool that it does not list'
  return heldBy(other).find((entry) => !isHeld(entry)) ?? null
}

/** Entries whose calls do not run without a person. */
const heldBy = ({ mode, tools = [], ask = [], deny = [] }: WorkflowToolPolicy): string[] => [
  ...(mode === 'deny_list' ? tools : []),
  ...ask,
  ...deny,
]

const allowsAll = (policy: WorkflowToolPolicy): boolean =>
  policy.mode === 'allow_all' || (policy.mode === 'deny_list' && heldBy(policy).length === 0)

/** Without a person. */
const allowsNothing = ({ mode, tools = [] }: WorkflowToolPolicy): boolean =>
  mode === 'deny_all' || mode === 'require_approval' || (mode === 'allow_list' && tools.length === 0)

/** `isHeld`: the other policy does not run it without a person either. */
function isAllowed(entry: string, policy: WorkflowToolPolicy, isHeld: (entry: string) => boolean): boolean {
  if (allowsNothing(policy)) return false
  if (heldBy(policy).some((held) => !isHeld(held) && (covers(held, entry) || covers(entry, held)))) return false
  return policy.mode !== 'allow_list' || (policy.tools ?? []).some((wide) => covers(wide, entry))
}

/** False also if it is unknown. */
function covers(wide: string, narrow: string): boolean {
  if (wide === narrow) return true
  const [outer, inner] = [parseToolEntry(wide), parseToolEntry(narrow)]
  if (!outer || !inner || !coversTool(outer.tool, inner.tool)) return false
  if (outer.pattern === null) return true
  if (inner.pattern === null) return false
  const [pattern, text] = [textOf(outer), textOf(inner)]
  const prefix = pattern.replace(/\*+$/, '')
  if (prefix === pattern || prefix.includes('*')) return pattern === text
  // `git push *` also matches the command alone.
  return `${text} `.startsWith(prefix)
}

const textOf = ({ tool, pattern }: ToolEntryParts): string => (tool === 'Bash' ? bashPattern(pattern!) : pattern!)

function coversTool(wide: string, narrow: string): boolean {
  if (wide === narrow) return true
  if (!wide.startsWith('mcp__')) return false
  return narrow.startsWith(wide.endsWith('*') ? wide.slice(0, -1) : `${wide}__`)
}
