// `agent orchestrator delete-workflow`: removes a workflow; its agent stays.
import type { Command } from 'commander'
import { connect } from '../../http-client.ts'
import { findWorkflow } from '../../lookup.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { show } from '../record.ts'

export function define(command: Command): void {
  withExamples(
    withUrl(withOutput(command.argument('<workflow>', 'id or name'))),
    'agent orchestrator delete-workflow triage',
  ).action(deleteWorkflow)
}

async function deleteWorkflow(word: string, options: UrlOption & OutputOption): Promise<void> {
  const client = connect('orchestrator', options)
  const { id, name } = await findWorkflow(client, word)
  await client.delete(`/workflows/${id}`)
  show({ id, deleted: true }, options, `workflow ${name} is gone (${id})`)
}
