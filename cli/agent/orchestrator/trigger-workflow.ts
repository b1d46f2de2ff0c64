// `agent orchestrator trigger-workflow`: gives a workflow a task by hand.
import type { Command } from 'commander'
import type { DispatchRecord } from '../../../schemas/workflow.ts'
import { misuse } from '../../failure.ts'
import { connect } from '../../http-client.ts'
import { findWorkflow } from '../../lookup.ts'
import { collect, withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { show } from '../record.ts'

interface TriggerOptions extends UrlOption, OutputOption {
  title?: string
  body?: string
  metadata?: string[]
}

export function define(command: Command): void {
  command
    .argument('<workflow>', 'id or name')
    .option('--title <text>', 'title of the task')
    .option('--body <text>', 'body of the task')
    .option('--metadata <key=value>', 'a variable for the template; may be given several times', collect)
  withExamples(
    withUrl(withOutput(command)),
    'agent orchestrator trigger-workflow triage --title "Login fails" --metadata area=auth',
  ).action(trigger)
}

async function trigger(word: string, options: TriggerOptions): Promise<void> {
  const client = connect('orchestrator', options)
  const workflow = await findWorkflow(client, word)
  const metadata = options.metadata && Object.fromEntries(options.metadata.map(pair))
  const dispatch = await client.post<DispatchRecord>(`/workflows/${workflow.id}/trigger`, {
    title: options.title,
    body: options.body,
    metadata,
  })
  show(
    dispatch,
    options,
    `dispatch ${dispatch.id} is ${dispatch.status}; follow it with: agent orchestrator workflow-history ${workflow.name}`,
  )
}

function pair(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw misuse(`--metadata ${text} has no key and value`, 'write --metadata area=auth')
  return [text.slice(0, at), text.slice(at + 1)]
}
