const [NUL, NEWLINE] = [0, 10]

export interface OutputRecord {
  name: string
  /** Without its newline, and at most as long as asked. */
  text: Buffer
}

/** Splits output of `grep -Z`: names end with NUL and may contain newlines, texts end with a newline. */
export class OutputRecords {
  readonly #most: number
  #rest: Buffer = Buffer.alloc(0)
  #name: string | null = null

  /** `most`: bytes kept of a text. */
  constructor(most: number) {
    this.#most = most
  }

  read(bytes: Buffer, found: (record: OutputRecord) => void): void {
    for (let from = 0; from < bytes.length;) {
      const end = bytes.indexOf(this.#name === null ? NUL : NEWLINE, from)
      this.#keep(bytes.subarray(from, end < 0 ? bytes.length : end))
      if (end < 0) return
      from = end + 1
      const [name, part] = [this.#name, this.#rest]
      this.#rest = Buffer.alloc(0)
      this.#name = name === null ? part.toString('utf8') : null
      if (name !== null) found({ name, text: part })
    }
  }

  #keep(bytes: Buffer): void {
    const more = bytes.subarray(0, Math.max(0, this.#most - this.#rest.length))
    if (more.length > 0) this.#rest = this.#rest.length === 0 ? more : Buffer.concat([this.#rest, more])
  }
}
