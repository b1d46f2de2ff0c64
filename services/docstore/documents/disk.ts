// Whether the disk takes what is written to the folder: what it refused, and whether it would again.
import { lockFile, type FileLock } from '../../../platform/service/file-lock.ts'
import { Problem, unavailable } from '../../../platform/core/problem.ts'
import type { DocumentFolder } from './folder.ts'
import { asUnavailable, mustHaveRoom } from './filesystem.ts'

export class DocumentDisk {
  readonly #folder: DocumentFolder
  /** It refused something since it last took a write. */
  #hasRefused = false

  constructor(folder: DocumentFolder) {
    this.#folder = folder
  }

  /** Runs `work`; what the disk refuses is a 503 that names the folder and the next step. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return asUnavailable(this.#folder.root, work).catch((error: unknown) => {
      this.#hasRefused ||= error instanceof Problem && error.code === 'folder-unavailable'
      throw error
    })
  }

  /** Throws a 503 that says what a write would meet now. */
  async mustBeUsable(): Promise<void> {
    await asUnavailable(this.#folder.root, async () => {
      await this.#folder.check()
      await this.#folder.mustBeOpen()
      await mustHaveRoom(this.#folder.own())
      // What is not seen from outside, as a quota, is tried.
      if (this.#hasRefused) await this.#folder.probe()
    })
    this.#hasRefused = false
  }
}

/** Throws a 503 while another daemon works on the folder. */
export async function lockFolder(folder: DocumentFolder): Promise<FileLock> {
  const lock = (await folder.mayLock()) ? await lockFile(folder.lock()) : null
  if (lock !== null) return lock
  const detail = `another daemon keeps its documents in ${folder.root}: stop it, or name another folder`
  throw unavailable(detail, 'folder-unavailable')
}
