// A history per seed: applies, manual changes, restarts and clock changes, with slow and failing services, lost events
// and a full database.
import { TestClock } from '../../platform/core/clock.ts'
import { openDatabase, type Knex } from '../../platform/database/database.ts'
import { numbers, Random } from '../support/random.ts'
import { Scheduler } from './scheduler.ts'
import { CampaignStand, person } from './stand.ts'
import { idsOf, teamOf, written, type Declared } from './team.ts'

const START = Date.UTC(2030, 0, 1)
const STEPS = 8
const MINUTE = 60_000
const MOST_TRIES = 8

const EVENTS = { apply: 5, hand: 4, pass: 4, restart: 1, clock: 1, full: 1 } as const

/** Manual changes by kind. */
const BY_HAND: Readonly<Record<string, object>> = {
  policies: { description: 'by hand' },
  rooms: { topic: 'by hand' },
  documents: { content: 'by hand' },
  agents: { prompt: 'by hand', shell: 'zsh' },
  workflows: { enabled: false, prompt_template: 'by hand' },
}

export interface History {
  trace: string[]
  /** Descriptions of violated laws. */
  broken: string[]
  faults: number
}

class Simulation {
  readonly #random: Random
  readonly #clock = new TestClock(START)
  readonly #scheduler: Scheduler
  /** Constant per seed, because simultaneous failures draw it in any order. */
  readonly #spread: number
  readonly #db: Knex
  #stand!: CampaignStand
  #team: Declared[] = []
  #isFaulty = true
  #isFull = false
  faults = 0

  constructor(seed: number, db: Knex) {
    this.#random = new Random(seed)
    this.#db = db
    this.#spread = numbers(seed)()
    this.#scheduler = new Scheduler(this.#random, this.#clock, db)
  }

  async play(): Promise<History> {
    this.#stand = await CampaignStand.create(this.#throughFull(), this.#clock, () => this.#spread)
    const { services } = this.#stand
    services.before = (call, id) => this.#call(`${call} ${id}`, 0.1)
    services.after = (call, id) => this.#call(`${call} ${id} answers`, 0.05)
    services.isPublished = () => !this.#isFaulty || !this.#random.chance(0.3)
    await this.#start()
    for (let step = 0; step < STEPS; step++) await this.#take(this.#random.weighted(EVENTS))
    const broken = await this.#end()
    await this.#scheduler.drive(this.#stand.close())
    return { trace: this.#scheduler.trace, broken, faults: this.faults }
  }

  async #start(): Promise<void> {
    await this.#scheduler.drive(this.#stand.controller.start())
  }

  /** Waits for the scheduler, then returns, delays or fails at random. */
  async #call(label: string, share: number): Promise<void> {
    await this.#scheduler.park(label)
    if (!this.#isFaulty) return
    const [isLate, fails] = [this.#random.chance(share), this.#random.chance(share)]
    if (isLate) {
      const lateMs = this.#random.whole(20_000)
      this.#fault(`${label} is ${lateMs} ms late`)
      await new Promise<void>((resolve) => this.#clock.after(lateMs, resolve))
    }
    if (fails) {
      this.#fault(`${label} fails`)
      throw new Error(`${label} failed`)
    }
  }

  #fault(what: string): void {
    this.faults++
    this.#scheduler.note(what)
  }

  async #take(event: keyof typeof EVENTS): Promise<void> {
    const { services } = this.#stand
    this.#scheduler.note(`-- ${event}`)
    if (event === 'apply') {
      this.#team = teamOf(this.#random)
      await this.#apply()
    }
    if (event === 'hand') {
      const names = services.names()
      const [kind, name] = (names.length > 0 ? this.#random.pick(names) : 'rooms/none').split('/') as [string, string]
      services.changeByHand(kind, name, this.#random.chance(0.3) ? null : (BY_HAND[kind] ?? null))
    }
    if (event === 'pass') await this.#scheduler.pass(this.#random.whole(5 * MINUTE))
    if (event === 'clock') this.#clock.set((this.#random.whole(120) - 60) * MINUTE)
    if (event === 'full') await this.#whileFull()
    if (event === 'restart') {
      await this.#scheduler.drive(this.#stand.controller.stop())
      await this.#scheduler.drive(this.#stand.open())
      await this.#start()
    }
  }

  /** Returns the run status; null if the apply threw. */
  async #apply(): Promise<string | null> {
    const input = { manifests: written(this.#team, this.#random), root: this.#stand.folder, prune: true }
    const guarded = await this.#scheduler.drive(this.#stand.controller.plan(input, person)).catch(() => null)
    const override = guarded?.guard ? { prune_override: guarded.guard.hash } : {}
    const applied = this.#stand.controller.apply({ ...input, ...override }, person, () => undefined)
    const outcome = await this.#scheduler.drive(applied).then(
      (run) => run.status,
      () => null,
    )
    this.#scheduler.note(`applied: ${outcome}`)
    return outcome
  }

  async #whileFull(): Promise<void> {
    this.#isFull = true
    this.#fault('the database is full')
    await this.#scheduler.pass(this.#random.whole(MINUTE))
    this.#isFull = false
  }

  #throughFull(): Knex {
    const transaction = (...args: Parameters<Knex['transaction']>) => {
      if (this.#isFull) throw Object.assign(new Error('SQLITE_FULL: database or disk is full'), { code: 'SQLITE_FULL' })
      return this.#db.transaction(...args)
    }
    return new Proxy(this.#db, {
      get: (target, member) => (member === 'transaction' ? transaction : Reflect.get(target, member)),
    })
  }

  /** Disables faults, applies until success and checks the laws. */
  async #end(): Promise<string[]> {
    this.#isFaulty = false
    this.#scheduler.note('-- the end')
    await this.#scheduler.pass(MINUTE)
    if (this.#team.length === 0) this.#team = teamOf(this.#random)
    let outcome: string | null = null
    for (let tries = 0; outcome !== 'succeeded' && tries < MOST_TRIES; tries++) {
      outcome = await this.#apply()
      await this.#scheduler.pass(10 * MINUTE)
    }
    const broken = outcome === 'succeeded' ? [] : [`did not converge: last run ${outcome}`]
    return [...broken, ...(await this.#scheduler.drive(this.#laws()))]
  }

  async #laws(): Promise<string[]> {
    const { controller, services, folder } = this.#stand
    const declared = idsOf(this.#team)
    const plan = await controller.plan(
      { manifests: written(this.#team, this.#random), root: folder, keep_drift: true },
      person,
    )
    const owned = (await controller.resources({}, { limit: 200, offset: 0 })).items.map(({ id }) => id).sort()
    const drift = (await controller.drift({ open: true })).items
    const intents = await this.#db('controller_intents').select()
    const found: [law: string, seen: unknown, wanted: unknown][] = [
      ['live state equals desired state, without duplicates', services.names(), declared],
      ['the inventory equals live state', owned, declared],
      ['the plan is empty', plan.steps, []],
      ['no drift exists', [plan.drift, drift.map(({ path }) => path)], [[], []]],
      ['no intent is open', intents, []],
    ]
    return found.flatMap(([law, seen, wanted]) => {
      const [a, b] = [JSON.stringify(seen), JSON.stringify(wanted)]
      return a === b ? [] : [`${law}: got ${a}, expected ${b}`]
    })
  }
}

export async function simulate(seed: number): Promise<History> {
  const db = openDatabase('sqlite::memory:')
  try {
    return await new Simulation(seed, db).play()
  } finally {
    await db.destroy()
  }
}
