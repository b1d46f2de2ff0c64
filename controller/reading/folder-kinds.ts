// Which kind a file's folder stands for.
import type { KnownKinds } from './desired-state.ts'
import { basename, dirname, resolve } from 'node:path'
import type { KindDefinition } from '../../schemas/kind.ts'
import { gitTop } from './folder/git-worktree.ts'
import { findKind } from '../../schemas/kinds.ts'

/** The nearest folder above a file that is named as a kind, at most up to the top of the git working tree. */
export class FolderKinds {
  readonly #root: string
  readonly #kinds: readonly KindDefinition<any>[]
  readonly #top: string
  readonly #known = new Map<string, KindDefinition<any> | null>()

  /** `top`: above it no folder stands for a kind; default the top of the git working tree, or what holds the root. */
  constructor(root: string, known: KnownKinds, top = gitTop(root) ?? dirname(root)) {
    this.#root = root
    this.#kinds = known.kinds
    this.#top = top
  }

  /** `file` is relative to the root. */
  kindOf(file: string): KindDefinition<any> | null {
    const folder = dirname(file)
    let kind = this.#known.get(folder)
    if (kind === undefined) this.#known.set(folder, (kind = this.#find(resolve(this.#root, folder))?.kind ?? null))
    return kind
  }

  /** The folder that the kinds' folders stand in: the root, or what holds it when it is one of them itself. */
  get tree(): string {
    const found = this.#find(this.#root)
    return found ? dirname(found.folder) : this.#root
  }

  #find(folder: string): { folder: string; kind: KindDefinition<any> } | null {
    for (let at = folder; at !== this.#top && dirname(at) !== at; at = dirname(at)) {
      const kind = findKind(basename(at), this.#kinds)
      if (kind) return { folder: at, kind }
    }
    return null
  }
}
