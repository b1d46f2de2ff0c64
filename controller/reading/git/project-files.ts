// The files of the commit in force, where manifests name folders of the repository and agents work in them.
import { checkOut } from '../../../platform/git/checkout.ts'
import type { Mirror } from '../../../platform/git/mirror.ts'
import { indexIn, projectIn } from './clone-paths.ts'
import type { Snapshots } from './snapshots.ts'

interface Parts {
  /** Absolute; holds all that is kept of the repository. */
  folder: string
  mirror: Mirror
  snapshots: Pick<Snapshots, 'needsFiles'>
}

export class ProjectFiles {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Before anything is changed for those who work there. Returns why the files stay as they were; null: they do not. */
  async bring(commit: string): Promise<string | null> {
    const { folder, mirror, snapshots } = this.#parts
    if (!snapshots.needsFiles(commit)) return null
    const project = projectIn(folder)
    const where = { mirror, folder: project, index: indexIn(folder) }
    const why = await checkOut(where, commit).catch((error: Error) => error.message)
    return why && `${project} stays at an earlier commit than ${commit}: ${why}`
  }
}
