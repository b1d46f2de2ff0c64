// Splits a file into definitions with their documentation, windows of long ones, and blocks of the rest. Every line
// with a word is part of a chunk.

/** Increment when the output changes: it forces a new index. */
export const CHUNKS_VERSION = 1

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
/** Characters per chunk; the rest is not searched. */
export const LONGEST_CONTENT = 8000
const WORD = /[\p{L}\p{N}]/u

/** Without definitions, every chunk is a block. */
export function chunksOf(text: string, definitions: readonly Definition[]): Chunk[] {
  const lines = text.split(/\r?\n/)
  const chunks: Chunk[] = []
  const covered = new Uint8Array(lines.length)
  for (const definition of definitions) {
    const whole = documented(definition, lines)
    addDefinition(chunks, lines, whole, '')
    covered.fill(1, whole.start, whole.end + 1)
  }
  addBlocks(chunks, lines, covered)
  return chunks.sort((a, b) => a.start - b.start || b.end - a.end)
}

function addDefinition(chunks: Chunk[], lines: readonly string[], definition: Definition, within: string): void {
  const { start, end, name, type } = definition
  const symbol = within === '' ? name : `${within}.${name}`
  const children = definition.children.map((child) => documented(child, lines, start))
  if (children.length > 0) {
    const content = elided(lines, { ...definition, children })
    push(chunks, { type, symbol, start: start + 1, end: end + 1, content })
    for (const child of children) addDefinition(chunks, lines, child, symbol)
    if (type === 'function' && end - start >= LONGEST_LINES) addWindows(chunks, lines, definition, symbol)
  } else if (end - start >= LONGEST_LINES) addWindows(chunks, lines, definition, symbol)
  else push(chunks, { type, symbol, start: start + 1, end: end + 1, content: lines.slice(start, end + 1).join('\n') })
}

function elided(lines: readonly string[], { start, end, children }: Definition): string {
  const kept: string[] = []
  const skip = new Uint8Array(end - start + 1)
  for (const child of children) {
    const from = child.start + SHOWN_LINES
    if (from <= child.end) skip.fill(1, from - start, child.end - start + 1)
  }
  for (let line = start; line <= end; line++) if (!skip[line - start]) kept.push(lines[line]!)
  return kept.join('\n')
}

function addWindows(
  chunks: Chunk[],
  lines: readonly string[],
  { start, end }: Pick<Definition, 'start' | 'end'>,
  symbol: string,
): void {
  for (let from = start; ; from += LONGEST_LINES - OVERLAP_LINES) {
    const to = Math.min(end, from + LONGEST_LINES - 1)
    const content = lines.slice(from, to + 1).join('\n')
    push(chunks, { type: 'window', symbol, start: from + 1, end: to + 1, content })
    if (to === end) return
  }
}

function addBlocks(chunks: Chunk[], lines: readonly string[], covered: Uint8Array): void {
  for (let from = 0; from < lines.length;) {
    if (covered[from] || !WORD.test(lines[from]!)) {
      from++
      continue
    }
    let to = from
    let characters = 0
    while (to < lines.length && !covered[to] && to - from < BLOCK_LINES && characters < LONGEST_CONTENT)
      characters += lines[to++]!.length + 1
    const content = lines.slice(from, to).join('\n').trimEnd()
    push(chunks, { type: 'block', symbol: null, start: from + 1, end: to, content })
    from = to
  }
}

function push(chunks: Chunk[], chunk: Chunk): void {
  if (WORD.test(chunk.content)) chunks.push({ ...chunk, content: chunk.content.slice(0, LONGEST_CONTENT) })
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
  for (let at = line; at >= floor; at--) {
    const text = lines[at]!.trim()
    if (text.startsWith('/*')) return at
    if (text.includes('/*')) return null
  }
  return null
}
