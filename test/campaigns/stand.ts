// A controller with every kind, on a real database and services in memory.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createController, type Controller } from '../../controller/index.ts'
import { controllerMigrations } from '../../controller/migrations.ts'
import type { Clock } from '../../platform/core/clock.ts'
import { migrate, type Knex } from '../../platform/database/database.ts'
import { readConfig } from '../../platform/core/config.ts'
import { noLog } from '../../platform/core/log/log.ts'
import { Vault } from '../../platform/secrets/vault.ts'
import { kinds } from '../../schemas/kinds.ts'
import { MemoryServices } from './memory-services.ts'

const TABLES = ['intents', 'steps', 'runs', 'inventory', 'drift', 'sources', 'sent', 'cursors']
export const person = { actor: 'mira', requestId: 'r-1', endpoint: 'test' }

export class CampaignStand {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-campaign-'))
  readonly services = new MemoryServices(kinds)
  controller!: Controller
  readonly #db: Knex
  readonly #clock: Clock
  readonly #vault = Vault.ephemeral()

  readonly #random: (() => number) | undefined

  private constructor(db: Knex, clock: Clock, random?: () => number) {
    this.#db = db
    this.#clock = clock
    this.#random = random
  }

  /** Empties the database. `random` spreads retries. */
  static async create(db: Knex, clock: Clock, random?: () => number): Promise<CampaignStand> {
    const stand = new CampaignStand(db, clock, random)
    await migrate(db, controllerMigrations)
    for (const table of TABLES) await db(`controller_${table}`).delete()
    await stand.open()
    return stand
  }

  /** Opens a new controller on the same state. */
  async open(): Promise<void> {
    this.controller = await createController(
      {
        db: this.#db,
        vault: this.#vault,
        clock: this.#clock,
        log: noLog,
        ...(this.#random && { random: this.#random }),
        settings: {
          drainTimeoutSecs: 600,
          observeTimeoutSecs: 10,
          applyTimeoutSecs: 120,
          settleSecs: 0.25,
          widening: 'hold',
        },
        config: readConfig({ HOME: this.folder, SVC_DATA_DIR: join(this.folder, '.data') }),
      },
      { reconcilers: this.services.reconcilers, sources: [] },
    )
  }

  async close(): Promise<void> {
    await this.controller.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
