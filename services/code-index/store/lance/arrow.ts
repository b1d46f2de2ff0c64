// Rows as LanceDB takes them and gives them: columns of Apache Arrow.
import type { Data, RecordBatch, Schema, Table, Vector } from 'apache-arrow'
import type { Level } from '../../../../schemas/code-index/search.ts'
import type { NewRows, ReadRows } from './messages.ts'
import { quantise } from '../rows.ts'

type Arrow = typeof import('apache-arrow')

/** Columns of the table, in their order. */
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
    // Null for one without a direction, which nothing is like.
    new arrow.Field('vector', new arrow.FixedSizeList(dim, item), true),
  ])
}

/** But for the table they are written to. */
type Rows = Omit<NewRows, 'table'>

export function tableOf(arrow: Arrow, rows: Rows): Table {
  const schema = schemaOf(arrow, rows.dim)
  const { length } = rows.numbers
  const text = (values: readonly (string | null)[]) => textData(arrow, values)
  const count = (data: Uint32Array) =>
    arrow.makeData({ type: new arrow.Int32(), length, nullCount: 0, data: Int32Array.from(data) })
  const children: Data[] = [
    arrow.makeData({ type: new arrow.Int64(), length, nullCount: 0, data: BigInt64Array.from(rows.numbers, BigInt) }),
    text(rows.ids),
    text(rows.ids.map(() => rows.root)),
    text(rows.levels),
    text(rows.paths),
    text(rows.languages),
    text(rows.types),
    text(rows.symbols),
    count(rows.starts),
    count(rows.ends),
    text(rows.contents),
    text(rows.hashes),
    text(rows.tokens),
    weightData(arrow, rows),
    vectorData(arrow, rows),
  ]
  const data = arrow.makeData({ type: new arrow.Struct(schema.fields), length, nullCount: 0, children })
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, data)])
}

function textData(arrow: Arrow, values: readonly (string | null)[]): Data {
  const offsets = new Int32Array(values.length + 1)
  const valid = new Uint8Array(Math.ceil(values.length / 8))
  let nulls = 0
  for (const [at, value] of values.entries()) {
    offsets[at + 1] = offsets[at]! + (value === null ? 0 : Buffer.byteLength(value))
    if (value === null) nulls++
    else valid[at >> 3]! |= 1 << (at & 7)
  }
  return arrow.makeData({
    type: new arrow.Utf8(),
    length: values.length,
    nullCount: nulls,
    nullBitmap: nulls === 0 ? null : valid,
    valueOffsets: offsets,
    data: Buffer.from(values.join('')),
  })
}

function weightData(arrow: Arrow, { tokens, weights }: Rows): Data {
  const offsets = new Int32Array(tokens.length + 1)
  for (const [at, words] of tokens.entries()) offsets[at + 1] = offsets[at]! + 2 * wordsIn(words)
  const type = new arrow.Binary()
  return arrow.makeData({ type, length: tokens.length, nullCount: 0, valueOffsets: offsets, data: weights })
}

function vectorData(arrow: Arrow, { dim, vectors, scales }: Rows): Data {
  const numbers = new Float32Array(vectors.length)
  const valid = new Uint8Array(Math.ceil(scales.length / 8))
  let nulls = 0
  for (let at = 0; at < scales.length; at++) {
    let isAny = false
    for (let d = at * dim; d < (at + 1) * dim; d++) {
      isAny ||= vectors[d] !== 0
      numbers[d] = vectors[d]! * scales[at]!
    }
    if (isAny) valid[at >> 3]! |= 1 << (at & 7)
    else nulls++
  }
  const child = arrow.makeData({ type: new arrow.Float32(), length: numbers.length, nullCount: 0, data: numbers })
  const type = new arrow.FixedSizeList(dim, new arrow.Field('item', new arrow.Float32(), true))
  return arrow.makeData({
    type,
    length: scales.length,
    nullCount: nulls,
    nullBitmap: nulls === 0 ? null : valid,
    child,
  })
}

const wordsIn = (tokens: string): number => (tokens === '' ? 0 : tokens.split(' ').length)

/** Columns that are read for search; without words those that are taken over. */
export const READ = ['number', 'level', 'file_path', 'language', 'chunk_type', 'symbol_name', 'start_line', 'end_line']
export const WORDS = ['tokens', 'weights']

export function readRows(batch: RecordBatch, dim: number): ReadRows {
  const column = (name: string): Vector | null => batch.getChild(name)
  const all = <T>(name: string) => Array.from(column(name) ?? [], (value) => value as T)
  const vectors = new Int8Array(batch.numRows * dim)
  const scales = new Float32Array(batch.numRows).fill(1)
  const found = column('vector')!
  for (let at = 0; at < batch.numRows; at++) {
    const vector = found.get(at) as Vector | null
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
