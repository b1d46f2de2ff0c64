import { closeSync, openSync, readSync } from 'node:fs'
import type { Pieces } from '../../../platform/async/time-slices.ts'
import type { Assembler } from '../assembler.ts'
import { isHidden, type ClosedSet } from '../../../platform/files/closed-set.ts'
import { isWithin } from '../../../platform/files/within.ts'
import { presentPath } from '../../../platform/files/open-file.ts'
import { TOO_LARGE, type FileFault } from '../yaml/text-decoding.ts'
import { brokenFile, type ManifestFile } from '../document.ts'
import { takeFile } from '../manifest.ts'
import { contentDigest } from '../revision.ts'
import { describeError, type FolderScan } from './folder-scan.ts'
import { isSameFile, type FileFingerprint } from './file-fingerprint.ts'
import type { SourceRules } from '../rules/source-file.ts'
import { FolderKinds } from '../folder-kinds.ts'
import { MOST_BYTES } from '../yaml/parse.ts'

interface Entry {
  file: FileFingerprint
  digest: string
  read: ManifestFile | SourceRules
}

export class FileCache {
  readonly root: string
  /** A file could not be read; access can change without a new fingerprint. */
  hasUnreadable = false
  readonly #assembler: Assembler
  readonly #folders: FolderKinds
  /** The extra byte detects files above the limit. */
  readonly #buffer = Buffer.allocUnsafe(MOST_BYTES + 1)
  readonly #closed: ClosedSet | undefined
  #hidden: readonly string[] = []
  #entries = new Map<string, Entry>()

  constructor(root: string, assembler: Assembler, closed?: ClosedSet) {
    this.root = root
    this.#assembler = assembler
    this.#closed = closed
    this.#folders = new FolderKinds(root, assembler.known)
  }

  get files(): ManifestFile[] {
    return [...this.#entries.values()].flatMap(({ read }) => ('sync' in read ? [] : [read]))
  }

  /** Null if there is no `svc.yaml`. */
  get rules(): SourceRules | null {
    for (const { read } of this.#entries.values()) if ('sync' in read) return read
    return null
  }

  get digests(): { path: string; digest: string }[] {
    return [...this.#entries].map(([path, { digest }]) => ({ path, digest }))
  }

  /** Reads changed files. False if a file was removed: scan again. */
  *update(scan: FolderScan): Pieces<boolean> {
    const entries = new Map<string, Entry>()
    this.hasUnreadable = false
    this.#hidden = this.#closed?.hiddenIn(this.root) ?? []
    for (const file of scan.files) {
      yield
      const known = this.#entries.get(file.path)
      const entry = known && isSameFile(known.file, file) ? known : yield* this.#read(file)
      if (!entry) return false
      // Keeps one fingerprint object per file. A failed read keeps inode -1, which forces a retry.
      entry.file = entry.file.ino === file.ino ? file : entry.file
      entries.set(file.path, entry)
    }
    this.#entries = entries
    return true
  }

  *#read(file: FileFingerprint): Pieces<Entry | null> {
    const { path } = file
    if (file.fault) return this.#broken(file, file.fault)
    if (file.size > MOST_BYTES) return this.#broken(file, TOO_LARGE)
    try {
      const content = this.#bytes(`${this.root}/${path}`, file.size)
      if (content === null) return this.#broken(file, CLOSED)
      return {
        file,
        digest: contentDigest(content),
        read: yield* takeFile({ path, content, assembler: this.#assembler, folders: this.#folders }),
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return null
      if (code === undefined) throw error
      this.hasUnreadable = true
      return this.#broken(
        { ...file, ino: -1 },
        {
          code: 'file-unreadable',
          message: `the file cannot be read: ${describeError(error as NodeJS.ErrnoException)}`,
          hint: 'give the user that runs svc read permission, or remove the file',
        },
      )
    }
  }

  #broken(file: FileFingerprint, fault: FileFault): Entry {
    return {
      file,
      digest: contentDigest(fault.message),
      read: brokenFile(file.path, this.#folders.kindOf(file.path), fault),
    }
  }

  /** Null for a closed file. The result is valid until the next call. Reads at most one byte above the limit. */
  #bytes(path: string, size: number): Uint8Array | null {
    const file = openSync(path, 'r')
    try {
      if (this.#closed !== undefined && this.#isClosed(presentPath(file, path), this.#closed)) return null
      let length = readSync(file, this.#buffer, 0, this.#buffer.length, null)
      for (let more = length === size ? 0 : 1; more > 0 && length < this.#buffer.length; length += more)
        more = readSync(file, this.#buffer, length, this.#buffer.length - length, null)
      return this.#buffer.subarray(0, length)
    } finally {
      closeSync(file)
    }
  }

  #isClosed(real: string, closed: ClosedSet): boolean {
    return isWithin(real, this.root) ? isHidden(real, this.#hidden) : closed.closing(real) !== null
  }
}

const CLOSED: FileFault = {
  code: 'path-closed',
  message: 'the file holds credentials or belongs to the daemon, and is not read as a manifest',
  hint: 'remove the file or the link to it; docs/security.md lists the closed paths',
}
