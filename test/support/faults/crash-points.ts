// A process that dies, inside this one: after its n-th point, an effect or a committed write, nothing that it begins
// comes about any more. What it leaves is what the next one finds.
import type { Knex } from '../../../platform/database/database.ts'

export class CrashPoints {
  dead = false
  #passed = 0
  #deadly = Number.POSITIVE_INFINITY

  /** Dies right after the n-th point from now on. */
  arm(n: number): void {
    this.#passed = 0
    this.#deadly = n
  }

  /** The next process, which lives. */
  revive(): void {
    this.dead = false
    this.#deadly = Number.POSITIVE_INFINITY
  }

  /** Call before an effect. */
  alive(): void {
    if (this.dead) throw new Error('the process is dead')
  }

  /** Call after an effect. */
  passed(): void {
    this.#passed++
    if (this.#passed === this.#deadly) this.dead = true
    this.alive()
  }

  /** The database as that process has it. */
  through(db: Knex): Knex {
    const transaction = async <T>(work: (transaction: Knex.Transaction) => Promise<T>) => {
      this.alive()
      const done = await db.transaction(async (open) => {
        const result = await work(open)
        this.alive()
        return result
      })
      this.passed()
      return done
    }
    return new Proxy(db, {
      get: (target, member) => (member === 'transaction' ? transaction : Reflect.get(target, member)),
    })
  }
}
