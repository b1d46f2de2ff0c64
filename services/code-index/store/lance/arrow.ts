import type { Level } from '../../../../schemas/code-index/search.ts'
import { quantise } from '../rows.ts'
import type { Arrow, ArrowTable, Column, RecordBatch, Schema } from './library.ts'
import type { NewRows, ReadRows } from './messages.ts'

export function schemaOf(arrow: Arrow, dim: number): Schema {
  const text = (name: string, nullable = false) => new arrow.Field(name, new arrow.Utf8(), nullable)
  const count = (name: string) => new arrow.Field(name, new arrow.Int32(), false)
  const item = new arrow.Field('item', new arrow.Float32(), true)
  return new arrow.Schema([
    new arrow.Field('number', new arrow.Int64(), false),
    text('id'),
    text('root'),
    text('level'),
    text('file_path'),
    text('language'),
    text('chunk_type'),
    text('symbol_name', true),
    count('start_line'),
    count('end_line'),
    text('content'),
    text('content_hash'),
    text('tokens'),
    new arrow.Field('weights', new arrow.Binary(), false),
    new arrow.Field('vector', new arrow.FixedSizeList(dim, item), true),
  ])
}

type Rows = Omit<NewRows, 'table'>

export function tableOf(arrow: Arrow, rows: Rows): ArrowTable {
  const values: Record<string, readonly unknown[]> = {
    number: Array.from(rows.numbers, BigInt),
    id: rows.ids,
    root: rows.ids.map(() => rows.root),
    level: rows.levels,
    file_path: rows.paths,
    language: rows.languages,
    chunk_type: rows.types,
    symbol_name: rows.symbols,
    start_line: [...rows.starts],
    end_line: [...rows.ends],
    content: rows.contents,
    content_hash: rows.hashes,
    tokens: rows.tokens,
    weights: weightsOf(rows),
    vector: vectorsOf(rows),
  }
  const schema = schemaOf(arrow, rows.dim)
  const columns = schema.fields.map(({ name, type }) => [name, arrow.vectorFromArray(values[name]!, type)])
  return new arrow.Table(schema, Object.fromEntries(columns))
}

function weightsOf({ tokens, weights }: Rows): Uint8Array[] {
  let from = 0
  return tokens.map((words) => weights.subarray(from, (from += 2 * wordsIn(words))))
}

const vectorsOf = ({ dim, vectors, scales }: Rows): Float32Array[] =>
  Array.from(scales, (scale, at) =>
    Float32Array.from(vectors.subarray(at * dim, (at + 1) * dim), (each) => each * scale),
  )

export const wordsIn = (tokens: string | undefined): number => (tokens ? tokens.split(' ').length : 0)

/** Columns read for search; `WORDS` are omitted when rows are only copied. */
export const READ = ['number', 'level', 'file_path', 'language', 'chunk_type', 'symbol_name', 'start_line', 'end_line']
export const WORDS = ['tokens', 'weights']

export function readRows(batch: RecordBatch, dim: number): ReadRows {
  const all = <T>(name: string) => Array.from(batch.getChild(name) ?? [], (value) => value as T)
  const vectors = new Int8Array(batch.numRows * dim)
  const scales = new Float32Array(batch.numRows).fill(1)
  const found = batch.getChild('vector')!
  for (let at = 0; at < batch.numRows; at++) {
    const vector = found.get(at) as Column | null
    if (vector) scales[at] = quantise(vector.toArray(), vectors.subarray(at * dim, (at + 1) * dim))
  }
  return {
    numbers: Float64Array.from(all<bigint>('number'), Number),
    levels: all<Level>('level'),
    paths: all<string>('file_path'),
    languages: all<string>('language'),
    types: all<string>('chunk_type'),
    symbols: all<string | null>('symbol_name'),
    starts: Uint32Array.from(all<number>('start_line')),
    ends: Uint32Array.from(all<number>('end_line')),
    tokens: all<string>('tokens'),
    weights: Buffer.concat(all<Uint8Array>('weights')),
    vectors,
    scales,
  }
}
