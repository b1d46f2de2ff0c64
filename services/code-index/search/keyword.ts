// BM25 over the words of chunks, in total or in names and paths only.
import { eachOf, type Pieces } from '../../../platform/async/time-slices.ts'
import type { Section } from '../store/port.ts'

const K1 = 2
const B = 0.75
const PIECE = 2048

export type Field = 'all' | 'name'

/** Inverted index: rows of word w are at `starts[w]` to `starts[w + 1]`, exclusive. */
interface Postings {
  starts: Uint32Array
  rows: Uint32Array
  weights: Uint8Array
  /** Sum of the weights of each row, and of all rows. */
  lengths: Uint32Array
  total: number
}

/** Corpus statistics over every repository that is searched together. */
export interface Statistics {
  rows: number
  length: number
  /** Rows with each word of the query. */
  frequencies: number[]
}

export class KeywordIndex {
  readonly #count: number
  readonly #fields: Record<Field, Postings>

  private constructor(count: number, fields: Record<Field, Postings>) {
    this.#count = count
    this.#fields = fields
  }

  static *of(section: Section, words: number): Pieces<KeywordIndex> {
    const all = yield* postingsOf(section, section.all, words)
    const name = yield* postingsOf(section, section.name, words)
    return new KeywordIndex(section.count, { all, name })
  }

  /** Adds this index to `into`; -1 marks an unknown word. */
  count(field: Field, words: readonly number[], into: Statistics): void {
    const { starts, total } = this.#fields[field]
    into.rows += this.#count
    into.length += total
    for (const [at, word] of words.entries()) if (word >= 0) into.frequencies[at]! += starts[word + 1]! - starts[word]!
  }

  /** Score per row; 0 if it has none of the words. */
  scores(field: Field, words: readonly number[], { rows, length, frequencies }: Statistics): Float32Array {
    const postings = this.#fields[field]
    const scores = new Float32Array(this.#count)
    const average = Math.max(1, length / Math.max(1, rows))
    for (const [at, word] of words.entries()) {
      if (word < 0) continue
      const idf = Math.log(1 + (rows - frequencies[at]! + 0.5) / (frequencies[at]! + 0.5))
      for (let k = postings.starts[word]!; k < postings.starts[word + 1]!; k++) {
        const row = postings.rows[k]!
        const weight = postings.weights[k]!
        const norm = K1 * (1 - B + (B * postings.lengths[row]!) / average)
        scores[row]! += (idf * weight * (K1 + 1)) / (weight + norm)
      }
    }
    return scores
  }
}

function* postingsOf(section: Section, weights: Uint8Array, words: number): Pieces<Postings> {
  const starts = new Uint32Array(words + 1)
  const lengths = new Uint32Array(section.count)
  let total = 0
  const eachPiece = function* (work: (row: number, k: number) => void): Pieces<void> {
    const firsts = Array.from({ length: Math.ceil(section.count / PIECE) }, (_each, index) => index * PIECE)
    yield* eachOf(firsts, (first) => {
      for (let row = first; row < Math.min(first + PIECE, section.count); row++)
        for (let k = section.offsets[row]!; k < section.offsets[row + 1]!; k++) if (weights[k]! > 0) work(row, k)
    })
  }
  yield* eachPiece((row, k) => {
    starts[section.words[k]! + 1]!++
    lengths[row]! += weights[k]!
    total += weights[k]!
  })
  for (let word = 0; word < words; word++) starts[word + 1]! += starts[word]!
  const next = starts.slice()
  const rows = new Uint32Array(starts[words]!)
  const kept = new Uint8Array(starts[words]!)
  yield* eachPiece((row, k) => {
    const place = next[section.words[k]!]!++
    rows[place] = row
    kept[place] = weights[k]!
  })
  return { starts, rows, weights: kept, lengths, total }
}
