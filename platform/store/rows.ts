// What a table is told: how its rows follow from a schema, which of them are meant, in which order, and what changes.
import type { Static, TObject, TProperties } from 'typebox'
import type { Knex } from '../database/database.ts'
import type { Order } from './page.ts'

/** Members of `schema` with those of `Hidden` added (or put in their place), and without the computed ones. */
export type RowOf<S extends TObject, Hidden extends TProperties, Computed extends PropertyKey> = Omit<
  Static<S>,
  Computed | keyof Hidden
> &
  Static<TObject<Hidden>>

export interface TableOptions<
  S extends TObject,
  Hidden extends TProperties,
  Computed extends keyof Static<S>,
  Given extends keyof RowOf<S, Hidden, Computed>,
> {
  /** What a row is called where it is missing: `workflow` in "workflow 1f3c does not exist". */
  what: string
  /** The columns that identify a row; default `['id']`. */
  key?: readonly (keyof RowOf<S, Hidden, Computed> & string)[]
  /** Columns that the row has and the record has not, or members that the row holds in another form than the record. */
  private?: Hidden
  /** Members of the record that are no column: whoever makes a record adds them. */
  computed?: readonly Computed[]
  /** Members whose Secrets are encrypted: a Secret itself, or JSON that may hold some. */
  sealed?: readonly (keyof RowOf<S, Hidden, Computed> & string)[]
  /** Members kept in a column of another name. */
  columns?: Partial<Record<keyof RowOf<S, Hidden, Computed>, string>>
  /** Values of members that an insert may leave out. */
  defaults?: { [K in Given]: RowOf<S, Hidden, Computed>[K] }
  /** The table has a `version` that every update counts up, for `versionedList`. */
  versioned?: boolean
  /** Order of lists and pages, in columns; default `['seq']`, the newest first. */
  order?: readonly Order[]
}

type Scalar<T> = Extract<T, string | number | boolean | null>
/** Members with the value, or one of the values, they must have; or a function that narrows the query by columns. */
export type Where<Row> =
  | { [K in keyof Row]?: Scalar<Row[K]> | readonly Scalar<Row[K]>[] }
  | ((query: Knex.QueryBuilder) => void)
/** The value of the first key column, or conditions. */
export type Which<Row> = string | number | Where<Row>

type Omissible<Row, Given> = { [K in keyof Row]-?: K extends Given ? K : null extends Row[K] ? K : never }[keyof Row]
/** A row to insert: members that may be null, or have a default, may be left out. */
export type NewRow<Row, Given extends keyof Row> = Omit<Row, Omissible<Row, Given>> &
  Partial<Pick<Row, Omissible<Row, Given>>>
/** Members to change; a value may be an expression such as `db.raw('attempt + 1')`. */
export type RowPatch<Row> = { [K in keyof Row]?: Row[K] | Knex.Raw }

export interface ListOptions<Row> {
  /** Default all. A member that is undefined is no condition. */
  where?: Where<Row>
  /** Default the table's. */
  order?: readonly Order[]
  /** Holds the rows until the end of the transaction; default false. */
  hold?: boolean
}

export interface ClaimOptions<Row> extends Pick<ListOptions<Row>, 'order'> {
  where: Where<Row>
  set: RowPatch<Row>
  /** Members of text that each row has a value of its own for, in the order they are taken: `most` of them. */
  each?: { [K in keyof Row as Extract<Row[K], string> extends never ? never : K]?: readonly string[] }
  most: number
}
