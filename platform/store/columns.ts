// How the members of a row stand in the columns of a table, derived from their schema; the same on both databases.
import type { TObject } from 'typebox'
import type { Knex } from '../database/database.ts'
import { mapSecrets, type Vault } from '../secrets/vault.ts'

/** How one member is kept. JSON and sealed members are text columns; booleans are 0 and 1 on SQLite. */
type Shape = 'text' | 'number' | 'boolean' | 'json' | 'sealed'

interface Column {
  member: string
  column: string
  shape: Shape
  /** `null` stands as SQL NULL; otherwise a JSON member keeps its null as text. */
  nullable: boolean
  /** A member that may be left out: NULL in the table, absent in the row. */
  optional: boolean
}

interface SchemaNode {
  type?: string
  anyOf?: SchemaNode[]
  enum?: unknown[]
  const?: unknown
}

/** Text from outside as both databases take it: PostgreSQL refuses NUL. */
export const storable = (text: string): string => text.replaceAll('\0', '\uFFFD')

export interface ColumnOptions {
  /** Members whose Secrets are encrypted. */
  sealed?: readonly string[]
  /** Columns that are called otherwise than their member. */
  names?: Record<string, string>
}

/** The columns of one table: rows to columns and back. */
export class Columns {
  readonly #table: string
  readonly #vault: Vault
  readonly #columns: ReadonlyMap<string, Column>

  constructor(table: string, schema: TObject, vault: Vault, { sealed = [], names = {} }: ColumnOptions = {}) {
    this.#table = table
    this.#vault = vault
    this.#columns = new Map(columnsOf(schema, sealed, names).map((column) => [column.member, column]))
  }

  /** Names of all columns. */
  names(): string[] {
    return [...this.#columns.values()].map(({ column }) => column)
  }

  /** Name of the column of a member. */
  nameOf(member: string): string {
    return this.#of(member).column
  }

  /** A value as the member's column keeps it. */
  value(member: string, value: unknown): unknown {
    return toColumn(this.#vault, this.#of(member), value)
  }

  /** The members that are given, as columns. Throws for one that the table has not. */
  encode(members: object): Record<string, any> {
    const given = Object.entries(members).filter(([, value]) => value !== undefined)
    return Object.fromEntries(given.map(([member, value]) => [this.nameOf(member), this.value(member, value)]))
  }

  /** Several values of each member that is given, as its column keeps them. */
  encodeLists(lists: object): Record<string, any[]> {
    const encoded = Object.entries(lists).map(([member, all]) => [
      this.nameOf(member),
      all.map((each: unknown) => this.value(member, each)),
    ])
    return Object.fromEntries(encoded)
  }

  /** A whole row as columns, with null for what may be null: the rows of one insert name the same columns. */
  encodeRow(members: object): Record<string, any> {
    const empty = [...this.#columns.values()].filter(({ nullable, optional }) => nullable || optional)
    return { ...Object.fromEntries(empty.map(({ column }) => [column, null])), ...this.encode(members) }
  }

  /** The members of those columns that are there. */
  decode(columns: Record<string, any>): Record<string, unknown> {
    const members = [...this.#columns.values()]
      .filter(({ column }) => column in columns)
      .map((column) => [column.member, fromColumn(this.#vault, column, columns[column.column])] as const)
    return Object.fromEntries(members.filter(([, value]) => value !== undefined))
  }

  #of(member: string): Column {
    const column = this.#columns.get(member)
    if (column) return column
    throw new Error(`${this.#table} has no member ${member}; it has ${[...this.#columns.keys()].join(', ')}`)
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

/** What a column is given for a member's value. Throws for a Secret in a column that is not sealed. */
function toColumn(vault: Vault, { member, shape, nullable, optional }: Column, value: unknown): unknown {
  if (isExpression(value)) return value
  if (value == null && (nullable || optional)) return null
  if (shape === 'sealed') return vault.stringify(value)
  mapSecrets(value, () => {
    throw new Error(`${member} holds a Secret, which only a sealed column keeps: add "${member}" to the table's sealed`)
  })
  if (shape === 'json') return JSON.stringify(value ?? null)
  return typeof value === 'string' ? storable(value) : value
}

/** The member's value out of what the driver returned; undefined for an optional member that is not there. */
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

/** An expression such as `db.raw('version + 1')`, which the database evaluates. */
function isExpression(value: unknown): value is Knex.Raw {
  return typeof value === 'object' && value !== null && typeof (value as Knex.Raw).toSQL === 'function'
}
