// Sources that use what another one makes: they are passed over again when it has made or changed it.
import type { Plan } from '../../schemas/plan.ts'
import type { Run } from '../../schemas/run.ts'
import type { Owned } from '../planning/ownership.ts'
import type { DesiredState } from '../reading/desired-state.ts'
import { idOf } from '../reading/graph.ts'
import type { Wakes } from './wake-queue.ts'

/** Faults of manifests that another source may mend by making something. */
const MISSING: ReadonlySet<string> = new Set(['unknown-reference', 'reference-out-of-reach'])

interface Parts {
  inventory: { all(): Iterable<Owned> }
  wakes: Pick<Wakes, 'wakeSource'>
}

export class DependentSources {
  readonly #parts: Parts
  /** Runs that changed something. */
  #runs = 0
  /** By source, how many there were when it began to be read. */
  readonly #begun = new Map<string, number>()
  /** Sources whose last pass missed something. Whoever else reads them, to look at a plan, changes nothing of that. */
  readonly #missing = new Set<string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** A pass begins to read a source. */
  beginRead(source: string): void {
    this.#begun.set(source, this.#runs)
  }

  /** A pass took what was read. Where it misses what may have been made since, it is read again. */
  endRead(source: string, { diagnostics }: DesiredState): void {
    const isMissing = diagnostics.some(({ code }) => MISSING.has(code))
    if (!isMissing) return void this.#missing.delete(source)
    this.#missing.add(source)
    if (this.#begun.get(source) !== this.#runs) this.#parts.wakes.wakeSource(source)
  }

  /** What other sources made of what has changed is made anew: a policy that is tightened reaches its agents. */
  wake({ plan, run }: { plan: Plan; run: Run }): void {
    const { inventory, wakes } = this.#parts
    const changed = new Set(run.steps.filter(({ status }) => status === 'done').map(idOf))
    if (changed.size === 0) return
    this.#runs++
    const using = [...inventory.all()].filter(({ dependsOn }) => dependsOn.some((id) => changed.has(id)))
    const names = new Set([...using.map(({ source }) => source), ...this.#missing])
    names.delete(plan.source)
    for (const name of names) wakes.wakeSource(name)
  }
}
