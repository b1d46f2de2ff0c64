// Desired states as the daemon reads them: of a source's folder, or of manifests that were sent.
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { inPieces } from '../../../platform/async/time-slices.ts'
import type { PlanInput } from '../../../schemas/plan.ts'
import type { Composition, ControllerWorld } from '../../parts.ts'
import { definitionsOf } from '../../parts.ts'
import { lastGood, type OwnedResources } from '../../planning/ownership.ts'
import { SourceError, type DesiredState, type ReadContext, type RemoteReading } from '../../reading/desired.ts'
import type { Answered } from '../../reading/environment.ts'
import { isManifest } from '../../reading/folder/listings.ts'
import { idOf, ordering } from '../../reading/graph.ts'
import { readingOf } from '../../reading/manifest.ts'
import { overlayOf } from '../../reading/sent-files.ts'
import { isInside } from '../../reading/text-files.ts'
import { declarations } from './source-moves.ts'
import type { SentManifests } from './sent-manifests.ts'
import { rootOf } from './source-reader.ts'
import { asOnRecord, type Sources } from './sources.ts'
import type { SourceState } from './source-state.ts'

/** A source's folder may be a link. */
function realPath(folder: string): string {
  try {
    return realpathSync(resolve(folder))
  } catch {
    return resolve(folder) // it is not there yet
  }
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}

type Variables = Readonly<Record<string, string | undefined>>

/**
 * What manifests of a source may ask about the world beside them, answered out of the inventory. What the source owns
 * still and another has come to declare (`others`) is moving there: it is asked about as the other's.
 */
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

type Parts = Pick<ControllerWorld, 'config'> &
  Pick<Composition, 'reconcilers'> & {
    inventory: OwnedResources
    sources: Sources
    sent: SentManifests
    signal: AbortSignal
  }

/** A folder that does not come to rest is not waited for by who stops. */
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

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Reads a source that has a reader, and keeps what was read; `anew`: what is elsewhere is asked first whether there
   * is something newer. Throws SourceError; also when the daemon stops.
   */
  async ofSource(source: SourceState, { anew = false } = {}): Promise<DesiredState> {
    const { config, signal } = this.#parts
    const { read, remote } = source.reader!
    if (anew) await this.refresh(source)
    const { hold } = source
    const context = this.#context(source, config.env)
    const held = hold && remote ? await unlessAborted(signal, remote.held(hold, context)) : null
    const state = held ?? (await unlessAborted(signal, read(context)))
    // Somebody went back to another revision meanwhile, or followed it again.
    if (source.hold !== hold) return this.ofSource(source)
    source.read = state
    return state
  }

  /** What is elsewhere is asked whether there is something newer. Throws SourceError where it cannot be asked. */
  async refresh({ reader }: SourceState): Promise<void> {
    if (reader?.remote) await unlessAborted(this.#parts.signal, reader.remote.refresh())
  }

  /** What an earlier revision of a repository asks for, be it in force or not. Throws SourceError. */
  ofRevision(source: SourceState, remote: RemoteReading, revision: string): Promise<DesiredState> {
    const { config, signal } = this.#parts
    return unlessAborted(signal, remote.snapshot(revision, this.#context(source, config.env)))
  }

  /** Of a source that is applied by hand: what it owns as it was sent, with what has changed of all it leans on. */
  async ofSent(source: SourceState): Promise<DesiredState> {
    const { inventory, reconcilers } = this.#parts
    const found = await this.#sent(source)
    const byId = new Map(found.resources.map((resource) => [idOf(resource), resource]))
    const owned = inventory.ofSource(source.name)
    const gone = new Set(owned.filter(({ owed }) => owed === 'delete').map(idOf))
    const kept = owned.filter((each) => !gone.has(idOf(each))).map((each) => byId.get(idOf(each)) ?? lastGood(each))
    const kinds = definitionsOf(reconcilers).map(({ kind }) => kind)
    const { ordered } = await inPieces(ordering(kept, kinds))
    return { ...asOnRecord(source), resources: ordered, gone, sync: found.sync ?? source.declared }
  }

  /** What a source that is applied by hand declares is known again after a restart: as it was sent. */
  async recall(source: SourceState): Promise<void> {
    if (source.reader || source.read || !this.#parts.sent.has(source.name)) return
    const { resources, sync } = await this.#sent(source)
    source.read ??= { ...asOnRecord(source), resources, sync: sync ?? source.declared }
  }

  #sent(source: SourceState): ReturnType<SentManifests['resources']> {
    const make: Parameters<SentManifests['resources']>[2] = (input, told) => this.ofManifests(input, source, told)
    return this.#parts.sent.resources(source.name, this.#context(source, {}), make)
  }

  /** What the manifests of a request ask for. */
  async ofManifests(input: PlanInput, source: SourceState, told?: (answered: Answered) => void): Promise<DesiredState> {
    const { reconcilers, config } = this.#parts
    // For a source that is watched, as if the manifests stood where it is.
    const root = source.reader ? realPath(rootOf(source)) : (input.root ?? source.location)
    const tree = this.#isWatched(root) ? root : null
    const sent = input.manifests ?? []
    // Beside manifests that stand for a folder, a file of another name is what a folder holds beside them.
    const [texts, files] = source.reader ? partition(sent, ({ path }) => !isManifest(path)) : [[], sent]
    const reading = readingOf(files, {
      root,
      tree,
      overlay: {
        ...overlayOf(root, source.reader ? root : null, { ...input, texts: [...texts, ...(input.texts ?? [])] }),
        project: () => source.reader?.remote?.project,
      },
      kinds: definitionsOf(reconcilers),
      home: config.home,
      strict: input.strict,
      ...(told ? { told } : {}),
      context: this.#context(source, { ...config.env, ...input.variables }),
    })
    return inPieces(reading)
  }

  #context(source: SourceState, variables: Variables): ReadContext {
    const others = this.#parts.sources.all().flatMap((other) => (other !== source && other.read ? [other.read] : []))
    return readContext(this.#parts.inventory, source.name, variables, others)
  }

  /**
   * Whoever may ask for a plan sees what is in it: what the daemon could read beside the manifests is read only where
   * a source of its configuration has it read anyway.
   */
  #isWatched(root: string): boolean {
    const real = realPath(root)
    return this.#parts.sources.all().some((source) => {
      const folder = realPath(rootOf(source))
      return source.reader !== null && (real === folder || isInside(real, folder))
    })
  }
}
