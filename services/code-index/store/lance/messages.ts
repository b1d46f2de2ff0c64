// Messages between the store and the LanceDB process, as columns: few large values are cheap to copy.
import type { Level } from '../../../../schemas/code-index/search.ts'

interface Columns {
  /** Row numbers increase within a directory and are never reused. */
  numbers: Float64Array
  levels: Level[]
  paths: string[]
  languages: string[]
  types: string[]
  symbols: (string | null)[]
  starts: Uint32Array
  ends: Uint32Array
  /** Words of each row, separated by spaces; empty if not requested. */
  tokens: string[]
  /** Two bytes per word, in order: weight in total, and in the name. */
  weights: Uint8Array
  /** Concatenated and quantised; multiply by the scale of the row. */
  vectors: Int8Array
  scales: Float32Array
}

export interface NewRows extends Columns, Of {
  dim: number
  ids: string[]
  hashes: string[]
  contents: string[]
}

/** In any order. */
export type ReadRows = Columns

/** Both inclusive. */
export type Range = [first: number, last: number]

export interface Of {
  root: string
  table: string
}
