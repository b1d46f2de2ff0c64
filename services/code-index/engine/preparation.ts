// Prepares the rows of a file, independently of other files.
import { chunksOf, type Chunk } from '../chunks/chunk.ts'
import type { SourceFile } from '../chunks/parsers.ts'
import type { Embedder, Passage } from '../embedding/embedder.ts'
import type { OpenTree } from '../../../platform/files/open-file.ts'
import { textOf } from '../files/text.ts'
import type { Parsed, Parser } from '../parsing/parser.ts'
import { hashOf } from '../text/hash.ts'
import { wordsOf, type Words } from '../text/tokens.ts'

export interface PreparedChunk extends Chunk {
  /** Of the embedded text: equal texts have equal vectors. */
  hash: string
  words: Words
  /** Null if embedded later. */
  vector: Float32Array | null
}

export interface PreparedFile extends Pick<Parsed, 'fault'> {
  /** Empty for a binary, missing or too large file. */
  chunks: PreparedChunk[]
}

export interface Preparing extends OpenTree {
  parser: Pick<Parser, 'parse'>
  /** The builtin embedder; null for others. */
  embedder: Embedder | null
}

interface ParsedFile extends Parsed {
  file: SourceFile
  /** Null for a file that is not indexed. */
  text: string | null
}

/** Files that are parsed before they are needed. */
const AHEAD = 4

/** Yields files in order, and prepares one while the parser works on the next. */
export async function* preparedFiles(
  files: readonly SourceFile[],
  preparing: Preparing,
): AsyncGenerator<PreparedFile, void, void> {
  const ahead: Promise<ParsedFile>[] = []
  let next = 0
  const fill = () => {
    while (ahead.length < AHEAD && next < files.length) {
      const parsed = parse(files[next++]!, preparing)
      // A rejection is handled when its file is next.
      parsed.catch(() => undefined)
      ahead.push(parsed)
    }
  }
  for (fill(); ahead.length > 0; fill()) {
    const parsed = await ahead.shift()!
    // Sends the next text to the parser first.
    await turn()
    yield await prepare(parsed, preparing.embedder)
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function parse(file: SourceFile, { parser, ...tree }: Preparing): Promise<ParsedFile> {
  const text = textOf(file.path, tree)
  const parsed = text === null ? { definitions: [], fault: null } : await parser.parse(file, text)
  return { file, text, ...parsed }
}

async function prepare(parsed: ParsedFile, embedder: Embedder | null): Promise<PreparedFile> {
  const { file, text, definitions, fault } = parsed
  const chunks = text === null ? [] : chunksOf(text, definitions)
  const passages = chunks.map(({ symbol, content }): Passage & { words: Words } => {
    const words = wordsOf({ path: file.path, symbol, content })
    return { path: file.path, symbol, content, words }
  })
  const vectors = embedder ? await embedder.passages(passages) : null
  const prepared = chunks.map((chunk, at) => ({
    ...chunk,
    hash: hashOf(`${file.path}\0${chunk.symbol ?? ''}\0${chunk.content}`),
    words: passages[at]!.words,
    vector: vectors?.[at] ?? null,
  }))
  return { chunks: prepared, fault }
}

/** The builtin embedder, which makes vectors along with the chunks; null for others. */
export const free = (embedder: Embedder): Embedder | null => (embedder.id.provider === 'builtin' ? embedder : null)
