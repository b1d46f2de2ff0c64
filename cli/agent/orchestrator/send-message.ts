// `agent orchestrator send-message`: the next prompt of an agent.
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { MessageReply } from '../../../schemas/agent.ts'
import { misuse } from '../../failure.ts'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { show } from '../record.ts'

export function define(command: Command): void {
  command
    .argument('<agent>', 'id, or name where unique')
    .argument('[text...]', 'the prompt')
    .option('--stdin', 'read the prompt from standard input')
  withExamples(
    withUrl(withOutput(command)),
    'agent orchestrator send-message planner "What is next?"',
    'git diff | agent orchestrator send-message reviewer --stdin',
  ).action(sendMessage)
}

async function sendMessage(
  word: string,
  words: string[],
  options: UrlOption & OutputOption & { stdin?: boolean },
): Promise<void> {
  if (options.stdin && words.length > 0)
    throw misuse('a text and --stdin exclude each other', 'give the text, or pipe it in')
  const content = options.stdin ? await text(process.stdin) : words.join(' ')
  if (content.trim() === '')
    throw misuse('the message is empty', 'write it after the agent, or pipe it in with --stdin')
  const client = connect('orchestrator', options)
  const agent = await findAgent(client, word)
  const reply = await client.post<MessageReply>(`/agents/${agent.id}/message`, { content })
  show(
    reply,
    options,
    reply.status === 'queued'
      ? `queued: ${agent.name} is busy and gets it in turn`
      : `sent to ${agent.name}; watch the answer with: agent orchestrator stream ${agent.name}`,
  )
}
