import type { TObject } from 'typebox'
import type { Knex } from '../database/database.ts'
import { replaceUnstorable } from '../../schemas/validation/text.ts'
import { mapSecrets, type Vault } from '../secrets/vault.ts'
import type { ColumnOrder } from './keyset.ts'
import { toOrder, type Order } from './page.ts'

/** JSON and sealed fields are text columns; booleans are 0 and 1 on SQLite. */
type Shape = 'text' | 'number' | 'boolean' | 'json' | 'sealed'

interface Column {
  member: string
  column: string
  shape: Shape
  /** Stores null as SQL NULL; otherwise a JSON field stores it as text. */
  nullable: boolean
  /** NULL in the table, absent in the row. */
  optional: boolean
}

interface SchemaNode {
  type?: string
  anyOf?: SchemaNode[]
  enum?: unknown[]
  const?: unknown
}

/** Replaces NUL, which PostgreSQL rejects, and lone surrogates, which no database can store. */
export const storable = (text: string): string => replaceUnstorable(text).value

export interface ColumnOptions {
  sealed?: readonly string[]
  names?: Record<string, string>
}

export class Columns {
  readonly #table: string
  readonly #vault: Vault
  readonly #columns: ReadonlyMap<string, Column>

  constructor(table: string, schema: TObject, vault: Vault, { sealed = [], names = {} }: ColumnOptions = {}) {
    this.#table = table
    this.#vault = vault
    this.#columns = new Map(columnsOf(schema, sealed, names).map((column) => [column.member, column]))
  }

  names(): string[] {
    return [...this.#columns.values()].map(({ column }) => column)
  }

  nameOf(member: string): string {
    return this.#of(member).column
  }

  /** For pages by cursor. `seq`, a number, may have no field. All columns have the direction of the first one. */
  rowOrder(order: readonly Order[]): ColumnOrder {
    const known = new Map([...this.#columns.values()].map(({ column, shape }) => [column, shape]))
    const typeOf = (name: string) => ((known.get(name) ?? 'number') === 'number' ? 'number' : 'string')
    const columns = order.map(toOrder)
    return {
      list: `${this.#table} by ${columns.map(({ column, order }) => `${column} ${order}`).join()}`,
      columns: Object.fromEntries(columns.map(({ column }) => [column, typeOf(column)])),
      descending: columns[0]?.order === 'desc',
    }
  }

  value(member: string, value: unknown): unknown {
    return toColumn(this.#vault, this.#of(member), value)
  }

  /** Throws for an unknown field. */
  encode(members: object): Record<string, any> {
    const given = Object.entries(members).filter(([, value]) => value !== undefined)
    return Object.fromEntries(given.map(([member, value]) => [this.nameOf(member), this.value(member, value)]))
  }

  encodeLists(lists: object): Record<string, any[]> {
    const encoded = Object.entries(lists).map(([member, all]) => [
      this.nameOf(member),
      all.map((each: unknown) => this.value(member, each)),
    ])
    return Object.fromEntries(encoded)
  }

  /** Encodes a whole row with explicit nulls: all rows of an insert must name the same columns. */
  encodeRow(members: object): Record<string, any> {
    const empty = [...this.#columns.values()].filter(({ nullable, optional }) => nullable || optional)
    return { ...Object.fromEntries(empty.map(({ column }) => [column, null])), ...this.encode(members) }
  }

  decode(columns: Record<string, any>): Record<string, unknown> {
    const members = [...this.#columns.values()]
      .filter(({ column }) => column in columns)
      .map((column) => [column.member, fromColumn(this.#vault, column, columns[column.column])] as const)
    return Object.fromEntries(members.filter(([, value]) => value !== undefined))
  }

  #of(member: string): Column {
    const column = this.#columns.get(member)
    if (column) return column
    throw new Error(`${this.#table} has no field ${member}; it has ${[...this.#columns.keys()].join(', ')}`)
  }
}

function columnsOf(schema: TObject, sealed: readonly string[], names: Record<string, string>): Column[] {
  const required = new Set<string>(schema.required as string[] | undefined)
  return Object.entries(schema.properties as Record<string, SchemaNode>).map(([member, node]) => {
    const variants = node.anyOf ?? [node]
    const present = variants.filter((variant) => variant.type !== 'null')
    const shapes = new Set(present.map(shapeOf))
    const [shape = 'json'] = shapes
    return {
      member,
      column: names[member] ?? member,
      shape: sealed.includes(member) ? 'sealed' : shapes.size === 1 ? shape : 'json',
      nullable: present.length < variants.length,
      optional: !required.has(member),
    }
  })
}

function shapeOf(node: SchemaNode): Shape {
  const values = node.enum ?? ('const' in node ? [node.const] : null)
  const types = new Set(values ? values.map((value) => typeof value) : [node.type])
  if (types.size !== 1) return 'json'
  switch ([...types][0]) {
    case 'string':
      return 'text'
    case 'number':
    case 'integer':
      return 'number'
    case 'boolean':
      return 'boolean'
    default:
      return 'json'
  }
}

/** Throws for a Secret in an unsealed column. */
function toColumn(vault: Vault, { member, shape, nullable, optional }: Column, value: unknown): unknown {
  if (isExpression(value)) return value
  if (value == null && (nullable || optional)) return null
  if (shape === 'sealed') return vault.stringify(value)
  mapSecrets(value, () => {
    throw new Error(
      `${member} contains a Secret, which only a sealed column can store: add "${member}" to the table's sealed`,
    )
  })
  if (shape === 'json') return JSON.stringify(value ?? null)
  return typeof value === 'string' ? storable(value) : value
}

function fromColumn(vault: Vault, { shape, nullable, optional }: Column, value: unknown): unknown {
  if (value == null) return optional && !nullable ? undefined : null
  switch (shape) {
    case 'boolean':
      return Boolean(value)
    case 'number':
      // PostgreSQL's driver returns bigint and numeric as text.
      return Number(value)
    case 'json':
      return JSON.parse(value as string)
    case 'sealed':
      return vault.parse(value as string)
    case 'text':
      return value
  }
}

/** `db.raw('version + 1')` */
function isExpression(value: unknown): value is Knex.Raw {
  return typeof value === 'object' && value !== null && typeof (value as Knex.Raw).toSQL === 'function'
}
