// Steps and deletions that the last plan of a source held back.
import type { Plan } from '../../../schemas/plan.ts'
import type { Source } from '../../../schemas/source.ts'
import { heldText } from '../../planning/unfinished-steps.ts'
import type { SourceState } from './source-state.ts'

type HeldBack = Source['held_back']

/** `now`: RFC 3339. Unchanged entries keep their time. */
export function recordHeldBack(source: SourceState, plan: Plan, now: string): void {
  source.held = heldText(plan)
  const { guard, held = null } = plan
  const before = source.heldBack ?? null
  const found: HeldBack = guard || held ? { since: now, deletions: guard, steps: held } : null
  source.heldBack = found && before && isSame(found, before) ? before : found
}

const isSame = (a: NonNullable<HeldBack>, b: NonNullable<HeldBack>): boolean =>
  JSON.stringify([a.deletions, a.steps]) === JSON.stringify([b.deletions, b.steps])
