import { useState } from 'react'
import type { Plan } from '../../../schemas/plan.ts'
import { ActionLimit } from '../../frame/action-limit.tsx'
import { CurlMenu } from '../../frame/curl-menu.tsx'
import { useMayAct } from '../../frame/decisions.ts'
import { useLaterFailures } from '../../frame/updates/later-failures.tsx'
import { useGo } from '../../frame/page-link.tsx'
import { PlanDialog } from '../../frame/plans/plan-dialog.tsx'
import { counted } from '../../frame/plans/plan-steps.ts'
import { useLive } from '../../live/use-live.ts'
import { shellWord } from '../../parts/commands/curl.ts'
import { useKeys } from '../../parts/keys/use-keys.ts'
import { begun } from './apply-events.ts'
import type { DroppedFolder } from './dropped-folder.ts'
import { KEYS } from './keys.ts'
import { canConfirm, commandOf, confirmedChoices } from './rows.ts'

interface PlanActionsProps {
  plan: Plan
  folder: DroppedFolder | null
  /** False just after the plan has been shown, and while it is made again. */
  isAwake: boolean
  /** False while it is made, and while the connection is lost. */
  canPlan: boolean
  onPlanAgain(): void
  onFolderEnd(): void
}

type Open = 'steps' | 'all' | null

/** Applies a plan of a source. A dropped folder is planned only. */
export function PlanActions(props: PlanActionsProps) {
  const { plan, folder, isAwake, canPlan, onPlanAgain, onFolderEnd } = props
  const { source, steps } = plan
  const mayApply = useMayAct('apply') && isAwake && folder === null
  const canApply = mayApply && steps.length > 0
  const canApplyAll = mayApply && canConfirm(plan)
  const [open, setOpen] = useState<Open>(null)
  useKeys([
    { ...KEYS.apply, shown: `svc reconcile --source ${shellWord(source)}`, run: () => canApply && setOpen('steps') },
    { ...KEYS.applyAll, run: () => canApplyAll && setOpen('all') },
  ])
  return (
    <div className="actions" role="group" aria-label="Actions on the plan">
      {folder === null ? (
        <>
          <button type="button" className="btn" disabled={!canApply} onClick={() => setOpen('steps')}>
            Apply {counted(steps.length, 'step')}… <kbd aria-hidden="true">{KEYS.apply.keys}</kbd>
          </button>
          {canConfirm(plan) && (
            <button type="button" className="btn stop" disabled={!canApplyAll} onClick={() => setOpen('all')}>
              Apply all… <kbd aria-hidden="true">{KEYS.applyAll.keys}</kbd>
            </button>
          )}
        </>
      ) : (
        <button type="button" className="btn" onClick={onFolderEnd}>
          Plan the source instead <kbd aria-hidden="true">{KEYS.back.keys}</kbd>
        </button>
      )}
      <button type="button" className="btn" disabled={!canPlan} onClick={onPlanAgain}>
        Plan again <kbd aria-hidden="true">{KEYS.again.keys}</kbd>
      </button>
      {canConfirm(plan) && folder === null && (
        <span className="soft fine wide">The first leaves out what is on hold.</span>
      )}
      {folder === null && <ActionLimit guard="apply" />}
      <CurlMenu
        requests={[
          { label: 'Plan', method: 'POST', path: '/controller/plan', body: { source } },
          {
            label: 'Apply',
            method: 'POST',
            path: `/controller/sources/${encodeURIComponent(source)}/sync`,
            body: {},
          },
        ]}
      />
      {open !== null && <ApplyDialog plan={plan} isAll={open === 'all'} onClose={() => setOpen(null)} />}
    </div>
  )
}

function ApplyDialog({ plan: { source }, isAll, onClose }: { plan: Plan; isAll: boolean; onClose(): void }) {
  const { controller } = useLive().clients
  const go = useGo()
  const later = useLaterFailures()
  const title = isAll ? `Apply all steps to ${source}` : `Apply to ${source}`
  const read = async (signal: AbortSignal) => {
    const plan = await controller.plan({ body: { source }, signal })
    return isAll && canConfirm(plan) ? controller.plan({ body: { source, ...confirmedChoices(plan) }, signal }) : plan
  }
  const apply = async (_hash: string, plan: Plan) => {
    await begun(controller.apply({ body: { plan } }), (error) => later.add({ title, error }))
    go('/runs')
  }
  return (
    <PlanDialog
      title={title}
      action={isAll ? 'Apply all' : 'Apply'}
      id={`apply/${source}/${isAll}`}
      guard="apply"
      read={read}
      apply={apply}
      isOverBudget={({ choices }) => choices?.prune_override !== undefined}
      command={commandOf}
      onClose={onClose}
    />
  )
}
