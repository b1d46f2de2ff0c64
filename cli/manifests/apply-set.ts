import type { PlanInput } from '../../schemas/plan.ts'
import type { ControllerClient } from '../controller-client.ts'
import type { ExitName } from '../exit-codes.ts'
import { applyAndReport, outcomeOf, type ApplyFormat } from './apply.ts'
import { noteOrphans } from './orphans.ts'
import { waitUntilReady } from './readiness.ts'
import { noteOwner } from './review.ts'
import { printWebhooks } from './webhooks.ts'

export interface SentSet {
  input: PlanInput
  format: ApplyFormat
  /** Path as typed. */
  path: string
  /** Command that prunes what the path no longer declares. */
  pruning: string
  /** Time-out for Ready in milliseconds; null does not wait. */
  waitMs: number | null
}

export async function applySet(client: ControllerClient, sent: SentSet): Promise<ExitName> {
  const { input, format, path, pruning, waitMs } = sent
  const applied = await applyAndReport(client, input, format)
  if (format === 'human') await printWebhooks(applied.run)
  if (!input.plan) {
    await noteOwner(client, input)
    await noteOrphans(client, input, path, pruning)
  }
  const outcome = outcomeOf(applied)
  if (waitMs !== null && outcome !== 'error') await waitUntilReady(client, applied.run.source, waitMs, input.targets)
  return outcome
}
