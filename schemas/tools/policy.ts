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

const entries = (description: string) => Type.Array(ToolEntry, { description })

/** Fields beside the mode. `policy-faults.ts` checks which mode takes which. */
export const answerTypes = {
  tools: entries('Required for allow_list and deny_list'),
  ask: entries('Calls that a person decides; for allow_list and deny_list'),
  deny: entries('Calls that are refused although the list allows them; for allow_list'),
  otherwise: Type.Enum(['ask', 'deny'], {
    description: 'allow_list: all other calls, default deny; deny_list: undeterminable calls, default ask',
  }),
}
type Otherwise = Type.Static<typeof answerTypes.otherwise>

const answers = {
  tools: Type.Optional(answerTypes.tools),
  ask: Type.Optional(answerTypes.ask),
  deny: Type.Optional(answerTypes.deny),
  otherwise: Type.Optional(answerTypes.otherwise),
}

export const ToolPolicy = closedObject({ mode: PolicyMode, ...answers }, { description: 'Tool policy of an agent' })
export type ToolPolicy = Type.Static<typeof ToolPolicy>

/** `auto`: use the agent's own policy. */
export const WorkflowToolPolicy = closedObject(
  { mode: Type.Enum([...POLICY_MODES, 'auto']), ...answers },
  { description: 'Policy in force while a dispatch of the workflow runs; auto: the agent’s own' },
)
export type WorkflowToolPolicy = Type.Static<typeof WorkflowToolPolicy>

/** Fields that a mode takes beside itself, with their defaults; none for modes without a list. */
const LIST_DEFAULTS: Readonly<Record<string, { readonly deny: boolean; readonly otherwise: Otherwise }>> = {
  allow_list: { deny: true, otherwise: 'deny' },
  deny_list: { deny: false, otherwise: 'ask' },
}

/** True for the two modes that need a list. */
export function needsTools(mode: string): boolean {
  return Object.hasOwn(LIST_DEFAULTS, mode)
}

/** True if the mode takes `deny` beside its list. */
export function takesDeny(mode: string): boolean {
  return needsTools(mode) && LIST_DEFAULTS[mode]!.deny
}

/** The decision on calls that no entry decides. `deny` for modes without a list. */
export function otherwiseOf({ mode, otherwise }: { mode: string; otherwise?: Otherwise | null }): Otherwise {
  return needsTools(mode) ? (otherwise ?? LIST_DEFAULTS[mode]!.otherwise) : 'deny'
}

interface Answers {
  tools?: string[]
  ask?: string[]
  deny?: string[]
  otherwise?: Otherwise
}

/** As written or stored: null for an unset field. */
type WrittenAnswers = { [Member in keyof Answers]?: Answers[Member] | null }

/**
 * Fields in fixed order, lists sorted and unique. Omits fields that the mode does not take, and all but `tools` at
 * their default.
 */
export function canonicalPolicy<Mode extends string>(
  policy: ({ mode: Mode } & WrittenAnswers) | null | undefined,
  fallback: Mode,
): { mode: Mode } & Answers {
  const mode = policy?.mode ?? fallback
  if (!needsTools(mode)) return { mode }
  const [tools, ask] = [sorted(policy?.tools), sorted(policy?.ask)]
  const deny = takesDeny(mode) ? sorted(policy?.deny) : []
  const otherwise = otherwiseOf({ mode, otherwise: policy?.otherwise })
  return {
    mode,
    tools,
    ...(ask.length > 0 ? { ask } : {}),
    ...(deny.length > 0 ? { deny } : {}),
    ...(otherwise === LIST_DEFAULTS[mode]!.otherwise ? {} : { otherwise }),
  }
}

const sorted = (entries: readonly string[] | null | undefined): string[] => [...new Set(entries ?? [])].sort()
