// How far a plan reaches: what it stops, and what leans on that. Pure.
import type { Plan, PlanImpact } from '../../schemas/plan.ts'
import { idOf } from '../reading/graph.ts'

interface Depending {
  kind: string
  name: string
  /** As kind/name. */
  dependsOn: readonly string[]
}

/** `desired` and `owned`: all that may depend on something. Costs nothing where nothing stops. */
export function impactOf(
  { steps }: Pick<Plan, 'steps'>,
  desired: readonly Depending[],
  owned: readonly Depending[],
): PlanImpact {
  const stopping = steps.filter(({ action }) => action === 'restart' || action === 'replace' || action === 'delete')
  const stopped = stopping.map(idOf)
  const interrupted = stopping.filter(({ interrupts }) => interrupts !== null).map(idOf)
  if (stopped.length === 0) return { stopped, interrupted, affected: [] }
  const leaning = leaningOn([...owned, ...desired])
  const seen = new Set(stopped)
  const open = [...stopped]
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const other of leaning.get(id) ?? [])
      if (!seen.has(other)) {
        seen.add(other)
        open.push(other)
      }
  return { stopped, interrupted, affected: [...seen].slice(stopped.length).sort() }
}

function leaningOn(all: readonly Depending[]): Map<string, string[]> {
  const leaning = new Map<string, string[]>()
  for (const each of all)
    for (const id of each.dependsOn) {
      const known = leaning.get(id)
      if (known) known.push(idOf(each))
      else leaning.set(id, [idOf(each)])
    }
  return leaning
}
