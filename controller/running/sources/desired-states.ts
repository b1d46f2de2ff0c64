import { basename, dirname, join, resolve } from 'node:path'
import { ClosedSet } from '../../../platform/files/closed-set.ts'
import { isWithin } from '../../../platform/files/within.ts'
import { inPieces } from '../../../platform/async/time-slices.ts'
import type { PlanInput } from '../../../schemas/plan.ts'
import type { SandboxSpec } from '../../../schemas/sandbox/sandbox.ts'
import type { ControllerWorld } from '../../parts.ts'
import { lastGood, type OwnedResources } from '../../planning/ownership.ts'
import { SourceError, type DesiredState, type ReadContext, type RemoteReading } from '../../reading/desired-state.ts'
import type { Answered } from '../../reading/environment.ts'
import { isManifest } from '../../reading/folder/folder-listings.ts'
import { idOf, ordering } from '../../reading/graph.ts'
import { readManifestsInPieces, type SentFile } from '../../reading/manifest.ts'
import { overlayOf } from '../../reading/sent-files.ts'
import { realOrNull } from '../../reading/text-files.ts'
import { declarations } from './source-moves.ts'
import type { SentManifests } from './sent-manifests.ts'
import { rootOf } from './source-reader.ts'
import type { Sources } from './sources.ts'
import { asOnRecord, type SourceState } from './source-state.ts'
import type { LiveSystem } from '../../watching/live-system.ts'

/** Resolves links of the part that exists: a checkout may not exist yet. */
function realPath(folder: string): string {
  const path = resolve(folder)
  const above = dirname(path)
  return realOrNull(path) ?? (above === path ? path : join(realPath(above), basename(path)))
}

type Variables = Readonly<Record<string, string | undefined>>

/** Answers lookups from the inventory. A resource of the source that one of `others` declares is moving there. */
export function readContext(
  inventory: OwnedResources,
  source: string,
  variables: Variables,
  others: readonly DesiredState[] = [],
): ReadContext {
  const declared = declarations()
  const elsewhere = (kind: string, name: string): { spec: unknown } | undefined => {
    const owned = inventory.get(kind, name)
    if (!owned || owned.source !== source) return owned && { spec: owned.desired }
    return others.map((other) => declared(other, idOf(owned))).find((found) => found !== undefined)
  }
  return {
    exists: (kind, name) => elsewhere(kind, name) !== undefined,
    resolve: (kind, name) => elsewhere(kind, name)?.spec,
    variable: (name) => variables[name],
  }
}

interface Parts {
  config: ControllerWorld['config']
  live: LiveSystem
  inventory: OwnedResources
  sources: Sources
  sent: SentManifests
  defaultSandbox: SandboxSpec
}

