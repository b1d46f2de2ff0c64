import type { PlanStep } from '../../../schemas/plan.ts'
import { SOURCES, idOf, type Id } from '../desired.ts'
import { planOf } from '../snapshot.ts'
import type { Law, Situation, Violation } from './situation.ts'

export const planIsEmpty: Law = (situation) => {
  const found: Violation[] = []
  for (const { source, plan } of planOf(situation.now)) {
    const steps = plan.steps.filter((step) => !mayWait(situation, step))
    const heldUp = plan.steps.some((step) => isHeldUp(situation, step))
    for (const step of steps.filter(({ action }) => action !== 'delete' || !heldUp))
      found.push({ law: 'plan empty', what: `${step.action} ${step.kind}`, detail: `${source}: ${describe(step)}` })
    for (const drift of plan.drift) {
      const declared = situation.memory.desired.get(idOf(drift as { kind: 'agents'; name: string }))
      if (declared?.source !== source || !situation.heals(declared) || !situation.isExact(declared)) continue
      const detail = `${source}: ${drift.kind}/${drift.name} ${drift.path}: live ${text(drift.live)}`
      found.push({ law: 'plan empty', what: `unhealed drift of ${drift.kind}`, detail })
    }
    if (plan.guard) found.push({ law: 'plan empty', what: 'guard', detail: `${source}: ${text(plan.guard)}` })
  }
  return found
}

/** Whether the required state is undetermined. */
function mayWait(situation: Situation, step: PlanStep): boolean {
  const id = `${step.kind}/${step.name}` as Id
  const declared = situation.memory.desired.get(id)
  if (declared && !situation.isExact(declared)) return true
  return !declared && situation.isContested(id)
}

function isHeldUp(situation: Situation, step: PlanStep): boolean {
  const declared = situation.memory.desired.get(`${step.kind}/${step.name}` as Id)
  return declared !== undefined && situation.isHeldUp(declared)
}

export const runsEnd: Law = ({ now }) =>
  now.runs
    .filter(({ status }) => status === 'running')
    .map(({ id, source }) => ({ law: 'runs end', what: 'a run', detail: `run ${id} of ${source} is still running` }))

export const faultsAreReported: Law = (situation) =>
  SOURCES.flatMap((name): Violation[] => {
    const { desired } = situation.memory
    const source = situation.now.sources.find((each) => each.name === name)
    const faults = situation.now.plans[name].diagnostics.filter(({ severity }) => severity === 'error')
    // A source that must not prune keeps a moved resource.
    const unexpected = faults.filter((fault) => {
      const id = `${fault.kind}/${fault.name}` as Id
      return !situation.isContested(id) && !needsPendingPolicy(situation, id)
    })
    if (desired.fault(name)) {
      if (source?.error && faults.length > 0) return []
      return [{ law: 'faults reported', what: desired.fault(name)!, detail: `${name}: error ${text(source?.error)}` }]
    }
    if (unexpected.length > 0)
      return [{ law: 'faults reported', what: unexpected[0]!.code, detail: `${name}: ${text(unexpected)}` }]
    if (!source?.error || faults.length > 0) return []
    return [{ law: 'faults reported', what: 'an error without a diagnostic', detail: `${name}: ${source.error}` }]
  })

/** Whether its policy is declared in a source that applies nothing yet. */
function needsPendingPolicy(situation: Situation, id: Id): boolean {
  const { desired } = situation.memory
  const policy = desired.get(id)?.members.policy
  const declared = policy === undefined ? undefined : desired.get(`policies/${String(policy)}`)
  if (!declared || situation.live(idOf(declared))) return false
  return situation.isManual(declared) || desired.fault(declared.source) !== null
}

const describe = ({ action, kind, name, reason, changes }: PlanStep): string =>
  `${action} ${kind}/${name}: ${reason} ${text(changes.map(({ path, before, after }) => [path, before, after]))}`

const text = (value: unknown): string => JSON.stringify(value ?? null)
