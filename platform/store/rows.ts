import type { Static, TObject, TProperties } from 'typebox'
import type { Knex } from '../database/database.ts'
import type { Order } from './page.ts'

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
  /** Name of a row in errors: `workflow`. */
  what: string
  /** Default `['id']`. */
  key?: readonly (keyof RowOf<S, Hidden, Computed> & string)[]
  /** Columns that the record lacks, or that it has in another form. */
  private?: Hidden
  /** Fields of the record without a column. */
  computed?: readonly Computed[]
  /** Fields whose Secrets are encrypted. */
  sealed?: readonly (keyof RowOf<S, Hidden, Computed> & string)[]
  columns?: Partial<Record<keyof RowOf<S, Hidden, Computed>, string>>
  defaults?: { [K in Given]: RowOf<S, Hidden, Computed>[K] }
  /** Every update increments `version`, for `versionedList`. */
  versioned?: boolean
  /** Default `['seq']`, newest first. */
  order?: readonly Order[]
}

type Scalar<T> = Extract<T, string | number | boolean | null>
/** Required values, or a function that narrows the query. */
export type Where<Row> =
  | { [K in keyof Row]?: Scalar<Row[K]> | readonly Scalar<Row[K]>[] }
  | ((query: Knex.QueryBuilder) => void)
/** The value of the first key column, or conditions. */
export type Which<Row> = string | number | Where<Row>

type Omissible<Row, Given> = { [K in keyof Row]-?: K extends Given ? K : null extends Row[K] ? K : never }[keyof Row]
/** Nullable fields and fields with a default are optional. */
export type NewRow<Row, Given extends keyof Row> = Omit<Row, Omissible<Row, Given>> &
  Partial<Pick<Row, Omissible<Row, Given>>>
/** Values may be expressions such as `db.raw('attempt + 1')`. */
export type RowPatch<Row> = { [K in keyof Row]?: Row[K] | Knex.Raw }

export interface ListOptions<Row> {
  /** Undefined fields are ignored. */
  where?: Where<Row>
  order?: readonly Order[]
  /** Locks the rows until the transaction ends. */
  hold?: boolean
}

export interface ClaimOptions<Row> extends Pick<ListOptions<Row>, 'order'> {
  where: Where<Row>
  set: RowPatch<Row>
  /** Fields with a different text per row: `most` values each, in claim order. */
  each?: { [K in keyof Row as Extract<Row[K], string> extends never ? never : K]?: readonly string[] }
  most: number
}