/** Stopping does not wait for a folder to settle. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = () => {}
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new SourceError('the daemon is stopping'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  return Promise.race([work, stopped]).finally(() => signal.removeEventListener('abort', stop))
}

export class DesiredStates {
  readonly #parts: Parts
  /** By source: its revision, and the sources refreshed since that was read. */
  readonly #refreshed = new Map<string, { revision: string; others: Map<SourceState, Promise<void>> }>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Only for sources with a reader. `fresh` fetches first. Throws SourceError, also when the daemon stops. */
  async ofSource(source: SourceState, { fresh = false } = {}): Promise<DesiredState> {
    const { signal } = this.#parts.live
    const { reader, hold } = source
    if (fresh) await this.refresh(source)
    const context = this.#context(source)
    const held = hold && reader?.remote ? await unlessAborted(signal, reader.remote.readHeld(hold, context)) : null
    const state = held ?? (await unlessAborted(signal, reader!.read(context)))
    if (source.hold !== hold) return this.ofSource(source)
    source.read = state
    return state
  }

  /** Throws SourceError if a remote is unreachable. */
  async refresh({ reader }: SourceState): Promise<void> {
    if (reader?.remote) await unlessAborted(this.#parts.live.signal, reader.remote.refresh())
  }

  /** Refreshes `other` once per revision of `source`. On failure, the last state of `other` is kept. */
  refreshAfter(source: SourceState, { revision }: DesiredState, other: SourceState): Promise<void> {
    let since = this.#refreshed.get(source.name)
    if (since?.revision !== revision) this.#refreshed.set(source.name, (since = { revision, others: new Map() }))
    const known = since.others.get(other)
    if (known) return known
    const refreshed = this.refresh(other).catch(() => undefined)
    since.others.set(other, refreshed)
    return refreshed
  }

  ofRevision(source: SourceState, remote: RemoteReading, revision: string): Promise<DesiredState> {
    return unlessAborted(this.#parts.live.signal, remote.readRevision(revision, this.#context(source)))
  }

  /** Owned resources of an `apply:` source as sent, recomputed from changed inputs. */
  async ofSent(source: SourceState): Promise<DesiredState> {
    const { inventory, live } = this.#parts
    const found = await this.#sent(source)
    const byId = new Map(found.resources.map((resource) => [idOf(resource), resource]))
    const owned = inventory.ofSource(source.name)
    const gone = new Set(owned.filter(({ owed }) => owed === 'delete').map(idOf))
    const kept = owned.filter((each) => !gone.has(idOf(each))).map((each) => byId.get(idOf(each)) ?? lastGood(each))
    const kinds = live.definitions.map(({ kind }) => kind)
    const { ordered } = await inPieces(ordering(kept, kinds))
    return { ...asOnRecord(source), resources: ordered, gone, sync: found.sync ?? source.declared }
  }

  /** After a restart, restores the state of an `apply:` source. */
  async recall(source: SourceState): Promise<void> {
    if (source.reader || source.read || !this.#parts.sent.has(source.name)) return
    const { resources, sync } = await this.#sent(source)
    source.read ??= { ...asOnRecord(source), resources, sync: sync ?? source.declared }
  }

  #sent(source: SourceState): ReturnType<SentManifests['resources']> {
    return this.#parts.sent.resources(source.name, this.#context(source, {}), (input, onAnswer) =>
      this.ofManifests(input, source, onAnswer),
    )
  }

  async ofManifests(
    input: PlanInput,
    source: SourceState,
    onAnswer?: (answered: Answered) => void,
  ): Promise<DesiredState> {
    const { live, config } = this.#parts
    // Treats manifests of a watched source as files of its folder.
    const root = source.reader ? realPath(rootOf(source)) : (input.root ?? source.location)
    const project = source.reader?.remote?.project
    const sent = input.manifests ?? []
    // Files of other types are texts of that folder.
    const isBeside = ({ path }: SentFile) => source.reader !== null && !isManifest(path)
    const [texts, files] = [sent.filter(isBeside), sent.filter((file) => !isBeside(file))]
    const reading = readManifestsInPieces(files, {
      root,
      // Plans are visible to callers, and a caller must not choose files that the daemon reads.
      tree: null,
      overlay: {
        ...overlayOf(root, source.reader ? root : null, { ...input, texts: [...texts, ...(input.texts ?? [])] }),
        project: () => project,
        worktreeBase: (path) => (project !== undefined && isWithin(path, project) ? 'checkout' : undefined),
      },
      kinds: live.definitions,
      home: config.home,
      strict: input.strict,
      onAnswer,
      context: this.#context(source, { ...config.env, ...input.variables }),
    })
    return inPieces(reading)
  }

  #context(source: SourceState, variables: Variables = this.#parts.config.env): ReadContext {
    const others = this.#parts.sources.all().flatMap((other) => (other !== source && other.read ? [other.read] : []))
    const closed = new ClosedSet(this.#parts.config)
    return {
      ...readContext(this.#parts.inventory, source.name, variables, others),
      defaultSandbox: this.#parts.defaultSandbox,
      closing: (path) => closed.closing(realPath(path))?.path ?? null,
    }
  }
}
