// `agent orchestrator workflow-history`: the dispatches of a workflow, newest first.
import type { Command } from 'commander'
import type { DispatchRecord } from '../../../schemas/workflow.ts'
import { age } from '../../duration.ts'
import { connect } from '../../http-client.ts'
import { findWorkflow } from '../../lookup.ts'
import { withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { renderTable } from '../../table.ts'
import { show } from '../record.ts'

export function define(command: Command): void {
  withExamples(
    withUrl(withOutput(command.argument('<workflow>', 'id or name'))),
    'agent orchestrator workflow-history triage',
  ).action(showHistory)
}

async function showHistory(word: string, options: UrlOption & OutputOption): Promise<void> {
  const client = connect('orchestrator', options)
  const dispatches = await client.get<DispatchRecord[]>(`/workflows/${(await findWorkflow(client, word)).id}/history`)
  show(dispatches, options, () =>
    renderTable(
      dispatches,
      [
        { title: 'DISPATCH', value: (dispatch) => dispatch.id.slice(0, 8) },
        {
          title: 'STATUS',
          value: (dispatch) => dispatch.status,
          colour: (dispatch) =>
            dispatch.status === 'failed' ? 'red' : dispatch.status === 'completed' ? 'green' : undefined,
        },
        { title: 'TASK', value: (dispatch) => dispatch.source_id },
        { title: 'ATTEMPT', value: (dispatch) => dispatch.attempt },
        { title: 'AGO', value: (dispatch) => age(dispatch.created_at) },
        { title: 'RESULT', value: (dispatch) => dispatch.error ?? dispatch.result },
      ],
      'No dispatch yet.',
    ),
  )
}
