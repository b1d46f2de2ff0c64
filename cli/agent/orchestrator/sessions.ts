import { Option } from 'commander'
import { typed } from '../../command-line.ts'
import * as operations from '../../../schemas/operations/orchestrator/agent-sessions.ts'
import { orchestratorOperations as group } from '../../../schemas/operations/orchestrator/index.ts'
import type { Message } from '../../../schemas/agent/message.ts'
import type { Paged } from '../../../schemas/operations/page.ts'
import { misuse } from '../../failure.ts'
import { connect } from '../../http-client.ts'
import { wholeNumber } from '../../options.ts'
import { age } from '../../output/duration.ts'
import { visible } from '../../output/print.ts'
import { renderTable, type Column } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { READS, standardInput, STDIN } from '../../standard-input.ts'
import { verb, type Typed } from '../../verb.ts'
import { waitForAnswer, withAnswer } from './answer.ts'
import { anAgent } from './subjects.ts'
import { transcriptVerb } from './transcript.ts'

async function messageRequest(_members: object, { words, options }: Typed) {
  const given: string[] = words.text
  if (options.stdin && given.length > 0)
    throw misuse('a text and --stdin are mutually exclusive', 'pass the text, or pipe it in')
  const content = options.stdin || given.join(' ') === STDIN ? await standardInput() : given.join(' ')
  if (content.trim() === '') throw misuse('the message is empty', 'pass it after the agent, or pipe it in with -')
  return { content }
}

const MESSAGE_COLUMNS: Column<Message>[] = [
  { title: 'MESSAGE', value: (message) => message.id.slice(0, 8) },
  {
    title: 'STATUS',
    value: (message) => message.status,
    colour: ({ status }) =>
      ({ done: 'green', failed: 'red', lost: 'red', queued: undefined, sent: undefined } as const)[status],
  },
  { title: 'KIND', value: (message) => message.kind },
  { title: 'AGO', value: (message) => age(message.created_at), kind: 'time' },
  { title: 'TEXT', value: (message) => message.content, kind: 'text' },
  { title: 'ANSWER', value: (message) => message.error ?? message.result, kind: 'text' },
]

/** Requested in pages, because there may be many. */
const itemsOf = (page: unknown): Message[] => (page as Paged<Message>).items

export const sessionVerbs: readonly CommandEntry[] = [
  verb('send-message', group, operations.sendMessage, {
    summary: 'Send a prompt to an agent',
    subject: anAgent,
    args: [{ member: 'text', shown: '[text...]', help: `Text of the prompt; ${READS}` }],
    without: ['content'],
    more: (command) => withAnswer(command.option('--stdin', 'Read the prompt from standard input, as -')),
    request: messageRequest,
    examples: [
      'agent orchestrator send-message planner "What is next?"',
      'agent orchestrator send-message planner "What is next?" --wait',
      'git diff | agent orchestrator send-message reviewer --stdin',
    ],
    wait: async ({ message_id }, { subject, options }) =>
      options.wait
        ? waitForAnswer({
            agent: subject,
            what: `the message to ${subject.name}`,
            later: typed`agent orchestrator messages ${subject.name}`,
            options,
            look: () => connect(group, options).getMessage({ params: { id: subject.id, message_id } }),
          })
        : null,
    done: ({ status }, { subject: { name } }) =>
      status === 'queued'
        ? `queued: ${name} is busy; follow it with: ${typed`agent orchestrator messages ${name}`}`
        : `sent to ${name}; watch the answer with: ${typed`agent orchestrator stream ${name}`}`,
  }),
  verb('messages', group, operations.listMessages, {
    summary: 'List the messages of an agent with their status',
    subject: anAgent,
    options: {
      limit: new Option('--last <count>', 'Number of messages, at most 200').argParser(wholeNumber).default(20),
    },
    examples: ['agent orchestrator messages planner'],
    done: (page) => renderTable(itemsOf(page), MESSAGE_COLUMNS, 'No messages yet.'),
    json: itemsOf,
  }),
  transcriptVerb,
  {
    name: 'stream',
    summary: 'Follow the output of one agent or all agents',
    load: () => import('./stream.ts'),
  },
  { name: 'attach', summary: 'Attach to the terminal of an agent', load: () => import('./attach.ts') },
  {
    name: 'sandbox',
    summary: 'Show the sandbox of an agent, or run a command in it',
    load: () => import('./sandbox.ts'),
  },
  verb('logs', group, operations.getLogs, {
    summary: 'Print the last lines of an agent’s terminal',
    subject: anAgent,
    options: { lines: new Option('--lines <count>', 'Number of lines').argParser(wholeNumber).default(100) },
    examples: ['agent orchestrator logs planner --lines 20'],
    done: ({ lines }) => visible(lines),
    json: (logs, { subject }) => ({ agent_id: subject.id, ...logs }),
  }),
  {
    name: 'usage',
    summary: 'Show tokens and cost of an agent, or per hour',
    load: () => import('./usage.ts'),
  },
  verb('clear-context', group, operations.clearContext, {
    summary: 'Start a new conversation',
    subject: anAgent,
    examples: ['agent orchestrator clear-context planner'],
    done: ({ new_session_number, session_usage: { input_tokens, output_tokens } }, { subject: { name } }) =>
      `${visible(name)} started session ${new_session_number}; the previous one used ${input_tokens} input and ${output_tokens} output tokens`,
  }),
  verb('interrupt', group, operations.interruptAgent, {
    summary: 'Interrupt the current turn of an agent',
    subject: anAgent,
    examples: ['agent orchestrator interrupt planner'],
    done: (_reply, { subject }) => `sent an interrupt to ${visible(subject.name)}`,
    json: (_reply, { subject }) => ({ agent_id: subject.id, interrupted: true }),
  }),
]
