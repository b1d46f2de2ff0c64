// Crashes of a run in this process: after one of its effects, nothing has an effect any more. A crash before an effect is
// one after the effect before it.
import { systemClock, type Clock } from '../../../platform/core/clock.ts'
import type { Knex } from '../../../platform/database/database.ts'
import type { ConductorRun } from '../../../schemas/conductor/run.ts'
import { performRun, type RunParts } from '../../../services/conductor/execution/run.ts'
import { Runs } from '../../../services/conductor/runs.ts'
import type { ServiceStand } from '../../support/services.ts'
import { runWorld } from './run-world.ts'

export class Crash extends Error {}

/** Counts the effects of a run, and ends it after effect `at`. 0: never. */
export class Crashes {
  count = 0
  readonly #at: number
  #isOver = false

  constructor(at = 0) {
    this.#at = at
  }

  /** Before a call. Throws after the crash. */
  before(): void {
    if (this.#isOver) throw new Crash('the run has crashed')
  }

  /** After an effect. */
  after(): void {
    if (++this.count === this.#at) this.#isOver = true
    this.before()
  }

  /** Calls `target`; the methods that `isEffect` selects count. */
  around<T extends object>(target: T, isEffect: (method: string) => boolean): T {
    return new Proxy(target, {
      get: (_target, name: string) => {
        const member = Reflect.get(target, name, target) as unknown
        if (typeof member !== 'function') return member
        return async (...input: unknown[]) => {
          this.before()
          const reply: unknown = await member.apply(target, input)
          if (isEffect(name)) this.after()
          return reply
        }
      },
    })
  }
}

/** The world of a run beside the services of `stand`; writes to them and to the database count as effects. */
export const crashingWorld = (
  { db, host }: Pick<ServiceStand, 'db' | 'host'>,
  crashes: Crashes,
  clock: Clock = systemClock,
): RunParts['world'] =>
  runWorld(
    { host, db: crashingDatabase(db, crashes) },
    { clock, wrap: (client) => crashes.around(client, (method) => /^(create|delete)/.test(method)) },
  )

/** Each transaction is an effect. */
function crashingDatabase(db: Knex, crashes: Crashes): Knex {
  const own = {
    // Without the group of the other services, whose transactions are none of the run.
    userParams: {},
    transaction: async (work: (transaction: Knex.Transaction) => Promise<unknown>) => {
      crashes.before()
      const result = await db.transaction(work)
      crashes.after()
      return result
    },
  }
  return new Proxy(db, { get: (target, name) => Reflect.get(name in own ? own : target, name) as unknown })
}

/** Performs a run and stores it, as the service does. Null after a crash. */
export async function runUntilCrash(parts: Omit<RunParts, 'lastEnded' | 'mention' | 'signal'>) {
  const runs = new Runs(parts.world)
  const { signal } = new AbortController()
  const lastEnded = () => runs.lastEnded(parts.repository)
  try {
    const run: ConductorRun = await performRun({ ...parts, mention: '@ada', lastEnded, signal })
    if (!parts.isDry) await runs.keep(run)
    return run
  } catch (error) {
    if (error instanceof Crash) return null
    throw error
  }
}
