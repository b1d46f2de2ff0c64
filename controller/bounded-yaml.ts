// YAML text into documents, bounded in depth, time and memory: the one way that text of a manifest is parsed.
import { Composer, Lexer, Parser, type CST, type Document } from 'yaml'
import type { Pieces } from '../platform/async/time-slices.ts'
import type { TextFault } from './reading/yaml/syntax-faults.ts'

/**
 * Deepest nesting of mappings and lists. No manifest needs a tenth of it; the parser's recursion stays far from the
 * end of the stack.
 */
const MOST_DEPTH = 100

/**
 * Most words and signs of one document, counted by the lexer, and most characters; a manifest has some hundreds. What
 * is made of them is made at once, and nothing else runs meanwhile: this is what keeps that short.
 */
const MOST_LEXEMES = 8000
const MOST_CHARACTERS = 256 * 1024

const MOST_DOCUMENTS = 2000

/** Lexemes between two points where the work may be interrupted. */
const PIECE = 200

/**
 * How documents are parsed here and wherever a position is looked for. Double keys are found by ourselves, in
 * linear time.
 */
export const PARSE_OPTIONS = { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const

const tooDeep = (offset: number): TextFault => ({
  offset,
  code: 'too-deep',
  message: `nested deeper than ${MOST_DEPTH} levels`,
  hint: 'a manifest needs few levels; look for brackets or dashes that repeat',
})

const tooMany = (offset: number, what: string): TextFault => ({
  offset,
  code: 'too-many-values',
  message: `more than ${what}`,
  hint: 'a manifest needs some hundreds of words; part it, or move what is no manifest out of the folder',
})

/**
 * The parser makes an error object per fault; a hostile megabyte holds a million of them, and their stack traces
 * cost the most.
 */
function withoutStackTraces<T>(parse: () => T): T {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return parse()
  } finally {
    Error.stackTraceLimit = limit
  }
}

export interface Composed {
  documents: Document.Parsed[]
  /** Why the rest of the text was not read. */
  excess: TextFault | null
}

/** Lexer, parser and composer by hand, so that deep nesting and long documents stop before anything is made of them. */
export function* composeDocuments(text: string): Pieces<Composed> {
  const parser = new Parser()
  const composer = new Composer(PARSE_OPTIONS)
  const lexemes = new Lexer().lex(text)
  const found: Composed = { documents: [], excess: null }
  let [size, characters] = [0, 0]
  const take = (tokens: Iterable<CST.Token>) => {
    for (const token of tokens) {
      if (token.type === 'document') size = characters = 0
      for (const document of composer.next(token)) found.documents.push(document)
    }
  }
  /** False at the end of the text, or where it is out of bounds. */
  const some = (): boolean => {
    for (let left = PIECE; left > 0; left--) {
      const { done, value } = lexemes.next()
      if (done) return false
      take(parser.next(value))
      const at = Math.min(parser.offset, text.length)
      size++
      characters += value.length
      if (parser.stack.length > MOST_DEPTH) found.excess = tooDeep(at)
      else if (size > MOST_LEXEMES) found.excess = tooMany(at, `${MOST_LEXEMES} words and signs in a document`)
      else if (characters > MOST_CHARACTERS) found.excess = tooMany(at, `${MOST_CHARACTERS / 1024} KiB in a document`)
      else if (found.documents.length > MOST_DOCUMENTS)
        found.excess = tooMany(at, `${MOST_DOCUMENTS} documents in a file`)
      if (found.excess) return false
    }
    return true
  }
  while (withoutStackTraces(some)) yield
  if (found.excess) return found
  yield
  withoutStackTraces(() => {
    take(parser.end())
    for (const document of composer.end(true, text.length)) found.documents.push(document)
  })
  return found
}
