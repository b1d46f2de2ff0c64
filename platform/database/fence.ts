// Fencing: every transaction of a database asks first, inside itself, whether this process still holds the leases it
// writes under.
import type { Knex } from 'knex'
import { unavailable, type Problem } from '../core/problem.ts'

/** A lease by its name and token; whoever takes it over gets a greater token. */
export interface HeldName {
  name: string
  token: number
}

/** As the driver gives it: a big number of PostgreSQL is text. */
export interface TokenRow {
  name: string
  token: number | string
}

export interface Fence {
  /** The table of leases: a row a name, with its token. */
  table: string
  held: readonly HeldName[]
  /** Called when a transaction was refused. */
  onLost(): void
}

/** A transaction of the database begins only while every lease of `fence` is held; null removes the fence. */
export function fenceTransactions(db: Knex, fence: Fence | null): void {
  db.userParams.fence = fence ?? undefined
}

/** The fence of a database, by the configuration that all of its transactions share. */
export function fenceOf(config: Knex.Config): Fence | undefined {
  return (config as { userParams?: { fence?: Fence } }).userParams?.fence
}

/** Serialises who writes with who takes a lease over: shared by the first, exclusive for the second (PostgreSQL). */
export const FENCE_KEY = 7_301_842_650_117

/** The present holders' tokens: a plain question, for it is asked with every transaction. Names are our own words. */
export function tokensOf({ table, held }: Fence): string {
  const names = held.map(({ name }) => `'${name.replaceAll("'", "''")}'`)
  return `SELECT name, token FROM ${table} WHERE name IN (${names.join(', ')})`
}

/** Whether the tokens are still those it was given. */
export function isHeld({ held }: Fence, rows: readonly TokenRow[]): boolean {
  return held.every(({ name, token }) => rows.some((row) => row.name === name && Number(row.token) === token))
}

/** The 503 of what a daemon refuses to do that lost its leases. */
export function leaseLost(): Problem {
  return unavailable(
    'another daemon has taken the database over: this one writes no more and ends; ask the one that runs now',
    'lease-lost',
  )
}

/** Lets a transaction go on that has begun, and of which nothing has run yet; undoes it and throws where a lease is lost. */
export async function undoUnlessHeld(
  fence: Fence,
  tokens: Promise<TokenRow[]>,
  undo: () => Promise<unknown>,
): Promise<void> {
  try {
    if (isHeld(fence, await tokens)) return
  } catch (error) {
    await undo()
    throw error
  }
  await undo()
  fence.onLost()
  throw leaseLost()
}
