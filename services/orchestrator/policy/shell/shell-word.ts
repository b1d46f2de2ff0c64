// A word of a shell command without quotes: the part that is known before the command runs.
import type { ParsedScript, Word, WordPart } from 'unbash'
import { alternatives, hereDocument, isDeceptive, isPwd } from './word-parts.ts'

/** A word as the program will get it, or the part of it that is known. */
export interface ShellWord {
  /** Without quotes. Of an unknown word: its known beginning. */
  text: string
  /** `literal`: exactly `text`. `pathname`: names of files that begin with `text`. `unknown`: anything. */
  is: 'literal' | 'pathname' | 'unknown'
  /** Of an unknown word: a number, names of files in the directories, or a pipe. */
  source?: WordSource
  /** Of names of files: how they end, without what is not known. */
  rest?: string
  /** Without quotes an unknown word may be several. */
  splits?: boolean
}

export type WordSource = 'number' | 'inside' | 'pipe'

export interface WordSettings {
  home: string
  /** The value of `$PWD`; null where the script may change it. */
  pwd: string | null
  /** False where the script may change `HOME`. */
  homeKept: boolean
  /** False where the script may change where words are split. */
  blanksSplit: boolean
  /** Of variables that the script has set for certain. */
  variables: ReadonlyMap<string, ShellWord>
  outputOf(script: ParsedScript | undefined): WordSource | undefined
}

const MOST_BRACES = 128

/** Where a shell may end the word, or not. */
const HOLDS_NUL = /\\(0{1,3}(?![0-7])|x0{1,2}(?![0-9a-fA-F])|[uU]0+(?![0-9a-fA-F])|c@)/

export const literal = (text: string): ShellWord => ({ text, is: 'literal' })
export const unknown = (text = '', source?: WordSource): ShellWord => ({
  text,
  is: 'unknown',
  ...(source && { source }),
})

/** The words that one word of the source becomes: several where braces are expanded. */
export function resolveWord(word: Word, settings: WordSettings): ShellWord[] {
  const parts = word.parts
  if (parts === undefined) return [plain(word, settings)]
  if (parts.some((part) => part.type === 'BraceExpansion')) return expandBraces(parts)
  return [assemble(parts, word, settings)]
}

/** A word without quotes or expansions, but perhaps with a tilde. */
function plain({ text, value }: { text: string; value: string }, { home, homeKept }: WordSettings): ShellWord {
  if (isDeceptive(value)) return unknown()
  // In zsh `=name` is the path of a program.
  if (text.startsWith('=') && text.length > 1) return unknown()
  if (!text.startsWith('~')) return literal(value)
  if (!homeKept || !/^~(\/|$)/.test(text)) return unknown()
  return literal(home + value.slice(1))
}

/** `.[dev]` of `pip install -e .[dev]` is no name of the folder above. */
const LETTERS_BEHIND_DOT = /(^|\/)\.\[[\w,]+\]$/

function assemble(parts: readonly WordPart[], word: Word, settings: WordSettings): ShellWord {
  let all = literal('')
  /** Text after the known beginning, without expansions. */
  let rest = ''
  for (const [index, part] of parts.entries()) {
    const isTilde = index === 0 && word.text.startsWith('~')
    const pieces =
      part.type === 'DoubleQuoted'
        ? part.parts.map((inner) => valueOf(inner, settings, true))
        : [isTilde ? tilde(part, parts.length, settings) : valueOf(part, settings, false)]
    for (const piece of pieces) {
      if (all.is !== 'literal') rest += piece.is === 'literal' ? piece.text : ''
      all = together(all, piece)
    }
  }
  if (all.is === 'literal') return all
  // Behind a name that is not known, dots lead out of its folder, and `.*` is also the folder above.
  const isAbove = rest !== '' && `${all.text}${rest}`.includes('..')
  const mayBeAbove = /(^|\/)\.{1,2}$/.test(all.text) && /^(\/|$)/.test(rest) && !LETTERS_BEHIND_DOT.test(word.text)
  if (isAbove || mayBeAbove) return unknown(all.text)
  return all.is === 'pathname' ? { ...all, rest } : all
}

function together(first: ShellWord, next: ShellWord): ShellWord {
  if (first.is === 'literal') return { ...next, text: first.text + next.text }
  if (next.is === 'literal') return first
  const is = first.is === 'unknown' || next.is === 'unknown' ? 'unknown' : 'pathname'
  const sources = [first, next].map((each) => (each.is === 'pathname' ? 'inside' : each.source))
  const source = sources.includes(undefined) ? undefined : sources.find((each) => each !== 'number')
  return {
    text: first.text,
    is,
    ...(is === 'unknown' && { source: source ?? first.source }),
    splits: (first.splits || next.splits) ?? false,
  }
}

