// Writes fields that are unchanged since the plan. Otherwise plans the step again on current live state; a manual write
// is recorded before it is overwritten.
import type { Shape } from '../../../schemas/members/keyed-list.ts'
import { topMember } from '../../../schemas/members/member-path.ts'
import type { Change, PlanStep } from '../../../schemas/plan.ts'
import type { RunStep } from '../../../schemas/run.ts'
import { memberAt, same } from '../../planning/diff.ts'
import { withMembers } from '../../planning/merge.ts'
import type { Preview } from '../../planning/preview.ts'
import { driftModeOf } from '../../planning/sync-rules.ts'
import { idOf } from '../../reading/graph.ts'
import { MovedError, type Applied, type Step } from '../../reconciler.ts'
import type { LiveSystem } from '../../watching/live-system.ts'
import type { LiveWatch } from '../../watching/live-watch.ts'
import type { Inventory } from '../inventory.ts'

/** Attempts against another writer of the same fields. */
const MOST_TRIES = 10

export interface WriteParts {
  inventory: Inventory
  watch: LiveWatch
  live: LiveSystem
}

interface Written {
  planned: PlanStep
  step: RunStep
  requestId: string
  withoutRestart: boolean
}

/** Throws MovedError if the rules do not let the manifest win, or after too many attempts. */
export async function writeStep(written: Written, preview: Preview, parts: WriteParts): Promise<Applied<unknown>> {
  const { lookup, signal } = parts.live
  const reconciler = parts.live.reconcilerOf(written.planned.kind)
  for (let tries = 1; ; tries++) {
    try {
      return await reconciler.apply(stepFor(written, preview, reconciler.definition), lookup, signal)
    } catch (error) {
      if (!(error instanceof MovedError) || tries === MOST_TRIES) throw error
      if (!(await mayRetry(written.planned, preview, parts))) throw error
    }
  }
}

function stepFor(
  { planned, step, requestId, withoutRestart }: Written,
  { desired, live }: Preview,
  shape: Shape,
): Step<unknown> {
  const { name, changes } = planned
  const action = planned.action as Step<unknown>['action']
  const seen = live.get(idOf(planned))
  const wanted = desired.get(idOf(planned))!.spec
  // Keeps reported drift in other fields.
  const paths = changes.map(({ path }) => path)
  const isWhole = action === 'create' || action === 'replace' || !seen
  return {
    action,
    name,
    liveId: step.live_id ?? '',
    spec: isWhole ? wanted : withMembers(seen.spec, wanted, paths, shape),
    members: isWhole ? Object.keys(wanted) : membersOf(planned, wanted),
    seen: seen?.spec ?? null,
    seenVersion: seen?.version ?? null,
    changes: withoutRestart ? changes.filter(({ cost }) => cost === 'in-place') : changes,
    requestId,
  }
}

/** Top-level fields; state is not written. */
function membersOf({ changes }: PlanStep, wanted: object): string[] {
  const members = new Set(changes.map(({ path }) => topMember(path)))
  return [...members].filter((member) => Object.hasOwn(wanted, member))
}

/**
 * Observes again. A manual write at a planned path is drift, overwritten if the rules permit; other changes are kept.
 */
async function mayRetry(
  planned: PlanStep,
  { live: seen, subjects, exactly }: Preview,
  { inventory, watch, live }: WriteParts,
): Promise<boolean> {
  const { definition } = live.reconcilerOf(planned.kind)
  const id = idOf(planned)
  const before = seen.get(id)
  const now = before && (await live.observe({ ...planned, liveId: before.liveId }))
  if (!now) {
    await watch.observe(id)
    return false
  }
  seen.set(id, now)
  const isAsSeen = ({ path }: Change) =>
    same(memberAt(before.spec, path, definition), memberAt(now.spec, path, definition))
  if (planned.changes.every(isAsSeen)) return true
  if (!inventory.find(id)) return false
  await watch.observe(id)
  if (exactly?.reviewed) throw new MovedError(movedText(planned))
  const rules = subjects.find((subject) => idOf(subject) === id)?.rules
  return !rules || planned.changes.every(({ path }) => driftModeOf(rules, path) !== 'block')
}

/** Without the values: those in drift records are redacted. */
function movedText(planned: PlanStep): string {
  const fields = planned.changes.map(({ path }) => path).join(', ')
  return `${fields} of ${idOf(planned)} changed after the reviewed plan and was not written; its drift record has the new value: plan the revert again`
}
