import type { KnownKinds } from './desired-state.ts'
import { basename, dirname, resolve } from 'node:path'
import type { KindDefinition } from '../../schemas/kind.ts'
import { gitTop } from './folder/git-worktree.ts'
import { findKind } from '../../schemas/kinds.ts'

/** The kind of a file is that of its nearest parent folder named after a kind. */
export class FolderKinds {
  readonly #root: string
  readonly #kinds: readonly KindDefinition<any>[]
  readonly #top: string
  readonly #known = new Map<string, KindDefinition<any> | null>()

  /** The search stops at `top`; default the git working tree, else the root's parent. */
  constructor(root: string, known: KnownKinds, top = gitTop(root) ?? dirname(root)) {
    this.#root = root
    this.#kinds = known.kinds
    this.#top = top
  }

  kindOf(file: string): KindDefinition<any> | null {
    const folder = dirname(file)
    let kind = this.#known.get(folder)
    if (kind === undefined) this.#known.set(folder, (kind = this.#find(resolve(this.#root, folder))?.kind ?? null))
    return kind
  }

  /** The root, or its parent if the root is a kind folder. */
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
