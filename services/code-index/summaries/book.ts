// Summaries by text hash, so that unchanged chunks keep theirs. An append-only file, rewritten when most entries are
// unused.
import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from '../text/hash.ts'

type Entry = readonly [hash: string, summary: string]

export class SummaryBook {
  readonly #path: string
  readonly #folder: string
  readonly #head: string
  readonly #known = new Map<string, string>()
  #inode = -1
  #read = 0
  /** False after a crash cut the last line, or for a file of another model: rewrite before appending. */
  #isWhole = false

  /** Ignores summaries of other models. */
  constructor(folder: string, root: string, model: string) {
    this.#folder = folder
    this.#path = join(folder, `${hashOf(root)}.jsonl`)
    this.#head = JSON.stringify({ model })
    this.refresh()
  }

  get(hash: string): string | null {
    return this.#known.get(hash) ?? null
  }

  has(hash: string): boolean {
    return this.#known.has(hash)
  }

  get size(): number {
    return this.#known.size
  }

  /** Reads entries appended since the last read. */
  refresh(): void {
    let file: number
    try {
      file = openSync(this.#path, 'r')
    } catch {
      return this.#forget(-1)
    }
    try {
      const { ino, size } = fstatSync(file)
      if (ino !== this.#inode || size < this.#read) this.#forget(ino)
      if (size === this.#read) return
      this.#isWhole = false
      const bytes = Buffer.alloc(size - this.#read)
      const length = readSync(file, bytes, 0, bytes.length, this.#read)
      this.#take(bytes.subarray(0, length))
    } finally {
      closeSync(file)
    }
  }

  /** Only one writer per directory. */
  add(entries: readonly Entry[]): void {
    this.refresh()
    if (!this.#isWhole) this.#write([...this.#known])
    appendFileSync(this.#path, linesOf(entries))
    this.refresh()
  }

  /** Removes unused entries once they outnumber the others. */
  tidy(hashes: ReadonlySet<string>): void {
    const kept = [...this.#known].filter(([hash]) => hashes.has(hash))
    if (this.#known.size > 2 * kept.length) this.#write(kept)
  }

  #forget(inode: number): void {
    this.#known.clear()
    this.#inode = inode
    this.#read = 0
    this.#isWhole = false
  }

  /** Reads complete lines; the last one may still be incomplete. */
  #take(bytes: Buffer): void {
    const end = bytes.lastIndexOf(10)
    const lines = bytes
      .subarray(0, end + 1)
      .toString('utf8')
      .split('\n')
    lines.pop()
    // A file of another model is skipped until it is replaced.
    if (this.#read === 0 && lines.shift() !== this.#head) return void (this.#read = bytes.length)
    this.#read += end + 1
    this.#isWhole = end + 1 === bytes.length
    for (const line of lines) {
      const entry = entryOf(line)
      if (entry) this.#known.set(entry[0], entry[1])
    }
  }

  #write(entries: readonly Entry[]): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    writeFileSync(`${this.#path}.new`, `${this.#head}\n${linesOf(entries)}`, { mode: 0o600, flush: true })
    renameSync(`${this.#path}.new`, this.#path)
    this.refresh()
  }
}

const linesOf = (entries: readonly Entry[]): string => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')

/** Null for an incomplete line. */
function entryOf(line: string): Entry | null {
  try {
    const entry: unknown = JSON.parse(line)
    const isOne = Array.isArray(entry) && entry.length === 2 && entry.every((each) => typeof each === 'string')
    return isOne ? (entry as unknown as Entry) : null
  } catch {
    return null
  }
}
