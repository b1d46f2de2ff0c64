// Which tools an agent may use, and the grammar of a policy's entries.
import * as Type from 'typebox'
import type { Fault, Path } from '../kind.ts'
import { entryFault, KNOWN_TOOLS } from './entry.ts'
import { nearest } from '../validation/nearest.ts'
import { closedObject } from '../shapes.ts'

export const POLICY_MODES = ['allow_all', 'deny_all', 'allow_list', 'deny_list', 'require_approval'] as const

export const PolicyMode = Type.Enum([...POLICY_MODES])

/** An entry: a tool name, `mcp__server`, or `Tool(pattern)`; `entry.ts` knows what can match. */
export const ToolEntry = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'A tool name such as Read, or Tool(pattern) such as Bash(git log *)',
})

export const ToolPolicy = closedObject(
  {
    mode: PolicyMode,
    tools: Type.Optional(Type.Array(ToolEntry, { description: 'Required for allow_list and deny_list' })),
  },
  { description: 'Tool policy of an agent' },
)
export type ToolPolicy = Type.Static<typeof ToolPolicy>

/** A workflow's policy may also say `auto`: use the agent's own. */
export const WorkflowToolPolicy = closedObject(
  {
    mode: Type.Enum([...POLICY_MODES, 'auto']),
    tools: Type.Optional(Type.Array(ToolEntry)),
  },
  { description: 'Policy in force while a dispatch of the workflow runs; auto: the agent’s own' },
)
export type WorkflowToolPolicy = Type.Static<typeof WorkflowToolPolicy>

/** True for the two modes that make no sense without a list. */
export function needsTools(mode: string): boolean {
  return mode === 'allow_list' || mode === 'deny_list'
}

/** Everything wrong with a policy that its schema cannot say, at paths below `at`. */
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

/** The tool that a name is a slip of the hand for. */
function meantTool(name: string): string | null {
  const meant = nearest(name, KNOWN_TOOLS)
  return meant === null || Math.abs(meant.length - name.length) > 2 ? null : meant
}

/** A policy with its members in one order; `tools` only where the mode uses it, sorted, no repeats. */
export function canonicalPolicy<Mode extends string>(
  policy: { mode: Mode; tools?: string[] } | null | undefined,
  fallback: Mode,
): { mode: Mode; tools?: string[] } {
  const mode = policy?.mode ?? fallback
  return needsTools(mode) ? { mode, tools: [...new Set(policy?.tools ?? [])].sort() } : { mode }
}
