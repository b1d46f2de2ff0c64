// What a word of a shell command is once quotes are removed, or that it cannot be known before it runs.
import type { Word, WordPart } from 'unbash'

/** A word as the program will get it, or what is known of it. */
export interface ShellWord {
  /** Without quotes. Of a word that is not known: as far as it is known from its beginning. */
  text: string
  /** `literal`: exactly `text`. `pathname`: names of files that begin with `text`. `unknown`: anything. */
  is: 'literal' | 'pathname' | 'unknown'
  /** It was written with an expansion, though one whose value is known. */
  expanded: boolean
}

export interface WordSettings {
  home: string
  /** The value of `$PWD`; null where the script may change it. */
  pwd: string | null
  /** False where the script may change `HOME`. */
  homeKept: boolean
}

const MOST_BRACES = 128
/** Blank, invisible or turning the direction of text: what is read is not what runs. */
const DECEPTIVE = /[^\P{Cc}\t\n]|\p{Cf}|[^\P{Z} ]|\u034f|\u115f|\u1160|\u3164|\uffa0/u

/** Where a shell may end the word, or not. */
const HOLDS_NUL = /\\(0{1,3}(?![0-7])|x0{1,2}(?![0-9a-fA-F])|[uU]0+(?![0-9a-fA-F])|c@)/

export const literal = (text: string): ShellWord => ({ text, is: 'literal', expanded: false })
export const unknown = (text = ''): ShellWord => ({ text, is: 'unknown', expanded: true })

/** The words that one word of the source becomes: several where braces are expanded. */
export function resolveWord(word: Word, settings: WordSettings): ShellWord[] {
  const parts = word.parts
  if (parts === undefined) return [plain(word, settings)]
  if (parts.some((part) => part.type === 'BraceExpansion')) return expandBraces(parts)
  return [assemble(parts, word, settings)]
}

/** A word without quotes or expansions, but perhaps with a tilde. */
function plain({ text, value }: Word, { home, homeKept }: WordSettings): ShellWord {
  if (DECEPTIVE.test(value)) return unknown()
  // In zsh `=name` is the path of a program.
  if (text.startsWith('=') && text.length > 1) return unknown()
  if (!text.startsWith('~')) return literal(value)
  if (!homeKept || !/^~(\/|$)/.test(text)) return unknown()
  return literal(home + value.slice(1))
}

function assemble(parts: readonly WordPart[], word: Word, settings: WordSettings): ShellWord {
  let text = ''
  let [expanded, pathname] = [false, false]
  for (const [index, part] of parts.entries()) {
    if (part.type === 'Glob' && part.kind !== 'bracket') pathname = true
    else if (part.type === 'Glob' && part.parts.every(isLiteral)) pathname = true
    else {
      const piece = index === 0 && word.text.startsWith('~') ? tilde(part, settings) : valueOf(part, settings)
      if (piece === null) return unknown(pathname ? text : text + knownBeginning(part))
      expanded ||= piece.expanded
      if (!pathname) text += piece.text
    }
  }
  return { text, is: pathname ? 'pathname' : 'literal', expanded: expanded || pathname }
}

/** What stands in quotes before what is not known. */
function knownBeginning(part: WordPart): string {
  const [first] = part.type === 'DoubleQuoted' ? part.parts : []
  return first?.type === 'Literal' ? first.value : ''
}

function tilde(part: WordPart, settings: WordSettings): Piece | null {
  if (part.type !== 'Literal') return null
  const word = plain({ ...part, type: 'Word', text: part.text, value: part.value }, settings)
  return word.is === 'literal' ? { text: word.text, expanded: false } : null
}

interface Piece {
  text: string
  expanded: boolean
}

