// Summaries of a directory's chunks, by the text that they are of: the same text keeps its own through every indexing. A file of
// lines that only grows, and is written anew when most of it is of no chunk any more.
import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from '../text/hash.ts'

type Entry = readonly [hash: string, summary: string]

export class SummaryBook {
  readonly #path: string
  readonly #folder: string
  readonly #head: string
  readonly #known = new Map<string, string>()
  /** The file that was read, and how far. */
  #inode = -1
  #read = 0
  /** It can be added to: it is of our model, and no crash has cut its end. */
  #isWhole = false

  /** Of one model: what another has said is not kept. */
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

  /** Takes up what was written since. */
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

  /** One writer a directory. */
  add(entries: readonly Entry[]): void {
    this.refresh()
    if (!this.#isWhole) this.#write([...this.#known])
    appendFileSync(this.#path, linesOf(entries))
    this.refresh()
  }

  /** Leaves out what is of no chunk any more, once it is more than what is. */
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

  /** Whole lines; the last one may still be on its way. */
  #take(bytes: Buffer): void {
    const end = bytes.lastIndexOf(10)
    const lines = bytes
      .subarray(0, end + 1)
      .toString('utf8')
      .split('\n')
    lines.pop()
    // Of another model: not read again before it is another file.
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

/** Null for a line that a crash has cut. */
function entryOf(line: string): Entry | null {
  try {
    const entry: unknown = JSON.parse(line)
    const isOne = Array.isArray(entry) && entry.length === 2 && entry.every((each) => typeof each === 'string')
    return isOne ? (entry as unknown as Entry) : null
  } catch {
    return null
  }
}
