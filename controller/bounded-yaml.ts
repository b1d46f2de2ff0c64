// The only parser of manifest text, with limits on depth, time and memory.
import { Composer, Lexer, Parser, type CST, type Document } from 'yaml'
import type { Pieces } from '../platform/async/time-slices.ts'
import type { TextFault } from './reading/yaml/syntax-faults.ts'

/** Far above what manifests need and far below a stack overflow. */
const MOST_DEPTH = 100

/** Per document, far above what manifests need: building a document blocks the event loop. */
const MOST_LEXEMES = 8000
const MOST_CHARACTERS = 256 * 1024

const MOST_DOCUMENTS = 2000

/** Lexemes per event-loop slice. */
const PIECE = 200

/** Our own code detects duplicate keys, in linear time. */
export const PARSE_OPTIONS = { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const

const tooDeep = (offset: number): TextFault => ({
  offset,
  code: 'too-deep',
  message: `nested deeper than ${MOST_DEPTH} levels`,
  hint: 'a manifest needs few levels; check for repeated brackets or dashes',
})

const tooMany = (offset: number, what: string): TextFault => ({
  offset,
  code: 'too-many-values',
  message: `more than ${what}`,
  hint: 'a manifest needs some hundreds of words; split it, or move files that are not manifests out of the folder',
})

const tooLong = (offset: number): TextFault => tooMany(offset, `${MOST_CHARACTERS / 1024} KiB in a document`)

/** The parser creates an error object per error: a hostile megabyte would mean a million stack traces. */
function withoutStackTraces<T>(parse: () => T): T {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return parse()
  } finally {
    Error.stackTraceLimit = limit
  }
}

/**
 * The parser would read a document by YAML 1.1, where `no` is false. It warns of every other version and reads the
 * document as YAML 1.2.
 */
function withoutOlderVersion(token: CST.Token): CST.Token {
  if (token.type !== 'directive') return token
  return { ...token, source: token.source.replace(/^(%YAML[ \t]+1\.)1(?=[ \t]|$)/, '$10') }
}

export interface Composed {
  documents: Document.Parsed[]
  /** Why the rest of the text was not read. */
  excess: TextFault | null
}

/** Cuts a text within its first document that is too long: the lexer reads a scalar whole, however long it is. */
function withoutLongDocument(text: string): string {
  let from = 0
  while (text.length - from > MOST_CHARACTERS) {
    const most = from + MOST_CHARACTERS
    const next = Math.max(text.lastIndexOf('\n---', most), text.lastIndexOf('\n...', most))
    if (next <= from) return text.slice(0, most + 1)
    from = next
  }
  return text
}

/** Stops before a deep or long document is built. */
export function* composeDocuments(whole: string): Pieces<Composed> {
  const text = withoutLongDocument(whole)
  const parser = new Parser()
  const composer = new Composer(PARSE_OPTIONS)
  const lexemes = new Lexer().lex(text)
  const found: Composed = { documents: [], excess: null }
  let [size, characters] = [0, 0]
  const take = (tokens: Iterable<CST.Token>) => {
    for (const token of tokens) {
      if (token.type === 'document') size = characters = 0
      for (const document of composer.next(withoutOlderVersion(token))) found.documents.push(document)
    }
  }
  /** False at the end of the text or beyond a limit. */
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
      else if (characters > MOST_CHARACTERS) found.excess = tooLong(at)
      else if (found.documents.length > MOST_DOCUMENTS)
        found.excess = tooMany(at, `${MOST_DOCUMENTS} documents in a file`)
      if (found.excess) return false
    }
    return true
  }
  while (withoutStackTraces(some)) yield
  if (!found.excess && text.length < whole.length) found.excess = tooLong(text.length)
  if (found.excess) return found
  yield
  withoutStackTraces(() => {
    take(parser.end())
    for (const document of composer.end(true, text.length)) found.documents.push(document)
  })
  return found
}
