import type { Config } from '../core/config.ts'
import type { DesiredFiles } from '../files/desired-files.ts'
import type { Clock } from '../core/clock.ts'
import type { FreeDisk } from '../core/free-disk.ts'
import type { Knex } from '../database/database.ts'
import type { ClientOf } from '../http/client.ts'
import type { Log } from '../core/log/log.ts'
import type { Mux } from '../terminal/mux.ts'
import type { UserMux } from '../terminal/user-mux.ts'
import type { Vault } from '../secrets/vault.ts'
import type { OperationGroup, Placed } from '../../schemas/operations/operation.ts'
import type { Bus } from '../store/bus.ts'
import type { Leases } from '../store/lease.ts'
import type { WriteGuards } from '../store/write-guards.ts'
import type { RefusedCalls } from './refused-calls.ts'
import type { Settings, Values } from './settings.ts'
import type { SiblingOptions } from './siblings.ts'

export interface Adapters {
  mux: Mux
  userMux: UserMux
  /** Path of the bridge program. */
  bridge: string
}

export interface World<S extends Settings = Settings> extends Adapters {
  db: Knex
  vault: Vault
  clock: Clock
  log: Log
  config: Config
  settings: Values<S>
  bus: Bus
  leases: Leases
  guards: WriteGuards
  desired: DesiredFiles
  /** Proves to other processes of this system that this one is a service. */
  serviceToken: string
  refusedCalls: RefusedCalls
  disk: FreeDisk
  ids(): string
  /** Own address: `http://127.0.0.1:17006`. Throws 503 until the port is bound. */
  address(): string
  addressOf(group: Placed): string
  call<G extends OperationGroup>(group: G, how?: Pick<SiblingOptions, 'forwards'>): ClientOf<G>
}