/** The text of a part of a word; null when it cannot be known. */
function valueOf(part: WordPart, settings: WordSettings): Piece | null {
  switch (part.type) {
    case 'Literal':
      return DECEPTIVE.test(part.value) ? null : { text: part.value, expanded: false }
    case 'SingleQuoted':
      return { text: part.value, expanded: false }
    case 'AnsiCQuoted':
      return HOLDS_NUL.test(part.text) || part.text.includes('\\\n') ? null : { text: part.value, expanded: false }
    case 'DoubleQuoted': {
      const pieces = part.parts.map((inner) => quotedValue(inner, settings))
      if (pieces.some((piece) => piece === null)) return null
      return {
        text: pieces.map((piece) => piece?.text ?? '').join(''),
        expanded: pieces.some((piece) => piece?.expanded),
      }
    }
    // A translation (`$"…"`) is whatever a catalogue says.
    default:
      return variable(part.type === 'SimpleExpansion' ? part.text.slice(1) : nameOf(part), settings)
  }
}

function quotedValue(part: WordPart, settings: WordSettings): Piece | null {
  if (part.type === 'Literal') return { text: part.value, expanded: false }
  const document = part.type === 'CommandExpansion' ? hereDocument(part) : null
  return document === null ? valueOf(part, settings) : { text: document, expanded: true }
}

const isLiteral = (part: WordPart) => part.type === 'Literal'

function nameOf(part: WordPart): string | null {
  if (part.type !== 'ParameterExpansion') return null
  const bare = part.prefix === undefined && part.index === undefined && part.operation === undefined
  return bare ? part.parameter : null
}

/** Variables whose value is known without running anything. */
function variable(name: string | null, { home, pwd, homeKept }: WordSettings): Piece | null {
  const text = name === 'HOME' && homeKept ? home : name === 'PWD' ? pwd : name === '?' || name === '#' ? '0' : null
  return text === null || /[\s*?[\\]/.test(text) ? null : { text, expanded: true }
}

/** `$(cat <<'EOF' … EOF)` is its document: how programs that write commands pass long texts. */
function hereDocument(part: WordPart & { type: 'CommandExpansion' }): string | null {
  const [statement, ...others] = part.script?.errors ? [] : (part.script?.commands ?? [])
  const command = statement?.command
  if (others.length > 0 || command?.type !== 'Command' || command.name?.text !== 'cat') return null
  const [document, ...rest] = [...command.prefix, ...command.suffix]
  if (document?.type !== 'HereDoc' || rest.length > 0 || document.closing === undefined) return null
  if (document.delimiter?.quoted !== true || document.operator !== '<<') return null
  const { text } = document.body
  let end = text.length
  while (text[end - 1] === '\n') end--
  return text.slice(0, end)
}

/** Expands braces of plain text; anything more in them is unknown. */
function expandBraces(parts: readonly WordPart[]): ShellWord[] {
  let words = ['']
  for (const part of parts) {
    const choices = part.type === 'BraceExpansion' ? alternatives(part.text) : plainChoice(part)
    if (choices === null || words.length * choices.length > MOST_BRACES) return [unknown()]
    words = words.flatMap((word) => choices.map((choice) => word + choice))
  }
  return words.filter((word) => word !== '').map(literal)
}

function plainChoice(part: WordPart): string[] | null {
  if (part.type === 'Literal') return /^~|[*?[\]=]/.test(part.text) ? null : [part.value]
  return part.type === 'SingleQuoted' ? [part.value] : null
}

function alternatives(text: string): string[] | null {
  const inside = text.slice(1, -1)
  if (/[\\'"`$*?[\]{}~]/.test(inside) || DECEPTIVE.test(inside)) return null
  if (inside.includes(',')) return inside.split(',')
  const [, from, to] = /^(-?\d{1,6})\.\.(-?\d{1,6})$/.exec(inside) ?? []
  if (from === undefined || to === undefined || /^-?0\d/.test(from) || /^-?0\d/.test(to)) return null
  const [low, high] = [Number(from), Number(to)]
  const count = Math.abs(high - low) + 1
  if (count > MOST_BRACES) return null
  return Array.from({ length: count }, (_, index) => String(low + (low <= high ? index : -index)))
}
