import * as Type from 'typebox'
import { closedObject } from '../shapes.ts'

export const POLICY_MODES = ['allow_all', 'deny_all', 'allow_list', 'deny_list', 'require_approval'] as const

export const PolicyMode = Type.Enum([...POLICY_MODES])

/** `entry.ts` checks whether an entry can match. */
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

/** `auto`: use the agent's own policy. */
export const WorkflowToolPolicy = closedObject(
  {
    mode: Type.Enum([...POLICY_MODES, 'auto']),
    tools: Type.Optional(Type.Array(ToolEntry)),
  },
  { description: 'Policy in force while a dispatch of the workflow runs; auto: the agent’s own' },
)
export type WorkflowToolPolicy = Type.Static<typeof WorkflowToolPolicy>

/** True for the two modes that need a list. */
export function needsTools(mode: string): boolean {
  return mode === 'allow_list' || mode === 'deny_list'
}

/** Fields in fixed order; `tools` only if the mode uses it, sorted and unique. */
export function canonicalPolicy<Mode extends string>(
  policy: { mode: Mode; tools?: string[] } | null | undefined,
  fallback: Mode,
): { mode: Mode; tools?: string[] } {
  const mode = policy?.mode ?? fallback
  return needsTools(mode) ? { mode, tools: [...new Set(policy?.tools ?? [])].sort() } : { mode }
}
