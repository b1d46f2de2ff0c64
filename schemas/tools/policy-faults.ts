// Separate, so that clients do not load the shell parser.
import type { Fault, Path } from '../kind.ts'
import { nearest } from '../validation/nearest.ts'
import { entryFault, KNOWN_TOOLS } from './entry.ts'
import { needsTools } from './policy.ts'

/** Errors beyond the schema, at paths below `at`. */
export function policyFaults(policy: { mode?: unknown; tools?: unknown }, at: Path): Fault[] {
  const faults: Fault[] = []
  if (needsTools(String(policy.mode)) && policy.tools === undefined) {
    faults.push({
      path: [...at, 'mode'],
      members: ['mode', 'tools'],
      code: 'missing-member',
      message: `mode ${String(policy.mode)} needs "tools"`,
      hint: `add tools: [Read, Grep], or an empty list to ${policy.mode === 'allow_list' ? 'deny' : 'allow'} every tool`,
    })
  }
  for (const [index, entry] of Array.isArray(policy.tools) ? policy.tools.entries() : []) {
    const fault = typeof entry === 'string' ? entryFault(entry, String(policy.mode), meantTool) : null
    if (fault) faults.push({ path: [...at, 'tools', index], code: 'invalid-value', ...fault })
  }
  return faults
}

/** Known tool that a name is a typo of. */
function meantTool(name: string): string | null {
  const meant = nearest(name, KNOWN_TOOLS)
  return meant === null || Math.abs(meant.length - name.length) > 2 ? null : meant
}
