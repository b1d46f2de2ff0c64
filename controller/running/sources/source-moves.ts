// Hands resources over between sources, without delete and create.
import { basename } from 'node:path'
import type { SerialQueues } from '../../../platform/async/serial-queue.ts'
import type { Owned, OwnedResources } from '../../planning/ownership.ts'
import type { DesiredResource, DesiredState } from '../../reading/desired-state.ts'
import { idOf } from '../../reading/graph.ts'
import type { Dirty } from '../../watching/dirty-resources.ts'
import type { Wakes } from '../../watching/wake-queue.ts'
import type { Inventory } from '../inventory.ts'
import type { Sources } from './sources.ts'
import type { SourceState } from './source-state.ts'

interface Move {
  owned: Owned
  to: string
}

interface Parts {
  sources: Sources
  inventory: Inventory
  wakes: Wakes
  dirty: Dirty
  changing: SerialQueues
}

export class Moves {
  readonly #parts: Parts
  /** Last state of a source for which owners were woken. */
  readonly #woken = new Map<string, DesiredState>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Resources that may move: owned, no longer declared here, while other sources exist. */
  vanishing(source: SourceState, state: DesiredState): Owned[] {
    if (!state.complete || this.#others(source).length === 0) return []
    const declared = new Set(state.resources.map(idOf))
    return this.#parts.inventory.ofSource(source.name).filter((owned) => !declared.has(idOf(owned)))
  }

  /**
   * Resources moving to a source that declares them (even with errors: then they wait unchanged), and those arriving
   * from sources that no longer do. If both declare one, it does not move.
   */
  between(source: SourceState, state: DesiredState): Move[] {
    const others = this.#others(source)
    if (others.length === 0) return []
    const declared = declarations()
    const leaving = this.vanishing(source, state).flatMap((owned): Move[] => {
      const heir =
        others.find(({ read }) => read && declared(read, idOf(owned))) ??
        others.find(({ read }) => read && isFaultyIn(read, owned))
      return heir ? [{ owned, to: heir.name }] : []
    })
    const coming = state.resources.flatMap(({ kind, name }): Move[] => {
      const owned = this.#parts.inventory.get(kind, name)
      if (!owned || owned.source === source.name) return []
      const former = this.#parts.sources.find(owned.source)?.read
      return former?.complete && !declared(former, idOf(owned)) ? [{ owned, to: source.name }] : []
    })
    return [...leaving, ...coming]
  }

  async settle(source: SourceState, state: DesiredState): Promise<void> {
    await this.handOver(this.between(source, state))
    this.#wakeOwners(source, state)
  }

  /** This state may resolve errors of other sources. Once per state. */
  #wakeOwners(source: SourceState, state: DesiredState): void {
    if (this.#woken.get(source.name) === state) return
    this.#woken.set(source.name, state)
    const { inventory, wakes } = this.#parts
    const faulty = this.#others(source).filter(({ read }) => read && !read.complete)
    if (faulty.length === 0) return
    const owners = new Set(state.resources.map(({ kind, name }) => inventory.get(kind, name)?.source))
    for (const { name } of faulty) if (owners.has(name)) wakes.wakeSource(name)
  }

  /** Skips resources whose owner changed meanwhile. */
  async handOver(moves: readonly Move[]): Promise<void> {
    if (moves.length === 0) return
    const { inventory, changing, wakes, dirty } = this.#parts
    await changing.runAll(
      moves.map(({ owned }) => idOf(owned)),
      async () => {
        const still = moves.filter(({ owned }) => inventory.find(idOf(owned))?.source === owned.source)
        await inventory.put(still.map(({ owned, to }) => ({ ...inventory.find(idOf(owned))!, source: to })))
      },
    )
    for (const { owned } of moves) dirty.markMoved(idOf(owned))
    for (const name of new Set(moves.flatMap(({ owned, to }) => [owned.source, to]))) wakes.wakeSource(name)
  }

  foresee(source: SourceState, state: DesiredState): OwnedResources {
    const moves = this.between(source, state)
    return moves.length === 0 ? this.#parts.inventory : withMoves(this.#parts.inventory, moves)
  }

  #others(source: SourceState): SourceState[] {
    return this.#parts.sources.all().filter((other) => other !== source && (other.reader || other.read))
  }
}

function withMoves(inventory: OwnedResources, moves: readonly Move[]): OwnedResources {
  const moved = new Map(moves.map(({ owned, to }) => [idOf(owned), { ...owned, source: to }]))
  const find = (id: string) => moved.get(id) ?? inventory.find(id)
  return {
    get: (kind, name) => find(`${kind}/${name}`),
    find,
    byLiveId: (kind, liveId) => {
      const owned = inventory.byLiveId(kind, liveId)
      return owned && find(idOf(owned))
    },
    ofSource: (source) => {
      const come = [...moved.values()].filter((owned) => owned.source === source)
      return [...inventory.ofSource(source).filter((owned) => !moved.has(idOf(owned))), ...come]
    },
  }
}

/** Finds a resource of a state by kind/name; indexes the state on first use. */
export function declarations(): (state: DesiredState, id: string) => DesiredResource | undefined {
  const indexes = new Map<DesiredState, ReadonlyMap<string, DesiredResource>>()
  return (state, id) => {
    if (!indexes.has(state)) indexes.set(state, new Map(state.resources.map((each) => [idOf(each), each])))
    return indexes.get(state)!.get(id)
  }
}

/** True if the manifest was rejected. For invalid YAML, the file name decides. */
function isFaultyIn({ diagnostics }: DesiredState, { kind, name }: Owned): boolean {
  return diagnostics.some(
    (fault) =>
      fault.severity === 'error' &&
      fault.kind === kind &&
      (fault.name ?? basename(fault.file).replace(/\.ya?ml$/i, '')) === name,
  )
}
