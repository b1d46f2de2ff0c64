// YAML text into plain values: bounded in depth, time and memory, with every fault at its offset.
import { Composer, isMap, isScalar, Lexer, Parser, type Document, type Node, type YAMLMap, type CST } from 'yaml'
import { atOnce, type Pieces } from '../../../platform/async/pieces.ts'
import { syntaxFaults, type TextFault } from './syntax-faults.ts'
import { plainValue } from './values.ts'

/** Largest manifest file, in bytes. */
export const MOST_BYTES = 1024 * 1024

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

/** Where a document stands in its file; its text alone can be parsed again when a position is asked for. */
export interface Extent {
  from: number
  to: number
}

export interface YamlDocument extends Extent {
  /** Plain value; of a document with faults, what could be made of it. Undefined for an empty document. */
  value: unknown
  /** Of the member `name`, else of the first content. */
  nameOffset: number
  faults: TextFault[]
}

/**
 * How documents are parsed here and wherever a position is looked for. Double keys are found by ourselves, in
 * linear time.
 */
export const PARSE_OPTIONS = { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const

/** `faults` are those of the file as a whole. */
export interface ParsedYaml {
  documents: YamlDocument[]
  faults: TextFault[]
}

/** Parses a text without a byte order mark. Never throws, whatever the text holds. */
export const parseYaml = (text: string): ParsedYaml => atOnce(yamlPieces(text))

/** The same in pieces, the longest of which is one document. */
export function* yamlPieces(text: string): Pieces<ParsedYaml> {
  const { documents, excess } = yield* compose(text)
  const read: YamlDocument[] = []
  for (const document of documents) {
    yield
    read.push(readDocument(document, text))
  }
  return { documents: read, faults: excess ? [excess] : [] }
}

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

interface Composed {
  documents: Document.Parsed[]
  /** Why the rest of the text was not read. */
  excess: TextFault | null
}

/** Lexer, parser and composer by hand, so that deep nesting and long documents stop before anything is made of them. */
function* compose(text: string): Pieces<Composed> {
  const parser = new Parser()
  const composer = new Composer(PARSE_OPTIONS)
  const lexemes = new Lexer().lex(text)
  const composed: Composed = { documents: [], excess: null }
  let [size, characters] = [0, 0]
  const take = (tokens: Iterable<CST.Token>) => {
    for (const token of tokens) {
      if (token.type === 'document') size = characters = 0
      for (const document of composer.next(token)) composed.documents.push(document)
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
      if (parser.stack.length > MOST_DEPTH) composed.excess = tooDeep(at)
      else if (size > MOST_LEXEMES) composed.excess = tooMany(at, `${MOST_LEXEMES} words and signs in a document`)
      else if (characters > MOST_CHARACTERS)
        composed.excess = tooMany(at, `${MOST_CHARACTERS / 1024} KiB in a document`)
      else if (composed.documents.length > MOST_DOCUMENTS)
        composed.excess = tooMany(at, `${MOST_DOCUMENTS} documents in a file`)
      if (composed.excess) return false
    }
    return true
  }
  while (withoutStackTraces(some)) yield
  if (composed.excess) return composed
  yield
  withoutStackTraces(() => {
    take(parser.end())
    for (const document of composer.end(true, text.length)) composed.documents.push(document)
  })
  return composed
}

function readDocument(document: Document.Parsed, text: string): YamlDocument {
  const contents = document.contents as Node | null
  const faults = syntaxFaults(document, text)
  if (isBlank(contents))
    return { value: undefined, from: document.range[0], to: document.range[2], nameOffset: document.range[0], faults }
  const [start, , to] = contents!.range!
  return {
    value: plainValue(contents, faults),
    from: lineStart(text, start),
    to,
    nameOffset: isMap(contents) ? nameOffset(contents, start) : start,
    faults,
  }
}

function isBlank(contents: Node | null): boolean {
  return (
    contents === null ||
    (isScalar(contents) && contents.value === null && !contents.source && contents.range![0] === contents.range![1])
  )
}

/** Start of the line when nothing but blanks stand before: a block keeps its indentation when parsed alone. */
function lineStart(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return text.slice(start, offset).trim() === '' ? start : offset
}

function nameOffset(map: YAMLMap, fallback: number): number {
  for (const { key } of map.items) if (isScalar(key) && key.value === 'name') return key.range![0]
  return fallback
}
