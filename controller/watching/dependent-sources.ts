import type { Plan } from '../../schemas/plan.ts'
import type { Run } from '../../schemas/run.ts'
import type { Owned } from '../planning/ownership.ts'
import type { DesiredState } from '../reading/desired-state.ts'
import { idOf } from '../reading/graph.ts'
import type { Wakes } from './wake-queue.ts'

const MISSING: ReadonlySet<string> = new Set(['unknown-reference', 'reference-out-of-reach'])

interface Parts {
  inventory: { all(): Iterable<Owned> }
  wakes: Pick<Wakes, 'wakeSource'>
}

export class DependentSources {
  readonly #parts: Parts
  /** Runs that changed something. */
  #runs = 0
  /** `#runs` when the last read of a source began. */
  readonly #begun = new Map<string, number>()
  /** Sources whose last pass missed a resource. Reads for a plan do not count. */
  readonly #missing = new Set<string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  beginRead(source: string): void {
    this.#begun.set(source, this.#runs)
  }

  /** Call with the result of a pass's read. Wakes the source again if a missing resource may exist by now. */
  endRead(source: string, { diagnostics }: DesiredState): void {
    const isMissing = diagnostics.some(({ code }) => MISSING.has(code))
    if (!isMissing) return void this.#missing.delete(source)
    this.#missing.add(source)
    if (this.#begun.get(source) !== this.#runs) this.#parts.wakes.wakeSource(source)
  }

  /** Resources derived from changed ones are planned again: a stricter policy reaches its agents. */
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
