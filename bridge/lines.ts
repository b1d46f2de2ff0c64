import { StringDecoder } from 'node:string_decoder'

/** Longest line, in characters. */
const LONGEST_LINE = 64 * 1024 * 1024

/** Splits chunks into lines; skips blank ones. */
export class LineCutter {
  readonly #decoder = new StringDecoder('utf8')
  readonly #onLine: (line: string) => void
  readonly #onTooLong: (length: number) => void
  readonly #longest: number
  #parts: string[] = []
  #length = 0

  /** `onTooLong` gets the length of a dropped line over `longest` characters. */
  constructor(onLine: (line: string) => void, onTooLong: (length: number) => void, longest = LONGEST_LINE) {
    this.#onLine = onLine
    this.#onTooLong = onTooLong
    this.#longest = longest
  }

  take(chunk: Buffer): void {
    const pieces = this.#decoder.write(chunk).split('\n')
    const rest = pieces.pop()!
    for (const piece of pieces) this.#emit(piece)
    this.#length += rest.length
    if (this.#length <= this.#longest) this.#parts.push(rest)
    else this.#parts = []
  }

  end(): void {
    this.#emit(this.#decoder.end())
  }

  #emit(last: string): void {
    const whole = this.#length + last.length
    const line = whole > this.#longest ? '' : [...this.#parts, last].join('')
    this.#parts = []
    this.#length = 0
    if (whole > this.#longest) this.#onTooLong(whole)
    else if (line.trim() !== '') this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line)
  }
}
