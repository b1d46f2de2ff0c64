// Splits a file into definitions with their documentation, windows of long ones, and blocks of the rest. Every line
// with a word is part of a chunk, and every chunk is bounded, also those of files with a single line.
import { LONGEST_CONTENT, pieces } from './pieces.ts'

/** Increment when the output changes: it forces a new index. */
export const CHUNKS_VERSION = 2

export interface Chunk {
  /** `function`, `class`, …; `window` of a long definition; `block` without a name. */
  type: string
  /** Qualified, as in `Class.method`; null for a block. */
  symbol: string | null
  /** 1-based, both inclusive. */
  start: number
  end: number
  content: string
}

/** A named definition found by a parser. Lines are 0-based, both inclusive. */
export interface Definition {
  type: string
  name: string
  start: number
  end: number
  children: Definition[]
}

const LONGEST_LINES = 120
const OVERLAP_LINES = 20
const BLOCK_LINES = 60
/** Lines of each child that the chunk of its container repeats. */
const SHOWN_LINES = 2
/** Characters of a line that can start or end a definition: longer lines are generated, with many on each. */
const LONGEST_LINE = 1000
/** Chunks per file; a file with more is generated, and is split into chunks of full size. */
const MOST_CHUNKS = 2000
/** Lines between a definition and the beginning of its comment. */
const LONGEST_COMMENT = 400
const WORD = /[\p{L}\p{N}]/u

/** Without definitions, every chunk is a block. */
export function chunksOf(text: string, definitions: readonly Definition[]): Chunk[] {
  const lines = text.split('\n')
  const chunks: Chunk[] = []
  const covered = new Uint8Array(lines.length)
  for (const definition of separate(definitions, lines)) {
    const whole = documented(definition, lines)
    addDefinition(chunks, lines, whole, '')
    covered.fill(1, whole.start, whole.end + 1)
  }
  addBlocks(chunks, lines, { covered, most: BLOCK_LINES })
  if (chunks.length > MOST_CHUNKS) return fullBlocks(lines)
  return chunks.sort((a, b) => a.start - b.start || b.end - a.end)
}

function fullBlocks(lines: readonly string[]): Chunk[] {
  const chunks: Chunk[] = []
  addBlocks(chunks, lines, { covered: new Uint8Array(lines.length), most: Infinity })
  return chunks
}

/**
 * Returns at most one definition per first line, so that no line is repeated for each definition on it. Later ones on
 * the line are part of the first.
 */
function separate(definitions: readonly Definition[], lines: readonly string[]): Definition[] {
  const kept: Definition[] = []
  for (const definition of definitions) {
    const { start, end, children } = definition
    if (lines[start]!.length > LONGEST_LINE || lines[end]!.length > LONGEST_LINE) continue
    const before = kept.at(-1)
    if (before?.start === start) before.end = Math.max(before.end, end)
    else kept.push({ ...definition, children: start === end ? [] : separate(children, lines) })
  }
  return kept
}

function addDefinition(chunks: Chunk[], lines: readonly string[], definition: Definition, within: string): void {
  const { start, end, name, type } = definition
  const symbol = within === '' ? name : `${within}.${name}`
  const children = definition.children.map((child) => documented(child, lines, start))
  const all = range(start, end)
  const isWindowed = end - start >= LONGEST_LINES || lengthOf(lines, all) > LONGEST_CONTENT
  if (children.length > 0) {
    const [head, ...more] = pieces(lines, shownLines({ ...definition, children }), { most: Infinity, overlap: 0 })
    push(chunks, { type, symbol, start: start + 1, end: end + 1, content: head!.content })
    for (const piece of more) push(chunks, { type: 'window', symbol, ...piece })
    for (const child of children) addDefinition(chunks, lines, child, symbol)
  }
  if (isWindowed && (children.length === 0 || type === 'function')) {
    for (const piece of pieces(lines, all, { most: LONGEST_LINES, overlap: OVERLAP_LINES }))
      push(chunks, { type: 'window', symbol, ...piece })
  } else if (children.length === 0) {
    const content = lines.slice(start, end + 1).join('\n')
    push(chunks, { type, symbol, start: start + 1, end: end + 1, content })
  }
}

const range = (start: number, end: number): number[] => Array.from({ length: end - start + 1 }, (_each, k) => start + k)

/** Characters of these lines, with the newlines between them. */
const lengthOf = (lines: readonly string[], places: readonly number[]): number =>
  places.reduce((sum, at) => sum + lines[at]!.length + 1, -1)

/** Lines of a container that its chunk shows. */
function shownLines({ start, end, children }: Definition): number[] {
  const skip = new Uint8Array(end - start + 1)
  for (const child of children) {
    const from = child.start + SHOWN_LINES
    if (from <= child.end) skip.fill(1, from - start, child.end - start + 1)
  }
  return range(start, end).filter((line) => !skip[line - start])
}

function addBlocks(
  chunks: Chunk[],
  lines: readonly string[],
  { covered, most }: { covered: Uint8Array; most: number },
): void {
  for (let from = 0; from < lines.length;) {
    if (covered[from] || !WORD.test(lines[from]!)) {
      from++
      continue
    }
    let to = from
    while (to + 1 < lines.length && !covered[to + 1]) to++
    for (const { content, ...place } of pieces(lines, range(from, to), { most, overlap: 0 }))
      push(chunks, { type: 'block', symbol: null, ...place, content: content.trimEnd() })
    from = to + 1
  }
}

function push(chunks: Chunk[], chunk: Chunk): void {
  if (WORD.test(chunk.content)) chunks.push(chunk)
}

/** Extends a definition by the comments, decorators and attributes above it. */
function documented(definition: Definition, lines: readonly string[], floor = 0): Definition {
  let { start } = definition
  while (start > floor) {
    const above = lines[start - 1]!.trim()
    if (/^(\/\/|#|@|\*\/$)/.test(above) && !above.endsWith('*/')) start--
    else if (above.endsWith('*/')) {
      const opened = openingOf(lines, start - 1, floor)
      if (opened === null) break
      start = opened
    } else break
  }
  return start === definition.start ? definition : { ...definition, start }
}

function openingOf(lines: readonly string[], line: number, floor: number): number | null {
  for (let at = line; at >= Math.max(floor, line - LONGEST_COMMENT); at--) {
    const text = lines[at]!.trim()
    if (text.startsWith('/*')) return at
    if (text.includes('/*')) return null
  }
  return null
}
