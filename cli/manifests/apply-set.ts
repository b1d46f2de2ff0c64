// Manifests that are sent: applied, told of, and waited for.
import type { PlanInput } from '../../schemas/plan.ts'
import type { ControllerClient } from '../controller-client.ts'
import type { ExitName } from '../exit-codes.ts'
import { applyAndReport, outcomeOf, type ApplyFormat } from './apply.ts'
import { tellOrphans } from './orphans.ts'
import { waitUntilReady } from './readiness.ts'
import { tellOwner } from './review.ts'

export interface SentSet {
  input: PlanInput
  format: ApplyFormat
  /** As it was typed. */
  path: string
  /** The command that deletes what an earlier apply made and the path names no more. */
  pruning: string
  /** Longest wait until all of it is Ready, in milliseconds; null waits for nothing. */
  waitMs: number | null
}

/** How it ended; fails when what is waited for is not Ready in time. */
export async function applySet(client: ControllerClient, sent: SentSet): Promise<ExitName> {
  const { input, format, path, pruning, waitMs } = sent
  const applied = await applyAndReport(client, input, format)
  if (!input.plan) {
    await tellOwner(client, input)
    await tellOrphans(client, input, path, pruning)
  }
  const outcome = outcomeOf(applied)
  if (waitMs !== null && outcome !== 'error') await waitUntilReady(client, applied.run.source, waitMs, input.targets)
  return outcome
}
