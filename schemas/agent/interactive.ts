// What an agent with the terminal to itself cannot be held to: refused with the reason, rather than left out in
// silence.
import type { Fault, Path } from '../kind.ts'
import type { ToolPolicy } from '../tools/policy.ts'

/** Members that decide it; one that is unset asks for nothing. */
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

const NOBODY_ASKS = 'the program asks the person at its terminal, and never the orchestrator'
const NO_SOCKET = 'nothing is sent to a program that has the terminal to itself'
const NOT_TOLD = 'a program of this runtime is told nothing but its command'
const NOT_COUNTED = 'the program reports no usage'

/** All that `interactive` excludes, at paths below `at`; nothing for an agent that speaks to the orchestrator. */
export function interactiveFaults(agent: Interactive, at: Path = []): Fault[] {
  if (agent.interactive !== true) return []
  const { mode = 'allow_all' } = agent.tool_policy ?? {}
  const plain = (agent.runtime ?? 'claude-code') !== 'claude-code'
  const excluded: [member: keyof Interactive, excluded: boolean, why: string, hint: string][] = [
    ['tool_policy', mode !== 'allow_all', `policy '${mode}' cannot be enforced: ${NOBODY_ASKS}`, 'use allow_all'],
    ['prompt', Boolean(agent.prompt?.trim()), NO_SOCKET, 'attach and type it'],
    ['system_prompt', plain && Boolean(agent.system_prompt), NOT_TOLD, 'put it into command'],
    ['model', plain && Boolean(agent.model), NOT_TOLD, 'put it into command'],
    ['additional_dirs', plain && (agent.additional_dirs ?? []).length > 0, NOT_TOLD, 'put them into command'],
    ['max_cost_usd', isSet(agent.max_cost_usd), NOT_COUNTED, 'leave it out'],
    ['auto_clear_threshold', isSet(agent.auto_clear_threshold), NOT_COUNTED, 'leave it out'],
  ]
  return excluded.flatMap(([member, applies, why, hint]) =>
    applies
      ? [
          {
            path: [...at, member],
            members: ['interactive', member],
            code: 'conflicting-members',
            message: `cannot be honoured by an interactive agent: ${why}`,
            hint: `${hint}, or set interactive: false`,
          },
        ]
      : [],
  )
}

const isSet = (value: unknown) => value !== null && value !== undefined
