// `agent orchestrator get-workflow`: one workflow, whole.
import type { Command } from 'commander'
import { connect } from '../../http-client.ts'
import { findWorkflow } from '../../lookup.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { lines, show } from '../record.ts'

export function define(command: Command): void {
  withExamples(
    withUrl(withOutput(command.argument('<workflow>', 'id or name'))),
    'agent orchestrator get-workflow triage',
  ).action(getWorkflow)
}

async function getWorkflow(word: string, options: UrlOption & OutputOption): Promise<void> {
  const workflow = await findWorkflow(connect('orchestrator', options), word)
  show(workflow, options, () => lines(workflow))
}
