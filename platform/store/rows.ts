// What a table is asked by: which rows, in which order, and what of them changes.
import type { Knex } from '../database.ts'
import type { Order } from './page.ts'

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
  most: number
}
