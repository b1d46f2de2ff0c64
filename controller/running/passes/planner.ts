import { randomUUID } from 'node:crypto'
import { timestamp, type Clock } from '../../../platform/core/clock.ts'
import { inPieces } from '../../../platform/async/time-slices.ts'
import type { Vault } from '../../../platform/secrets/vault.ts'
import type { OpenIntents } from '../../planning/intents.ts'
import {
  makePreview,
  wideningFiles,
  type PassOptions,
  type Preview,
  type PreviewInput,
} from '../../planning/preview.ts'
import type { DesiredState, RemoteReading } from '../../reading/desired-state.ts'
import type { LiveSystem } from '../../watching/live-system.ts'
import { observeFor } from '../../watching/observation.ts'
import type { FileWriters } from '../sources/file-writers.ts'
import type { Moves } from '../sources/source-moves.ts'
import { maskPlan } from './plan-masking.ts'
import { rootOf } from '../sources/source-reader.ts'
import type { Sources } from '../sources/sources.ts'
import { outerSync, type SourceState } from '../sources/source-state.ts'

interface Parts {
  sources: Sources
  live: LiveSystem
  moves: Moves
  intents: OpenIntents
  vault: Vault
  clock: Clock
  writers: FileWriters
}

/** Changes nothing. */
export type Planner = (source: SourceState, state: DesiredState, options: PassOptions) => Promise<Preview>

export function createPlanner({ sources, live, moves, intents, vault, clock, writers }: Parts): Planner {
  return async (source, state, options) => {
    const inventory = moves.foresee(source, state)
    const input = {
      id: randomUUID(),
      createdAt: timestamp(clock),
      source: { name: source.name, root: rootOf(source), sync: outerSync(source) },
      state,
      inventory,
      intents,
      live: await observeFor(state, options.only, { live, inventory, intents }),
      reconcilers: live.reconcilers,
      vault,
      options,
    }
    const unheld = await inPieces(makePreview(input))
    const suspects = await suspectsOf(unheld, input, { remote: source.reader?.remote, writers })
    const preview = suspects.size === 0 ? unheld : await inPieces(makePreview({ ...input, suspects }))
    const read = [state, ...sources.all().flatMap((each) => each.read ?? [])]
    const specs = read.flatMap(({ resources }) => resources.map(({ spec }) => spec))
    return { ...preview, plan: await inPieces(maskPlan(preview.plan, specs)) }
  }
}

/** Why widened resources are held, by kind/name. */
async function suspectsOf(
  preview: Preview,
  input: PreviewInput,
  { remote, writers }: { remote: RemoteReading | undefined; writers: FileWriters },
): Promise<ReadonlyMap<string, string>> {
  const widening = wideningFiles(preview, input)
  if (widening.size === 0) return new Map()
  if (remote) {
    const { revision } = input.state
    const fault = await remote.unsigned(revision)
    return new Map(fault === null ? [] : [...widening.keys()].map((id) => [id, `commit ${revision}: ${fault}`]))
  }
  const by = await writers.of(input.source.root, [...widening.values()].flat())
  const named = [...widening].map(
    ([id, files]) => [id, [...new Set(files.flatMap((file) => by.get(file) ?? []))]] as const,
  )
  return new Map(named.filter(([, agents]) => agents.length > 0).map(([id, agents]) => [id, writtenBy(agents)]))
}

const writtenBy = (agents: readonly string[]): string => `its manifest could have been written by ${agents.join(', ')}`
