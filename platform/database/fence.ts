// Fencing: every transaction first checks that this process still holds its leases.
import type { Knex } from 'knex'
import { unavailable, type Problem } from '../core/problem.ts'

export interface HeldName {
  name: string
  token: number
}

/** PostgreSQL bigints are strings. */
export interface TokenRow {
  name: string
  token: number | string
}

export interface Fence {
  table: string
  held: readonly HeldName[]
  onLost(): void
}

/** Every later transaction checks `fence`; null removes it. */
export function fenceTransactions(db: Knex, fence: Fence | null): void {
  db.userParams.fence = fence ?? undefined
}

export function fenceOf(config: Knex.Config): Fence | undefined {
  return (config as { userParams?: { fence?: Fence } }).userParams?.fence
}

/** Advisory lock on PostgreSQL: writers hold it shared, a takeover exclusively. */
export const FENCE_KEY = 7_301_842_650_117

/** Inlines the names, because a multi-statement query has no parameters. */
export function tokensOf({ table, held }: Fence): string {
  const names = held.map(({ name }) => `'${name.replaceAll("'", "''")}'`)
  return `SELECT name, token FROM ${table} WHERE name IN (${names.join(', ')})`
}

export function isHeld({ held }: Fence, rows: readonly TokenRow[]): boolean {
  return held.every(({ name, token }) => rows.some((row) => row.name === name && Number(row.token) === token))
}

export function leaseLost(): Problem {
  return unavailable(
    'another daemon has taken over the database: this one has stopped writing and is shutting down; use the other daemon',
    'lease-lost',
  )
}

/** Rolls back and throws if a lease is lost. Call before the first statement. */
export async function rollBackUnlessHeld(
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
