// Refuses settings that cannot be applied to interactive agents.
import type { Fault, Path } from '../kind.ts'
import type { ToolPolicy } from '../tools/policy.ts'

interface Interactive {
  interactive?: boolean | null
  runtime?: string | null
  tool_policy?: ToolPolicy | null
  prompt?: string | null
  system_prompt?: string | null
  model?: string | null
  additional_dirs?: readonly unknown[] | null
  max_cost_usd?: number | null
  auto_clear_threshold?: number | null
}

const ASKS_AT_TERMINAL = 'the program asks the person at its terminal, not the orchestrator'
const NO_MESSAGES = 'an interactive program receives no messages'
const COMMAND_ONLY = 'a program of this runtime receives only its command'
const NO_USAGE = 'the program reports no usage'

/** Conflicts with `interactive`, at paths below `at`; empty for other agents. */
export function interactiveFaults(agent: Interactive, at: Path = []): Fault[] {
  if (agent.interactive !== true) return []
  const { mode = 'allow_all' } = agent.tool_policy ?? {}
  const plain = (agent.runtime ?? 'claude-code') !== 'claude-code'
  const excluded: [member: keyof Interactive, excluded: boolean, why: string, hint: string][] = [
    ['tool_policy', mode !== 'allow_all', `policy '${mode}' cannot be enforced: ${ASKS_AT_TERMINAL}`, 'use allow_all'],
    ['prompt', Boolean(agent.prompt?.trim()), NO_MESSAGES, 'attach and type it'],
    ['system_prompt', plain && Boolean(agent.system_prompt), COMMAND_ONLY, 'put it into command'],
    ['model', plain && Boolean(agent.model), COMMAND_ONLY, 'put it into command'],
    ['additional_dirs', plain && (agent.additional_dirs ?? []).length > 0, COMMAND_ONLY, 'put them into command'],
    ['max_cost_usd', isSet(agent.max_cost_usd), NO_USAGE, 'omit it'],
    ['auto_clear_threshold', isSet(agent.auto_clear_threshold), NO_USAGE, 'omit it'],
  ]
  return excluded.flatMap(([member, applies, why, hint]) =>
    applies
      ? [
          {
            path: [...at, member],
            members: ['interactive', member],
            code: 'conflicting-members',
            message: `cannot be applied to an interactive agent: ${why}`,
            hint: `${hint}, or set interactive: false`,
          },
        ]
      : [],
  )
}

const isSet = (value: unknown) => value !== null && value !== undefined
