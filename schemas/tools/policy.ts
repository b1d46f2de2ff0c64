// Which tools an agent may use.
import * as Type from 'typebox'
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

/** A policy with its members in one order; `tools` only where the mode uses it, sorted, no repeats. */
export function canonicalPolicy<Mode extends string>(
  policy: { mode: Mode; tools?: string[] } | null | undefined,
  fallback: Mode,
): { mode: Mode; tools?: string[] } {
  const mode = policy?.mode ?? fallback
  return needsTools(mode) ? { mode, tools: [...new Set(policy?.tools ?? [])].sort() } : { mode }
}
