// What is said between the store and the process that runs LanceDB: columns, since few and large values cost little to
// copy.
import type { Level } from '../../../../schemas/code-index/search.ts'

/** What both ways have of rows. */
interface Columns {
  /** Counts up with every row of a directory that is ever written, and stands in no other. */
  numbers: Float64Array
  levels: Level[]
  paths: string[]
  languages: string[]
  types: string[]
  symbols: (string | null)[]
  starts: Uint32Array
  ends: Uint32Array
  /** Words of each row with a blank between; none where they are not asked for. */
  tokens: string[]
  /** Of each word, in their order: how much it counts in all, and of the name. */
  weights: Uint8Array
  /** One after the other, in whole numbers; a vector is these times its scale. */
  vectors: Int8Array
  scales: Float32Array
}

/** Rows to be written. */
export interface NewRows extends Columns, Of {
  dim: number
  ids: string[]
  hashes: string[]
  contents: string[]
}

/** Rows that were read, in any order. */
export type ReadRows = Columns

/** From the first up to, and with, the last. */
export type Range = [first: number, last: number]

/** Rows of a directory in a table. */
export interface Of {
  root: string
  table: string
}