function tilde(part: WordPart, count: number, settings: WordSettings): ShellWord {
  if (part.type !== 'Literal' || (part.text === '~' && count > 1)) return unknown()
  return plain(part, settings)
}

/** A part of a word. */
function valueOf(part: WordPart, settings: WordSettings, quoted: boolean): ShellWord {
  switch (part.type) {
    case 'Literal':
      return isDeceptive(part.value) ? unknown() : literal(part.value)
    case 'SingleQuoted':
      return literal(part.value)
    case 'AnsiCQuoted':
      return HOLDS_NUL.test(part.text) || part.text.includes('\\\n') ? unknown() : literal(part.value)
    case 'Glob':
      return part.kind !== 'bracket' || part.parts.every(({ type }) => type === 'Literal')
        ? { text: '', is: 'pathname' }
        : unknown()
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return expanded(variable(part, settings), quoted, settings)
    case 'ArithmeticExpansion':
      return unknown('', 'number')
    case 'CommandExpansion': {
      const document = quoted ? hereDocument(part) : null
      if (document !== null) return literal(document)
      const output = unknown('', settings.outputOf(part.script))
      return expanded(isPwd(part) && settings.pwd !== null ? literal(settings.pwd) : output, quoted, settings)
    }
    case 'ProcessSubstitution':
      return part.operator === '<' ? unknown('', 'pipe') : unknown()
    // A translation (`$"…"`) is whatever a catalogue says.
    default:
      return unknown()
  }
}

/** Without quotes a value is split at blanks, and its stars name files. */
function expanded(value: ShellWord, quoted: boolean, { blanksSplit }: WordSettings): ShellWord {
  if (quoted || value.source === 'number') return value
  if (value.is === 'literal') return value.text === '' || /[\s*?[\\]/.test(value.text) ? unknown() : value
  const source = value.is === 'pathname' ? 'inside' : value.source
  return { ...unknown(value.text, blanksSplit ? source : undefined), splits: true }
}

/** The value of a variable that is known without running anything. */
function variable(
  part: WordPart & { type: 'SimpleExpansion' | 'ParameterExpansion' },
  { home, homeKept, pwd, variables }: WordSettings,
): ShellWord {
  const name = part.type === 'SimpleExpansion' ? part.text.slice(1) : part.parameter
  const isPlain = part.type === 'SimpleExpansion' || (part.prefix === undefined && part.index === undefined)
  if (!isPlain) return part.prefix === '#' || name === 'PIPESTATUS' ? unknown('', 'number') : unknown()
  if (part.type === 'ParameterExpansion' && part.operation !== undefined) return shortened(part, variables.get(name))
  if (/^[?#!$]$/.test(name)) return unknown('', 'number')
  if (name === 'HOME' && homeKept) return literal(home)
  if (name === 'PWD' && pwd !== null) return literal(pwd)
  return variables.get(name) ?? unknown()
}

/** `${f%.ts}` and `${f##*\/}`: of a name in the directories a name in the directories. */
function shortened({ operation }: WordPart & { type: 'ParameterExpansion' }, value: ShellWord | undefined): ShellWord {
  if (!value || operation?.type !== 'Remove') return unknown()
  const { operator, operand } = operation
  if (!(operator === '%' && /^\.\w+$/.test(operand.text)) && !(operator === '##' && operand.text === '*/'))
    return unknown()
  return unknown('', isInside(value) ? 'inside' : undefined)
}

export function isInside({ text, is, source }: ShellWord): boolean {
  if (is === 'unknown') return source === 'inside'
  return !/^[/~]|\.\./.test(text) && (is === 'pathname' || /^[^-]/.test(text))
}

/** The words of a long loop as one. */
export function summary(words: readonly ShellWord[]): ShellWord {
  if (words.length === 0) return unknown()
  if (words.every(({ text, is, source }) => source === 'number' || (is === 'literal' && /^\d+$/.test(text))))
    return unknown('', 'number')
  return unknown('', words.every(isInside) ? 'inside' : undefined)
}

/** Expands braces of plain text; anything more in them is unknown. */
function expandBraces(parts: readonly WordPart[]): ShellWord[] {
  let words = ['']
  for (const part of parts) {
    const choices = part.type === 'BraceExpansion' ? alternatives(part.text, MOST_BRACES) : plainChoice(part)
    if (choices === null || words.length * choices.length > MOST_BRACES) return [unknown()]
    words = words.flatMap((word) => choices.map((choice) => word + choice))
  }
  return words.filter((word) => word !== '').map(literal)
}

function plainChoice(part: WordPart): string[] | null {
  if (part.type === 'Literal') return /^~|[*?[\]=]/.test(part.text) ? null : [part.value]
  return part.type === 'SingleQuoted' ? [part.value] : null
}
