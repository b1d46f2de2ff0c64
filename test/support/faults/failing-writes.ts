// Fails each write of some work in turn.
import type { Knex } from '../../../platform/database/database.ts'

const WRITE = /^(with .*\) )?(insert|update|delete)/is

interface Statement {
  sql: string
  bindings?: readonly unknown[]
}

/** Fails the n-th write that matches `which`, until `stop`. */
export function refuseWrite(
  db: Knex,
  failAt: number,
  which: (statement: Statement) => boolean = () => true,
): { done(): boolean; stop(): void } {
  let seen = 0
  const refuse = (statement: Statement) => {
    if (WRITE.test(statement.sql) && which(statement) && ++seen === failAt) throw new Error(`write ${failAt} failed`)
  }
  db.on('query', refuse)
  return { done: () => seen >= failAt, stop: () => void db.removeListener('query', refuse) }
}

/**
 * Repeats `work`; the n-th write fails in the n-th run. Calls `after` after each failure. Returns the number of failed
 * runs.
 */
export async function failing(db: Knex, work: () => Promise<unknown>, after: () => Promise<void>): Promise<number> {
  for (let failAt = 1; ; failAt++) {
    const refusals = refuseWrite(db, failAt)
    const failed = await work().then(
      () => false,
      () => true,
    )
    refusals.stop()
    if (!failed && !refusals.done()) return failAt - 1
    if (!failed) throw new Error(`the work succeeded although write ${failAt} failed`)
    await after()
  }
}
