// Desired states as the daemon reads them: of a source's folder, or of manifests that were sent.
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { inPieces } from '../../platform/async/pieces.ts'
import type { PlanInput } from '../../schemas/plan.ts'
import type { Composition, ControllerWorld } from '../parts.ts'
import { definitionsOf } from '../parts.ts'
import type { OwnedResources } from '../planning/owned.ts'
import type { DesiredState, ReadContext } from '../reading/desired.ts'
import { isManifest } from '../reading/folder/scan.ts'
import { readingOf } from '../reading/manifest.ts'
import { overlayOf } from '../reading/sent-files.ts'
import type { SourceState } from './sources.ts'

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

/** What manifests of a source may ask about the world beside them, answered out of the inventory. */
export function readContext(inventory: OwnedResources, source: string, variables: Variables): ReadContext {
  const elsewhere = (kind: string, name: string) => {
    const owned = inventory.get(kind, name)
    return owned && owned.source !== source ? owned : undefined
  }
  return {
    exists: (kind, name) => elsewhere(kind, name) !== undefined,
    resolve: (kind, name) => elsewhere(kind, name)?.desired,
    variable: (name) => variables[name],
  }
}

type Parts = Pick<ControllerWorld, 'config'> &
  Pick<Composition, 'reconcilers' | 'kindsToCome'> & { inventory: OwnedResources }

export class DesiredStates {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Reads a source that has a reader. Throws SourceError. */
  async ofSource(source: SourceState): Promise<DesiredState> {
    return source.reader!.read(readContext(this.#parts.inventory, source.name, this.#parts.config.env))
  }

  /** What the manifests of a request ask for. */
  async ofManifests(input: PlanInput, source: SourceState): Promise<DesiredState> {
    const { inventory, reconcilers, kindsToCome, config } = this.#parts
    // For a source that is watched, as if the manifests stood where it is.
    const root = source.reader ? realPath(source.location) : (input.root ?? source.location)
    const sent = input.manifests ?? []
    // Beside manifests that stand for a folder, a file of another name is what a folder holds beside them.
    const [texts, files] = source.reader ? partition(sent, ({ path }) => !isManifest(path)) : [[], sent]
    const reading = readingOf(files, {
      root,
      overlay: overlayOf(root, { ...input, texts: [...texts, ...(input.texts ?? [])] }),
      kinds: definitionsOf(reconcilers),
      kindsToCome,
      home: config.home,
      strict: input.strict,
      context: readContext(inventory, source.name, { ...config.env, ...input.variables }),
    })
    return inPieces(reading)
  }
}
