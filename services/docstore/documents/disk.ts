import { lockFile, type FileLock } from '../../../platform/service/file-lock.ts'
import { Problem, unavailable } from '../../../platform/core/problem.ts'
import type { DocumentFolder } from './folder.ts'
import { asUnavailable, mustHaveRoom } from './filesystem.ts'

export class DocumentDisk {
  readonly #folder: DocumentFolder
  /** True after a refused write, until a check succeeds. */
  #hasRefused = false

  constructor(folder: DocumentFolder) {
    this.#folder = folder
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return asUnavailable(this.#folder.root, work).catch((error: unknown) => {
      this.#hasRefused ||= error instanceof Problem && error.code === 'folder-unavailable'
      throw error
    })
  }

  /** Throws the 503 that a write would get now. */
  async mustBeUsable(): Promise<void> {
    await asUnavailable(this.#folder.root, async () => {
      await this.#folder.check()
      await this.#folder.mustBeOpen()
      await mustHaveRoom(this.#folder.own())
      // Only a write detects an exceeded quota.
      if (this.#hasRefused) await this.#folder.probe()
    })
    this.#hasRefused = false
  }
}

/** Throws 503 if another daemon uses the folder. */
export async function lockFolder(folder: DocumentFolder): Promise<FileLock> {
  const lock = (await folder.mayLock()) ? await lockFile(folder.lock()) : null
  if (lock !== null) return lock
  const detail = `another daemon uses the document folder ${folder.root}: stop it, or use another folder`
  throw unavailable(detail, 'folder-unavailable')
}
