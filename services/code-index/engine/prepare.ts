// Prepares the rows of a file, independently of other files, so that a second thread can do it.
import type { Chunk } from '../chunks/chunk.ts'
import type { Chunker } from '../chunks/chunker.ts'
import type { Embedder, Passage } from '../embedding/embedder.ts'
import type { OpenTree } from '../../../platform/files/open-file.ts'
import { textOf } from '../files/text.ts'
import { hashOf } from '../text/hash.ts'
import { wordsOf, type Words } from '../text/tokens.ts'

export interface SourceOf {
  path: string
  language: string
}

export interface PreparedChunk extends Chunk {
  /** Of the embedded text: equal texts have equal vectors. */
  hash: string
  words: Words
  /** Null if embedded later. */
  vector: Float32Array | null
}

export interface Preparing extends OpenTree {
  chunker: Chunker
  /** The builtin embedder; null for others. */
  embedder: Embedder | null
}

/** Empty for a binary, missing or too large file. */
export async function prepare(file: SourceOf, { chunker, embedder, ...tree }: Preparing): Promise<PreparedChunk[]> {
  const text = textOf(file.path, tree)
  const chunks = text === null ? [] : await chunker.chunks(file, text)
  const passages = chunks.map(({ symbol, content }): Passage & { words: Words } => {
    const words = wordsOf({ path: file.path, symbol, content })
    return { path: file.path, symbol, content, words }
  })
  const vectors = embedder ? await embedder.passages(passages) : null
  return chunks.map((chunk, at) => {
    const { words } = passages[at]!
    return {
      ...chunk,
      hash: hashOf(`${file.path}\0${chunk.symbol ?? ''}\0${chunk.content}`),
      words,
      vector: vectors?.[at] ?? null,
    }
  })
}

/** Chunks of several files for transfer between threads: few large values are cheap to copy. */
export interface Packed {
  /** Chunks per file. */
  counts: number[]
  chunks: (Omit<PreparedChunk, 'words' | 'vector'> & { words: string })[]
  /** Two values per word, in order: weight in total, and in the name. */
  weights: Uint32Array<ArrayBuffer>
  /** Concatenated; null for none. */
  vectors: Float32Array<ArrayBuffer> | null
}

/** Occurs in no word. */
const BETWEEN = ' '

export function pack(files: readonly PreparedChunk[][]): Packed {
  const all = files.flat()
  const weights: number[] = []
  const chunks = all.map(({ words, vector: _vector, ...rest }) => {
    for (const { all: whole, name } of words.values()) weights.push(whole, name)
    return { ...rest, words: [...words.keys()].join(BETWEEN) }
  })
  const dim = all[0]?.vector?.length ?? 0
  const vectors = dim === 0 ? null : new Float32Array(all.length * dim)
  if (vectors) for (const [at, { vector }] of all.entries()) vectors.set(vector!, at * dim)
  return { counts: files.map((chunks_) => chunks_.length), chunks, weights: Uint32Array.from(weights), vectors }
}

export function unpack({ counts, chunks, weights, vectors }: Packed): PreparedChunk[][] {
  const dim = vectors && chunks.length > 0 ? vectors.length / chunks.length : 0
  let weight = 0
  const all = chunks.map((chunk, at) => {
    const words: Words = new Map()
    for (const word of chunk.words === '' ? [] : chunk.words.split(BETWEEN))
      words.set(word, { all: weights[weight++]!, name: weights[weight++]! })
    return { ...chunk, words, vector: vectors && vectors.subarray(at * dim, (at + 1) * dim) }
  })
  let from = 0
  return counts.map((count) => all.slice(from, (from += count)))
}
