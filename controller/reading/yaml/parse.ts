// YAML text into plain values: bounded in depth, time and memory, with every fault at its offset.
import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  type Document,
  type Node,
  type Scalar,
  type YAMLMap,
  type CST,
} from 'yaml'
import { atOnce, type Pieces } from '../../../platform/async/pieces.ts'
import { KNOWN_MEMBERS } from '../../../schemas/validation/member-names.ts'
import { MOST_FAULTS, syntaxFaults, type TextFault } from './syntax-faults.ts'

/** Largest manifest file, in bytes. */
export const MOST_BYTES = 1024 * 1024

/** Deepest nesting of mappings and lists. No manifest needs a tenth of it; the parser's recursion stays far from the end of the stack. */
const MOST_DEPTH = 100

/**
 * Most words and signs of one document, counted by the lexer, and most characters; a manifest has some hundreds. What is made of them is
 * made at once, and nothing else runs meanwhile: this is what keeps that short.
 */
const MOST_LEXEMES = 8000
const MOST_CHARACTERS = 256 * 1024

const MOST_DOCUMENTS = 2000

/** Characters that the aliases of a document may add. */
const MOST_EXPANDED = 128 * 1024

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

/** How documents are parsed here and wherever a position is looked for. Double keys are found by ourselves, in linear time. */
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

/** The parser makes an error object per fault; a hostile megabyte holds a million of them, and their stack traces cost the most. */
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
  const reading: Reading = { faults, anchors: new Map(), expanded: 0 }
  const value = plain(contents, reading)
  return {
    value,
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

interface Anchored {
  value: unknown
  /** Characters that the value stands for, its own aliases expanded. */
  size: number
}

interface Reading {
  faults: TextFault[]
  anchors: Map<string, Anchored | null>
  /** Characters that aliases have added. */
  expanded: number
}

function fault(
  reading: Reading,
  node: { range?: [number, number, number] | null },
  code: string,
  message: string,
  hint: string,
): void {
  if (reading.faults.length < MOST_FAULTS) reading.faults.push({ offset: node.range![0], code, message, hint })
}

function plain(node: unknown, reading: Reading): unknown {
  if (isAlias(node)) return expand(node, reading)
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null
  if (node.anchor === undefined) return plainNode(node, reading)
  const before = reading.expanded
  reading.anchors.set(node.anchor, null)
  const value = plainNode(node, reading)
  reading.anchors.set(node.anchor, { value, size: node.range![1] - node.range![0] + reading.expanded - before })
  return value
}

function plainNode(node: Scalar | YAMLMap | { items: unknown[] }, reading: Reading): unknown {
  if (isScalar(node)) return plainScalar(node)
  if (isMap(node)) return plainMap(node, reading)
  return node.items.map((item) => plain(item, reading))
}

/** Dates, bytes and the like of other YAML versions stay what was written. */
function plainScalar(node: Scalar): unknown {
  return typeof node.value === 'object' && node.value !== null ? (node.source ?? '') : node.value
}

function plainMap(map: YAMLMap, reading: Reading): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const { key, value } of map.items) {
    const name = keyName(key, reading)
    if (name === null) continue
    if (Object.hasOwn(result, name))
      fault(
        reading,
        key as Scalar,
        'duplicate-key',
        `${quoted(name)} stands twice in the same mapping`,
        'keep one of the two',
      )
    else result[name] = plain(value, reading)
  }
  return result
}

/** A name that is nobody's may be a secret that was written in the wrong place. */
const quoted = (name: string): string => (KNOWN_MEMBERS.has(name) ? `"${name}"` : 'this name')

function keyName(key: unknown, reading: Reading): string | null {
  if (!isScalar(key)) {
    fault(
      reading,
      key as Node,
      'invalid-key',
      'the name of a member should be a plain word, instead got a mapping, a list or an alias',
      'write name: value',
    )
    return null
  }
  const name = typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))
  if (name !== '__proto__') return name
  fault(reading, key, 'invalid-key', '"__proto__" cannot be the name of a member', 'choose another name')
  return null
}

/** An alias is the very object its anchor is; what it would be when written out is counted and bounded. */
function expand(node: { source: string; range?: [number, number, number] | null }, reading: Reading): unknown {
  const anchored = reading.anchors.get(node.source)
  if (!anchored) {
    const what = anchored === null ? 'an alias stands inside its own anchor' : 'an alias has no anchor before it'
    fault(
      reading,
      node,
      'unknown-alias',
      what,
      'write & and its name at the value it shall repeat; put a text that begins with * in quotes',
    )
    return null
  }
  if (reading.expanded > MOST_EXPANDED) return null
  reading.expanded += anchored.size
  if (reading.expanded > MOST_EXPANDED) {
    fault(
      reading,
      node,
      'alias-bomb',
      `the aliases of this document expand to more than ${MOST_EXPANDED / 1024} KiB`,
      'write the values out, or use fewer aliases',
    )
    return null
  }
  return anchored.value
}
