// What happens without anybody asking: a saved file, a moved resource and the passing of time lead to passes and looks.
import type { SerialQueue } from '../../platform/async/serial-queue.ts'
import type { Unsubscribe } from '../../platform/change-feed.ts'
import type { Clock, Timer } from '../../platform/clock.ts'
import type { Run } from '../../schemas/run.ts'
import { idOf } from '../reading/graph.ts'
import type { Moved, Reconciler } from '../reconciler.ts'
import type { LiveWatch } from '../watching/live-watch.ts'
import type { Wakes } from '../watching/wakes.ts'
import type { Inventory } from './inventory.ts'
import type { Passes } from './pass.ts'
import type { Sources } from './sources.ts'

/** A run that waits for idle work is followed by the next pass after this long, in milliseconds. */
const WAITING_PASS_MS = 5000

/** Between full passes that nothing woke, in milliseconds. */
const RESYNC_MS = 120_000

interface Parts {
  clock: Clock
  reconcilers: readonly Reconciler[]
  sources: Sources
  inventory: Inventory
  watch: LiveWatch
  wakes: Wakes
  passes: Passes
  /** kind/name of what is being changed at this moment. */
  inFlight: ReadonlySet<string>
  /** Convergences, one at a time. */
  turns: SerialQueue
}

export class Automatic {
  readonly #parts: Parts
  readonly #unsubscribes: Unsubscribe[] = []
  #resync: Timer | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  start(): void {
    const { reconcilers, sources, wakes } = this.#parts
    for (const reconciler of reconcilers) {
      const { kind } = reconciler.definition
      this.#unsubscribes.push(reconciler.changes((liveId, name, moved) => this.#moved(kind, { liveId, name, moved })))
    }
    for (const source of sources.all())
      if (source.reader) this.#unsubscribes.push(source.reader.watch(() => wakes.source(source.name)))
    this.#lookAtEverything()
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribes.splice(0)) unsubscribe()
    this.#resync?.cancel()
  }

  /** Events are a shortcut, not the truth: at times everything is read anew. */
  #lookAtEverything(): void {
    const { clock, sources, inventory, wakes } = this.#parts
    for (const source of sources.all()) {
      if (source.reader) wakes.source(source.name)
      else for (const owned of inventory.ofSource(source.name)) wakes.stale(idOf(owned))
    }
    this.#resync = clock.after(RESYNC_MS, () => this.#lookAtEverything())
  }

  #moved(kind: string, { liveId, name, moved }: { liveId: string; name: string; moved: Moved }): void {
    const { inventory, wakes } = this.#parts
    const owned = inventory.byLiveId(kind, liveId) ?? inventory.get(kind, name)
    // Work ends all the time: it is looked into where a change waits for it.
    if (owned && (moved === 'state' || owned.deferredSince !== null)) wakes.live(idOf(owned))
  }

  /** Observes one resource; what shall be healed, or is idle at last, leads to a pass. */
  async lookAt(id: string): Promise<void> {
    const { sources, inventory, watch, wakes, inFlight } = this.#parts
    if (inFlight.has(id)) return wakes.later(id)
    const outcome = await watch.observe(id)
    const source = inventory.find(id)?.source
    if (outcome !== 'settled' && source && sources.find(source)?.reader) wakes.source(source)
  }

  /** One pass over a source; throws after a failed step, so that the source is backed off. */
  async passOver(name: string): Promise<void> {
    const { sources, wakes, passes, turns } = this.#parts
    const source = sources.find(name)
    if (!source?.reader || source.suspended) return
    const run = await turns.run(async () => (source.suspended ? null : passes.pass(source, null, { automatic: true })))
    if (run?.status === 'failed') throw new Error(failureOf(run))
    if (run?.status === 'waiting') wakes.source(name, WAITING_PASS_MS)
  }
}

function failureOf({ id, steps }: Run): string {
  const failed = steps.filter((step) => step.status === 'failed').length
  return `run ${id}: ${failed} of ${steps.length} steps failed`
}
