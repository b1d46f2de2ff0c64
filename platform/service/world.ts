// What a service leans on: the outside world behind small interfaces, handed in. Nothing global.
import type { Config } from '../core/config.ts'
import type { Clock } from '../core/clock.ts'
import type { Knex } from '../database/database.ts'
import type { ClientOf } from '../http/client.ts'
import type { Log } from '../core/log/log.ts'
import type { Mux } from '../terminal/mux.ts'
import type { UserMux } from '../terminal/user-mux.ts'
import type { Vault } from '../secrets/vault.ts'
import type { OperationGroup } from '../../schemas/operations/operation.ts'
import type { Bus } from '../store/bus.ts'
import type { Leases } from '../store/lease.ts'
import type { WriteGuards } from '../store/write-guards.ts'
import type { Settings, Values } from './settings.ts'

/** The parts of the machine that services ask for by name. */
export interface Adapters {
  mux: Mux
  /** The user's own terminals. */
  userMux: UserMux
  /** Path of the program that runs inside an agent's session. */
  bridge: string
}

export interface World<S extends Settings = Settings> extends Adapters {
  db: Knex
  vault: Vault
  clock: Clock
  log: Log
  config: Config
  settings: Values<S>
  /** Tells every daemon on the database that something moved. */
  bus: Bus
  /** Names that one daemon at a time may hold. */
  leases: Leases
  /** Those that may refuse what is written by hand; asked by every audit of a service in this process. */
  guards: WriteGuards
  /** Makes ids; random UUIDs. */
  ids(): string
  /** The service's own address, once its port is bound: `http://127.0.0.1:17006`. */
  address(): string
  /** Where a sibling is asked: `http://127.0.0.1:17004`. */
  addressOf(group: Pick<OperationGroup, 'service' | 'port'>): string
  /** The typed client of a sibling, over its address: as a stranger would ask it. */
  call<G extends OperationGroup>(group: G): ClientOf<G>
}
