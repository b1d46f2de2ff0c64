import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Versions tested together. */
const PACKAGES = ['@lancedb/lancedb@0.31.0', 'apache-arrow@18.1.0']

/** Installs both below `folder`, the database folder; their scripts are not needed. */
export const installCommand = (folder: string): string =>
  `npm install --no-save --ignore-scripts --prefix '${folder.replaceAll("'", `'\\''`)}' ${PACKAGES.join(' ')}`

/**
 * Loads both as CommonJS, because LanceDB accepts only values of the same Arrow instance. Throws if they are not
 * installed in or above `folder`.
 */
export function loadLibraries(folder: string): { lancedb: LanceDb; arrow: Arrow } {
  const load = createRequire(join(folder, 'lancedb.cjs'))
  return { lancedb: load('@lancedb/lancedb') as LanceDb, arrow: load('apache-arrow') as Arrow }
}

interface LanceDb {
  connect(folder: string): Promise<Connection>
}

export interface Connection {
  tableNames(): Promise<string[]>
  openTable(name: string): Promise<LanceTable>
  createEmptyTable(name: string, schema: Schema): Promise<LanceTable>
  dropTable(name: string): Promise<void>
}

export interface LanceTable {
  add(rows: ArrowTable): Promise<unknown>
  query(): Query
  takeRowIds(ids: bigint[]): Query
  delete(where: string): Promise<unknown>
  countRows(where: string): Promise<number>
  schema(): Promise<Schema>
  stats(): Promise<{ fragmentStats: { numFragments: number } }>
  optimize(options: { cleanupOlderThan: Date; deleteUnverified: boolean }): Promise<unknown>
}

interface Query extends AsyncIterable<RecordBatch> {
  where(condition: string): Query
  select(columns: string[]): Query
  withRowId(): Query
  toArray(): Promise<Record<string, any>[]>
}

export interface RecordBatch {
  numRows: number
  getChild(column: string): Column | null
}

/** A column, or one value that is a list. */
export interface Column extends Iterable<unknown> {
  get(at: number): unknown
  toArray(): ArrayLike<number>
}

/** `listSize` is set for lists of fixed size. */
interface DataType {
  listSize?: number
}

interface Field {
  name: string
  type: DataType
}

export interface Schema {
  fields: Field[]
}

export type ArrowTable = object

export interface Arrow {
  Utf8: new () => DataType
  Int32: new () => DataType
  Int64: new () => DataType
  Float32: new () => DataType
  Binary: new () => DataType
  FixedSizeList: new (size: number, item: Field) => DataType
  Field: new (name: string, type: DataType, nullable: boolean) => Field
  Schema: new (fields: Field[]) => Schema
  Table: new (schema: Schema, columns: Record<string, unknown>) => ArrowTable
  vectorFromArray(values: readonly unknown[], type: DataType): unknown
}
