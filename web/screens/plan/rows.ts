import type { Plan, PlanDrift } from '../../../schemas/plan.ts'
import { counted } from '../../frame/plans/plan-steps.ts'
import { shellWord } from '../../parts/commands/curl.ts'
import type { StateName } from '../../parts/states/states.ts'

export interface Concern {
  state: StateName
  title: string
  /** In words of svc. */
  detail: string
  /** Resources, as kind/name. */
  names: readonly string[]
}

/** What a person should know before an apply: steps on hold, more rights, interruptions, invalid manifests. */
export function concernsOf({ guard, held, steps, impact, diagnostics }: Plan): Concern[] {
  const idOf = ({ kind, name }: { kind: string | null; name: string | null }) => `${kind}/${name}`
  const widening = steps.filter(({ widens = [] }) => widens.length > 0).map(idOf)
  const interrupted = impact?.interrupted ?? []
  const faulty = [
    ...new Set(diagnostics.filter(({ severity, name }) => severity === 'error' && name !== null).map(idOf)),
  ]
  const all: Concern[] = [
    {
      state: 'held',
      title: `${counted(guard?.deletes ?? 0, 'deletion')} on hold`,
      detail:
        guard === null
          ? ''
          : `${guard.deletes} of ${guard.owned} resources exceed the budget of ${guard.max_delete}, which allows ` +
            `${guard.allowed} in one run. A person confirms their number.`,
      names: guard?.resources ?? [],
    },
    {
      state: 'denied',
      title: `${counted(held?.denied.length ?? 0, 'step')} denied by plan policies`,
      detail: '',
      names: held?.denied ?? [],
    },
    {
      state: 'held',
      title: `${counted(held?.unconfirmed.length ?? 0, 'step')} on hold until confirmed`,
      detail: '',
      names: held?.unconfirmed ?? [],
    },
    {
      state: 'pending',
      title: `${counted(held?.waiting.length ?? 0, 'step')} waiting for those`,
      detail: '',
      names: held?.waiting ?? [],
    },
    { state: 'widens', title: `${counted(widening.length, 'step')} with more rights`, detail: '', names: widening },
    {
      state: 'busy',
      title: `${counted(interrupted.length, 'turn')} may be interrupted`,
      detail: '',
      names: interrupted,
    },
    { state: 'failed', title: `${counted(faulty.length, 'manifest')} left out`, detail: '', names: faulty },
  ]
  return all.filter(({ names }) => names.length > 0)
}

/** Drift that no step of the plan reverts. */
export const keptDrift = ({ drift, steps }: Pick<Plan, 'drift' | 'steps'>): PlanDrift[] =>
  drift.filter(
    ({ kind, name, path }) =>
      !steps.some(
        (step) =>
          step.kind === kind &&
          step.name === name &&
          (path === '' || step.changes.some((change) => isWithin(change.path, path) || isWithin(path, change.path))),
      ),
  )

const isWithin = (path: string, above: string) =>
  path === above || path.startsWith(`${above}.`) || path.startsWith(`${above}[`)

/** Whether a confirmation would add steps: deletions above the budget, or steps that need one. */
export const canConfirm = ({ guard, held }: Pick<Plan, 'guard' | 'held'>): boolean =>
  guard !== null || (held?.unconfirmed.length ?? 0) > 0

/** Options of a plan that includes everything that a person can confirm. */
export const confirmedChoices = ({
  guard,
  held,
}: Pick<Plan, 'guard' | 'held'>): { confirm?: string; prune_override?: string } => ({
  ...(held?.hash ? { confirm: held.hash } : {}),
  ...(guard === null ? {} : { prune_override: guard.hash }),
})

/** The command that applies a plan of a source: "svc reconcile --source default --confirm 5e0a77c1". */
export function commandOf({ source, choices }: Pick<Plan, 'source' | 'choices'>): string {
  const { confirm, prune_override } = choices ?? {}
  return [
    `svc reconcile --source ${shellWord(source)}`,
    ...(confirm === undefined ? [] : [`--confirm ${confirm}`]),
    ...(prune_override === undefined ? [] : [`--prune-override ${prune_override}`]),
  ].join(' ')
}
