// Separate, so that clients do not load the shell parser.
import { oneFault, type Fault, type Path } from '../kind.ts'
import { nearest } from '../validation/nearest.ts'
import { entryFault, KNOWN_TOOLS } from './entry.ts'
import { needsTools, takesDeny } from './policy.ts'

interface Written {
  mode?: unknown
  tools?: unknown
  ask?: unknown
  deny?: unknown
  otherwise?: unknown
}

/** Errors beyond the schema, at paths below `at`. */
export function policyFaults(policy: Written, at: Path): Fault[] {
  const mode = String(policy.mode)
  const faults: Fault[] = []
  if (needsTools(mode) && policy.tools === undefined) {
    faults.push({
      path: [...at, 'mode'],
      members: ['mode', 'tools'],
      code: 'missing-member',
      message: `mode ${mode} needs "tools"`,
      hint: `add tools: [Read, Grep], or an empty list to ${mode === 'allow_list' ? 'deny' : 'allow'} every tool`,
    })
  }
  return [
    ...faults,
    ...combinationFaults(policy, mode, at),
    ...entryFaults(policy.tools, mode === 'allow_list' ? 'allow' : 'deny', [...at, 'tools']),
    ...entryFaults(policy.ask, 'deny', [...at, 'ask']),
    ...entryFaults(policy.deny, 'deny', [...at, 'deny']),
  ]
}

/** An empty list is the same as none. */
const isSet = (value: unknown): boolean => value !== undefined && value !== null && !isEmpty(value)
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

function combinationFaults(policy: Written, mode: string, at: Path): Fault[] {
  const refused = (member: 'ask' | 'deny' | 'otherwise', hint: string) =>
    isSet(policy[member])
      ? oneFault([...at, member], 'conflicting-members', `mode ${mode} does not take "${member}"`, hint)
      : []
  if (!needsTools(mode)) {
    const hint = 'remove it, or use mode allow_list or deny_list'
    return [...refused('ask', hint), ...refused('deny', hint), ...refused('otherwise', hint)]
  }
  return takesDeny(mode) ? [] : refused('deny', 'move its entries to tools: a deny_list refuses what tools lists')
}

function entryFaults(entries: unknown, reading: 'allow' | 'deny', at: Path): Fault[] {
  return (Array.isArray(entries) ? entries : []).flatMap((entry: unknown, index): Fault[] => {
    const fault = typeof entry === 'string' ? entryFault(entry, reading, meantTool) : null
    return fault ? [{ path: [...at, index], code: 'invalid-value', ...fault }] : []
  })
}

/** Known tool that a name is a typo of. */
function meantTool(name: string): string | null {
  const meant = nearest(name, KNOWN_TOOLS)
  return meant === null || Math.abs(meant.length - name.length) > 2 ? null : meant
}
