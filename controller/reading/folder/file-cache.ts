// The files of a folder as they were last read; only those that have changed are read again.
import { closeSync, openSync, readSync } from 'node:fs'
import type { Pieces } from '../../../platform/async/time-slices.ts'
import type { Assembler } from '../assemble.ts'
import { TOO_LARGE } from '../yaml/text-decoding.ts'
import { brokenFile, type ManifestFile } from '../document.ts'
import type { KnownKinds } from '../kind-words.ts'
import { takeFile } from '../manifest.ts'
import { contentDigest } from '../revision.ts'
import { reason, type Scan } from './scan.ts'
import { sameFile, type SeenFile } from './seen-file.ts'
import type { SourceRules } from '../rules/source-file.ts'
import { FolderKinds } from '../folder-kinds.ts'
import { MOST_BYTES } from '../yaml/parse.ts'

interface Entry {
  seen: SeenFile
  digest: string
  read: ManifestFile | SourceRules
}

export class FileCache {
  readonly root: string
  /** Some file could not be read; its next look may be better though nothing about it has changed. */
  hasUnreadable = false
  readonly #assembler: Assembler
  readonly #known: KnownKinds
  readonly #folders: FolderKinds
  /** One more byte than a manifest may have, to notice that it has. */
  readonly #buffer = Buffer.allocUnsafe(MOST_BYTES + 1)
  #entries = new Map<string, Entry>()

  constructor(root: string, assembler: Assembler, known: KnownKinds) {
    this.root = root
    this.#assembler = assembler
    this.#known = known
    this.#folders = new FolderKinds(root, known)
  }

  get files(): ManifestFile[] {
    return [...this.#entries.values()].flatMap(({ read }) => ('sync' in read ? [] : [read]))
  }

  /** Null where there is no `svc.yaml`. */
  get rules(): SourceRules | null {
    for (const { read } of this.#entries.values()) if ('sync' in read) return read
    return null
  }

  get digests(): { path: string; digest: string }[] {
    return [...this.#entries].map(([path, { digest }]) => ({ path, digest }))
  }

  /**
   * Reads what has changed since the last time, in pieces. False when a file vanished, so that the folder must be
   * looked at again.
   */
  *update(scan: Scan): Pieces<boolean> {
    const entries = new Map<string, Entry>()
    this.hasUnreadable = false
    for (const seen of scan.files) {
      yield
      const known = this.#entries.get(seen.path)
      const entry = known && sameFile(known.seen, seen) ? known : yield* this.#read(seen)
      if (!entry) return false
      // The older look at an unchanged file is let go.
      entry.seen = entry.seen.ino === seen.ino ? seen : entry.seen
      entries.set(seen.path, entry)
    }
    this.#entries = entries
    return true
  }

  *#read(seen: SeenFile): Pieces<Entry | null> {
    const { path } = seen
    if (seen.fault) return this.#broken(seen, seen.fault)
    if (seen.size > MOST_BYTES) return this.#broken(seen, TOO_LARGE)
    try {
      const content = this.#bytes(`${this.root}/${path}`, seen.size)
      return {
        seen,
        digest: contentDigest(content),
        read: yield* takeFile({
          path,
          content,
          assembler: this.#assembler,
          folders: this.#folders,
          known: this.#known,
        }),
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return null
      if (code === undefined) throw error
      this.hasUnreadable = true
      return this.#broken(
        { ...seen, ino: -1 },
        {
          code: 'file-unreadable',
          message: `the file cannot be read: ${reason(error as NodeJS.ErrnoException)}`,
          hint: 'let the user svc runs as read it, or remove it',
        },
      )
    }
  }

  #broken(seen: SeenFile, fault: typeof TOO_LARGE): Entry {
    return {
      seen,
      digest: contentDigest(fault.message),
      read: brokenFile(seen.path, this.#folders.kindOf(seen.path), fault),
    }
  }

  /**
   * At most one byte more than is taken, however much the file has grown since it was looked at. Valid until the
   * next call.
   */
  #bytes(path: string, size: number): Uint8Array {
    const file = openSync(path, 'r')
    try {
      let length = readSync(file, this.#buffer, 0, this.#buffer.length, null)
      // As long as it was when it was looked at: its end needs no second question.
      for (let more = length === size ? 0 : 1; more > 0 && length < this.#buffer.length; length += more)
        more = readSync(file, this.#buffer, length, this.#buffer.length - length, null)
      return this.#buffer.subarray(0, length)
    } finally {
      closeSync(file)
    }
  }
}
