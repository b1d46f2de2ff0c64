// A database that refuses one write of a piece of work, and then the next one, until the work gets through.
import type { Knex } from '../../../platform/database/database.ts'

const WRITE = /^(with .*\) )?(insert|update|delete)/is

interface Statement {
  sql: string
  bindings?: readonly unknown[]
}

/** Refuses the n-th write from now on, of those that `which` is true for, until it is stopped. */
export function refuseWrite(
  db: Knex,
  failAt: number,
  which: (statement: Statement) => boolean = () => true,
): { done(): boolean; stop(): void } {
  let seen = 0
  const refuse = (statement: Statement) => {
    if (WRITE.test(statement.sql) && which(statement) && ++seen === failAt)
      throw new Error(`write ${failAt} was refused`)
  }
  db.on('query', refuse)
  return { done: () => seen >= failAt, stop: () => void db.removeListener('query', refuse) }
}

/**
 * Runs `work` again and again: in the n-th run its n-th write fails, and `after` looks at what is left. Resolves
 * with the number of runs that failed once one did not.
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
    if (!failed) throw new Error(`the work went on although its write ${failAt} was refused`)
    await after()
  }
}
