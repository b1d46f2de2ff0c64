import type { AgenticMatch } from '../../../schemas/code-index/search.ts'

/** Characters shown per line. */
const LONGEST_LINE = 4000
/** Bytes kept per line, including the file name. */
const LARGEST_LINE = 32 * 1024
const [NUL, NEWLINE] = [0, 10]

interface Line {
  file: string
  number: number
  text: string
  isMatch: boolean
}

export class MatchReader {
  readonly #context: number
  readonly #limit: number
  readonly #lines: Line[] = []
  #rest: Buffer = Buffer.alloc(0)
  /** A name may contain newlines: it ends with NUL, then the line ends with a newline. */
  #end = NUL
  #matches = 0

  constructor(context: number, limit: number) {
    this.#context = context
    this.#limit = limit
  }

  /** Returns false when enough has been read. */
  read(bytes: Buffer): boolean {
    let from = 0
    for (let end = bytes.indexOf(this.#end, from); end >= 0; end = bytes.indexOf(this.#end, from)) {
      const isName = this.#end === NUL
      this.#keep(bytes.subarray(from, isName ? end + 1 : end))
      this.#end = isName ? NEWLINE : NUL
      from = end + 1
      if (isName) continue
      this.#line(this.#rest)
      this.#rest = Buffer.alloc(0)
    }
    this.#keep(bytes.subarray(from))
    return this.#matches < this.#limit || !this.#isComplete()
  }

  #keep(bytes: Buffer): void {
    const more = bytes.subarray(0, Math.max(0, LARGEST_LINE - this.#rest.length))
    if (more.length > 0) this.#rest = this.#rest.length === 0 ? more : Buffer.concat([this.#rest, more])
  }

  end(): AgenticMatch[] {
    const places = this.#lines.flatMap((line, at) => (line.isMatch ? [at] : [])).slice(0, this.#limit)
    return places.map((at) => {
      const { file, number, text } = this.#lines[at]!
      return {
        file_path: file,
        line_number: number,
        content: text,
        context_before: this.#around(at, -1).reverse(),
        context_after: this.#around(at, 1),
      }
    })
  }

  #around(at: number, step: 1 | -1): string[] {
    const { file, number } = this.#lines[at]!
    const found: string[] = []
    for (let k = 1; k <= this.#context; k++) {
      const line = this.#lines[at + k * step]
      if (!line || line.file !== file || line.number !== number + k * step) break
      found.push(line.text)
    }
    return found
  }

  /** Format: `<file>\0<number>:<text>` for a match, `-` instead of the colon for context. */
  #line(bytes: Buffer): void {
    const nul = bytes.indexOf(NUL)
    if (nul < 0) return
    const file = bytes.subarray(0, nul).toString('utf8').replace(/^\.\//, '')
    const rest = bytes
      .subarray(nul + 1)
      .toString('utf8')
      .replace(/\r$/, '')
    const parts = /^(\d+)([:-])([\s\S]*)$/.exec(rest)
    if (!parts) return
    const isMatch = parts[2] === ':'
    if (isMatch) this.#matches++
    this.#lines.push({ file, number: Number(parts[1]), text: parts[3]!.slice(0, LONGEST_LINE), isMatch })
  }

  #isComplete(): boolean {
    const wanted = this.#lines.flatMap((line, at) => (line.isMatch ? [at] : []))[this.#limit - 1]
    return wanted !== undefined && this.#lines.length - 1 - wanted >= this.#context
  }
}
