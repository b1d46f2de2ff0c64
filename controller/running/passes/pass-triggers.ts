import type { Unsubscribe } from '../../../platform/async/change-feed.ts'
import type { Clock, Timer } from '../../../platform/core/clock.ts'
import type { Run } from '../../../schemas/run.ts'
import { idOf } from '../../reading/graph.ts'
import type { Movement } from '../../reconciler.ts'
import type { Cursors } from '../../watching/change-cursors.ts'
import type { LiveWatch } from '../../watching/live-watch.ts'
import type { Wakes } from '../../watching/wake-queue.ts'
import type { Dirty } from '../../watching/dirty-resources.ts'
import type { Inventory } from '../inventory.ts'
import type { Passes } from './passes.ts'
import type { Sources } from '../sources/sources.ts'
import type { LiveSystem } from '../../watching/live-system.ts'

const RESYNC_MS = 120_000

interface Parts {
  clock: Clock
  live: LiveSystem
  sources: Sources
  inventory: Inventory
  watch: LiveWatch
  wakes: Wakes
  cursors: Cursors
  passes: Passes
  dirty: Dirty
}

export class Automatic {
  readonly #parts: Parts
  readonly #unsubscribes: Unsubscribe[] = []
  #resync: Timer | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  start(): void {
    const { live, sources, wakes, cursors } = this.#parts
    for (const reconciler of live.reconcilers) {
      const { kind } = reconciler.definition
      const hear = (movement: Movement) => this.#onMovement(kind, movement)
      this.#unsubscribes.push(reconciler.changes(hear, cursors.of(kind)))
    }
    for (const source of sources.all())
      if (source.reader)
        this.#unsubscribes.push(
          source.reader.watch(
            () => wakes.wakeSource(source.name),
            () => sources.announce(source),
          ),
        )
    this.#resyncAll()
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribes.splice(0)) unsubscribe()
    this.#resync?.cancel()
  }

  /** Events may be missed: everything is checked periodically. */
  #resyncAll(): void {
    const { clock, sources, inventory, wakes, dirty } = this.#parts
    for (const source of sources.all()) {
      dirty.markAll(source.name)
      if (!source.orphaned) wakes.wakeSource(source.name)
      else for (const owned of inventory.ofSource(source.name)) wakes.observeLast(idOf(owned))
    }
    this.#resync = clock.after(RESYNC_MS, () => this.#resyncAll())
  }

  #onMovement(kind: string, { liveId, name, moved, cursor, by }: Movement): void {
    const { inventory, wakes, cursors, watch, dirty } = this.#parts
    const owned = inventory.byLiveId(kind, liveId) ?? inventory.get(kind, name)
    if (moved === 'state') dirty.markMoved(owned ? idOf(owned) : `${kind}/${name}`)
    // Finished work is frequent and matters only to a waiting change.
    const isOurs = owned && (moved === 'state' || owned.deferredSince !== null)
    cursors.recordHeard(kind, cursor, isOurs ? idOf(owned) : null)
    if (!isOurs) return
    if (by) watch.recordWriter(idOf(owned), by)
    wakes.observeFirst(idOf(owned))
  }

  /** Starts a pass if the resource must be healed or became idle. */
  async lookAt(id: string): Promise<void> {
    const { sources, inventory, watch, wakes, cursors, dirty } = this.#parts
    if (watch.isPaused(id)) return wakes.observeLater(id)
    const { moves } = dirty
    const outcome = await watch.observe(id)
    cursors.recordObserved(id)
    if (outcome === 'as-desired') return dirty.confirm(id, moves)
    const source = sources.find(inventory.find(id)?.source ?? '')
    if (outcome === 'settled' || !source || source.orphaned || source.suspended) return
    dirty.markMoved(id)
    wakes.settleSource(source.name)
  }

  /**
   * Only observes a suspended source. Throws after a failed step, to back off. `asRead`: only live state changed, so
   * manifests are not read.
   */
  async passOver(name: string, asRead: boolean): Promise<void> {
    const { sources, wakes, passes } = this.#parts
    const source = sources.find(name)
    if (!source || source.orphaned) return
    if (source.suspended) return passes.look(source)
    const run = await passes.pass(source, null, { automatic: true, asRead })
    if (run?.status === 'failed') throw new Error(failureOf(run))
    if (run?.status === 'waiting') wakes.retrySource(name)
  }
}

function failureOf({ id, steps }: Run): string {
  const failed = steps.filter((step) => step.status === 'failed').length
  return `run ${id}: ${failed} of ${steps.length} steps failed`
}
