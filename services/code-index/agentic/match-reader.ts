import type { AgenticMatch } from '../../../schemas/code-index/search.ts'
import { OutputRecords, type OutputRecord } from './output-records.ts'

/** Characters shown per line. */
export const LONGEST_LINE = 4000
/** Bytes kept per line: enough for the longest shown one, and its place. */
const LARGEST_LINE = 32 * 1024

interface Line {
  file: string
  number: number
  /** In bytes, from the beginning of the file. */
  offset: number
  text: string
  isMatch: boolean
}

export interface FoundLine extends Pick<Line, 'file' | 'number' | 'offset'> {
  match: AgenticMatch
  /** Only the beginning is shown. */
  isLong: boolean
}

export class MatchReader {
  readonly #context: number
  readonly #limit: number
  readonly #records = new OutputRecords(LARGEST_LINE)
  readonly #lines: Line[] = []
  #matches = 0

  constructor(context: number, limit: number) {
    this.#context = context
    this.#limit = limit
  }

  /** Reads output of `grep -bnHZ`. Returns false when enough has been read. */
  read(bytes: Buffer): boolean {
    this.#records.read(bytes, (record) => this.#line(record))
    return this.#matches < this.#limit || !this.#isComplete()
  }

  end(): FoundLine[] {
    const places = this.#lines.flatMap((line, at) => (line.isMatch ? [at] : [])).slice(0, this.#limit)
    return places.map((at) => {
      const { file, number, offset, text } = this.#lines[at]!
      const match = {
        file_path: file,
        line_number: number,
        content: shown(text),
        context_before: this.#around(at, -1).reverse(),
        context_after: this.#around(at, 1),
      }
      return { file, number, offset, match, isLong: text.length > LONGEST_LINE }
    })
  }

  #around(at: number, step: 1 | -1): string[] {
    const { file, number } = this.#lines[at]!
    const found: string[] = []
    for (let k = 1; k <= this.#context; k++) {
      const line = this.#lines[at + k * step]
      if (!line || line.file !== file || line.number !== number + k * step) break
      found.push(shown(line.text))
    }
    return found
  }

  /** Format: `<number>:<offset>:<text>` for a match, `-` instead of the colons for context. */
  #line({ name, text }: OutputRecord): void {
    const parts = /^(\d+)([:-])(\d+)\2([\s\S]*)$/.exec(text.toString('utf8'))
    if (!parts) return
    const [number, offset] = [Number(parts[1]), Number(parts[3])]
    const isMatch = parts[2] === ':'
    if (isMatch) this.#matches++
    // One more character shows that the line is longer.
    this.#lines.push({ file: name, number, offset, text: parts[4]!.slice(0, LONGEST_LINE + 1), isMatch })
  }

  #isComplete(): boolean {
    const wanted = this.#lines.flatMap((line, at) => (line.isMatch ? [at] : []))[this.#limit - 1]
    return wanted !== undefined && this.#lines.length - 1 - wanted >= this.#context
  }
}

/** Cuts no character into halves. */
export const shown = (text: string): string =>
  text.length <= LONGEST_LINE ? text : text.slice(0, LONGEST_LINE).replace(/[\ud800-\udbff]$/, '')
