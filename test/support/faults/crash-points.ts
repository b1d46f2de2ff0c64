// Simulates a crash in this process: after the n-th effect or committed write, nothing else has an effect.
import type { Knex } from '../../../platform/database/database.ts'

export class CrashPoints {
  dead = false
  #passed = 0
  #deadly = Number.POSITIVE_INFINITY

  /** Crashes after the n-th point from now. */
  arm(n: number): void {
    this.#passed = 0
    this.#deadly = n
  }

  revive(): void {
    this.dead = false
    this.#deadly = Number.POSITIVE_INFINITY
  }

  /** Call before an effect. */
  alive(): void {
    if (this.dead) throw new Error('the simulated process has crashed')
  }

  /** Call after an effect. */
  passed(): void {
    this.#passed++
    if (this.#passed === this.#deadly) this.dead = true
    this.alive()
  }

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
