import type { SerialQueues } from '../../../platform/async/serial-queue.ts'
import { conflict, invalid } from '../../../platform/core/problem.ts'
import { idOf } from '../../reading/graph.ts'
import type { Dirty } from '../../watching/dirty-resources.ts'
import type { DesiredStates } from './desired-states.ts'
import type { Inventory } from '../inventory.ts'
import type { Moves } from './source-moves.ts'
import type { Sources } from './sources.ts'
import type { Clones } from './clone-cleanup.ts'
import { refuseUnreadable, type SourceState } from './source-state.ts'

interface Parts {
  sources: Sources
  inventory: Inventory
  desired: DesiredStates
  moves: Moves
  dirty: Dirty
  turns: SerialQueues
  changing: SerialQueues
  clones: Pick<Clones, 'sweep'>
}

/** Leaves resources that `into` does not declare: renaming a source prunes nothing. */
export async function adoptOrphans(
  name: string,
  into: string,
  parts: Parts,
): Promise<{ adopted: string[]; left: string[] }> {
  const { sources, inventory, desired, moves, turns } = parts
  const from = refuseConfigured(sources.get(name))
  const to = sources.get(into)
  if (!to.reader)
    throw invalid(`source ${into} is not watched: name a configured source`, [
      { path: 'into', message: 'is not watched', code: 'invalid-value' },
    ])
  const state = await desired.ofSource(to).catch(refuseUnreadable)
  return turns.run(name, async () => {
    const [declared, owned] = [new Set(state.resources.map(idOf)), inventory.ofSource(name)]
    const taken = owned.filter((each) => declared.has(idOf(each)))
    await moves.handOver(taken.map((each) => ({ owned: each, to: into })))
    const left = inventory.ofSource(name).map(idOf).sort()
    if (left.length === 0) await forget(from, parts)
    return { adopted: taken.map(idOf).sort(), left }
  })
}

export async function releaseOrphans(name: string, parts: Parts): Promise<{ released: string[] }> {
  const { sources, inventory, turns, changing, dirty } = parts
  const from = refuseConfigured(sources.get(name))
  return turns.run(name, async () => {
    const ids = inventory.ofSource(name).map(idOf).sort()
    await changing.runAll(ids, async () => {
      for (const owned of inventory.ofSource(name)) await inventory.remove(owned.kind, owned.name)
    })
    // Another source may declare and adopt one.
    for (const id of ids) dirty.markMoved(id)
    await forget(from, parts)
    return { released: ids }
  })
}

async function forget({ name }: SourceState, { sources, dirty, clones }: Parts): Promise<void> {
  dirty.forget(name)
  await sources.forget(name)
  void clones.sweep()
}

function refuseConfigured(source: SourceState): SourceState {
  if (!source.reader) return source
  throw conflict(
    `source ${source.name} is read from ${source.location}: its manifests define what it owns; remove it from the configuration first`,
  )
}
