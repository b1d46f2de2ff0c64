// The line of a manifest that a diagnostic speaks of, without the secrets on it.
import { kinds } from '../../../schemas/kinds.ts'
import { MASK } from '../../../schemas/secret.ts'
import { printable } from './printable.ts'

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
    this.#lines = maskSecrets(text.replace(/^\uFEFF/, '').split('\n'))
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

/** Members whose values are secret, and members below which everything is. */
const LEAVES = new Set(
  kinds.flatMap(({ secrets }) => secrets.map((path) => path.at(-1)!)).filter((name) => name !== '*'),
)
const TREES = new Set(
  kinds.flatMap(({ secrets }) => secrets.filter((path) => path.at(-1) === '*').map((path) => path.at(-2)!)),
)
const SECRET = new RegExp(`(^|[\\s{,?-])(["']?)(?:${[...LEAVES, ...TREES].join('|')})\\2\\s*:(?=\\s|$|["'{[])\\s*`)
const MEMBER = /^(\s*(?:- )*(?:"[^"]*"|'[^']*'|[^\s:#"'][^:#]*?)\s*:)(\s+)\S/

/** Works on lines, so that it holds for a text that no parser can read: what stands after or below a secret's name is masked. */
function maskSecrets(lines: readonly string[]): string[] {
  let below: number | null = null
  return lines.map((line) => {
    const indent = indentOf(line)
    if (below !== null && (line.trim() === '' || indent > below)) return maskValue(line)
    const found = SECRET.exec(line)
    below = found ? (line.slice(0, found.index).includes('\t') ? 0 : indent) : null
    if (!found) return line
    const end = found.index + found[0].length
    return end < line.trimEnd().length ? `${line.slice(0, end)}${MASK}` : line
  })
}

/** A tab, which YAML does not take, stands further in than any blanks. */
function indentOf(line: string): number {
  const blanks = line.slice(0, line.length - line.trimStart().length)
  return blanks.includes('\t') ? Number.MAX_SAFE_INTEGER : blanks.length
}

function maskValue(line: string): string {
  if (line.trim() === '' || line.trimStart().startsWith('#')) return line.trim() === '' ? line : maskAll(line)
  const member = MEMBER.exec(line)
  if (member) return `${member[1]}${member[2]}${MASK}`
  return /:\s*$/.test(line) ? line : maskAll(line)
}

function maskAll(line: string): string {
  return `${line.slice(0, line.length - line.trimStart().length)}${MASK}`
}
