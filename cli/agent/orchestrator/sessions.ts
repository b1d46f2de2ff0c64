// Verbs on an agent that runs: what is said to it, and asked of it.
import { text } from 'node:stream/consumers'
import { Option } from 'commander'
import {
  clearContext,
  getLogs,
  getUsage,
  interruptAgent,
  sendMessage,
} from '../../../schemas/operations/orchestrator/agent-sessions.ts'
import { orchestratorOperations as group } from '../../../schemas/operations/orchestrator/index.ts'
import type { AgentUsage, Usage } from '../../../schemas/agent/usage.ts'
import { misuse } from '../../failure.ts'
import { wholeNumber } from '../../options.ts'
import { formatDuration } from '../../output/duration.ts'
import { visible } from '../../output/print.ts'
import { renderTable } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { verb, type Typed } from '../../verb.ts'
import { anAgent } from './subjects.ts'

async function messageRequest(_members: object, { words, options }: Typed) {
  const given: string[] = words.text
  if (options.stdin && given.length > 0)
    throw misuse('a text and --stdin exclude each other', 'give the text, or pipe it in')
  const content = options.stdin ? await text(process.stdin) : given.join(' ')
  if (content.trim() === '')
    throw misuse('the message is empty', 'write it after the agent, or pipe it in with --stdin')
  return { content }
}

const USAGE_ROWS: [string, (usage: Usage) => string | number][] = [
  ['input tokens', (usage) => usage.input_tokens],
  ['output tokens', (usage) => usage.output_tokens],
  ['cache read tokens', (usage) => usage.cache_read_input_tokens],
  ['cache creation tokens', (usage) => usage.cache_creation_input_tokens],
  ['cost', (usage) => `$${usage.total_cost_usd.toFixed(4)}`],
  ['turns', (usage) => usage.num_turns],
  ['results', (usage) => usage.result_count],
  ['time', (usage) => formatDuration(usage.duration_ms)],
]

function usageTable({ current_session, cumulative, session_count }: AgentUsage): string {
  return renderTable(
    USAGE_ROWS,
    [
      { title: '', value: ([title]) => title },
      { title: `SESSION ${session_count}`, value: ([, value]) => value(current_session) },
      { title: 'ALL', value: ([, value]) => value(cumulative) },
    ],
    'No usage.',
  )
}

export const sessionVerbs: readonly CommandEntry[] = [
  verb('send-message', group, sendMessage, {
    summary: 'send an agent its next prompt',
    subject: anAgent,
    args: [{ member: 'text', shown: '[text...]', help: 'the prompt' }],
    without: ['content'],
    more: (command) => command.option('--stdin', 'read the prompt from standard input'),
    request: messageRequest,
    examples: [
      'agent orchestrator send-message planner "What is next?"',
      'git diff | agent orchestrator send-message reviewer --stdin',
    ],
    done: ({ status }, { subject: { name } }) =>
      status === 'queued'
        ? `queued: ${name} is busy and gets it in turn`
        : `sent to ${name}; watch the answer with: agent orchestrator stream ${name}`,
  }),
  {
    name: 'stream',
    summary: 'watch what an agent, or all of them, say and do',
    load: () => import('./stream.ts'),
  },
  { name: 'attach', summary: 'look at the terminal of an agent', load: () => import('./attach.ts') },
  verb('logs', group, getLogs, {
    summary: 'print the last lines of an agent’s terminal',
    subject: anAgent,
    options: { lines: new Option('--lines <count>', 'how many').argParser(wholeNumber).default(100) },
    examples: ['agent orchestrator logs planner --lines 20'],
    done: ({ lines }) => visible(lines),
    json: (logs, { subject }) => ({ agent_id: subject.id, ...logs }),
  }),
  verb('usage', group, getUsage, {
    summary: 'tokens and cost of an agent',
    subject: anAgent,
    examples: ['agent orchestrator usage planner'],
    done: usageTable,
  }),
  verb('clear-context', group, clearContext, {
    summary: 'begin a new conversation',
    subject: anAgent,
    examples: ['agent orchestrator clear-context planner'],
    done: ({ new_session_number, session_usage: { input_tokens, output_tokens } }, { subject: { name } }) =>
      `${name} begins session ${new_session_number}; the last one took ${input_tokens} tokens in, ${output_tokens} out`,
  }),
  verb('interrupt', group, interruptAgent, {
    summary: 'stop what an agent is doing now',
    subject: anAgent,
    examples: ['agent orchestrator interrupt planner'],
    done: (_reply, { subject }) => `${subject.name} was asked to stop`,
    json: (_reply, { subject }) => ({ agent_id: subject.id, interrupted: true }),
  }),
]
