// The line of a manifest that a diagnostic speaks of, without the secrets on it.
import { printable } from './printable.ts'
import { shownLines } from './shown-lines.ts'

export interface Excerpt {
  line: string
  /** What stands below it: blanks and a caret. */
  caret: string
}

const WIDTH = 120

/** The lines of a file, masked; null for a line that is not there, or for a place past its end. */
export class Excerpts {
  readonly #lines: string[]

  constructor(text: string) {
    this.#lines = shownLines(text.replace(/^\uFEFF/, ''))
  }

  at(line: number, column: number): Excerpt | null {
    const text = this.#lines[line - 1]?.replace(/\r$/, '')
    if (text === undefined || text.trim() === '') return null
    const start = column > WIDTH ? column - WIDTH / 2 : 0
    const shown = printable(text.slice(start, start + WIDTH))
    const before = shown.slice(0, Math.max(0, column - 1 - start))
    return { line: shown, caret: `${before.replace(/[^\t]/g, ' ')}^` }
  }
}
