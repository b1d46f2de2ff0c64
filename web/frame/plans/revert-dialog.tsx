import { useRef } from 'react'
import type { Plan } from '../../../schemas/plan.ts'
import type { Drift } from '../../../schemas/resource.ts'
import { useLive } from '../../live/use-live.ts'
import { joinedPlan, revertAll, revertPlans } from './joint-revert.ts'
import { PlanDialog } from './plan-dialog.tsx'

/** Reverts drifted fields of one resource. A plan that has changed since it was shown is refused. */
export function RevertDialog({ records, onClose }: { records: readonly Drift[]; onClose(): void }) {
  const { controller } = useLive().clients
  const reviewed = useRef<Plan[]>([])
  const ids = records.map(({ id }) => id)
  const { kind, name } = records[0]!
  const read = async (signal: AbortSignal) => {
    reviewed.current = await revertPlans(controller, ids, signal)
    return joinedPlan(reviewed.current)
  }
  return (
    <PlanDialog
      title={`Revert ${kind}/${name}`}
      action={ids.length === 1 ? 'Revert' : `Revert ${ids.length} fields`}
      id={`revert/${ids.join('/')}`}
      guard="apply"
      read={read}
      apply={() => revertAll(controller, ids, reviewed.current)}
      onClose={onClose}
    />
  )
}
