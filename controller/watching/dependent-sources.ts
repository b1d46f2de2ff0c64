// Wakes sources that use resources of another source when those are created or changed.
import type { Plan } from '../../schemas/plan.ts'
import type { Run } from '../../schemas/run.ts'
import type { Owned } from '../planning/ownership.ts'
import type { DesiredState } from '../reading/desired-state.ts'
import { idOf } from '../reading/graph.ts'
import type { Wakes } from './wake-queue.ts'

/** Errors that another source may fix by creating something. */
const MISSING: ReadonlySet<string> = new Set(['unknown-reference', 'reference-out-of-reach'])

interface Parts {
  inventory: { all(): Iterable<Owned> }
  wakes: Pick<Wakes, 'wakeSource'>
}

export class DependentSources {
  readonly #parts: Parts
  /** Number of runs that changed something. */
  #runs = 0
  /** By source: `#runs` when the last read began. */
  readonly #begun = new Map<string, number>()
  /** Sources whose last pass missed a resource. Reads for a plan do not change this. */
  readonly #missing = new Set<string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  beginRead(source: string): void {
    this.#begun.set(source, this.#runs)
  }

  /** Called with the result of a pass's read. Reads the source again if a missing resource may exist by now. */
  endRead(source: string, { diagnostics }: DesiredState): void {
    const isMissing = diagnostics.some(({ code }) => MISSING.has(code))
    if (!isMissing) return void this.#missing.delete(source)
    this.#missing.add(source)
    if (this.#begun.get(source) !== this.#runs) this.#parts.wakes.wakeSource(source)
  }

  /** Re-plans resources of other sources that are derived from changed ones: a stricter policy reaches its agents. */
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
