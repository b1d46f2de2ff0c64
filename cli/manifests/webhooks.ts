import type { Run } from '../../schemas/run.ts'
import { addressOf } from '../address.ts'
import { connect } from '../http-client.ts'
import { print, visible } from '../output/print.ts'
import { webhookUrl } from '../output/records.ts'

const PATIENCE_MS = 5000

/** Prints the addresses of the webhooks that the run has written; nothing if the orchestrator is unreachable. */
export async function printWebhooks({ steps }: Run): Promise<void> {
  const written = steps.filter(
    ({ kind, action, status }) => kind === 'workflows' && action !== 'delete' && status === 'done',
  )
  if (written.length === 0) return
  const ids = new Set(written.map(({ live_id }) => live_id))
  // Loaded on demand, because it takes longer to load than most commands.
  const { orchestratorOperations } = await import('../../schemas/operations/orchestrator/index.ts')
  const { base } = addressOf(orchestratorOperations)
  const workflows = await connect(orchestratorOperations, { timeoutMs: PATIENCE_MS })
    .listWorkflows()
    .catch(() => [])
  for (const workflow of workflows) {
    const url = ids.has(workflow.id) ? webhookUrl(workflow, base) : null
    if (url !== null) print(`webhook of workflow ${visible(workflow.name)}: ${url}`)
  }
}
