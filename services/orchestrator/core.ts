// What every part of the orchestrator leans on: the outside world, the feeds, and the seats of the agents.
import type { ChangeFeed } from '../../platform/change-feed.ts'
import { timestamp, type Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Knex } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Mux } from '../../platform/mux.ts'
import type { Vault } from '../../platform/vault.ts'
import type { LiveChange } from './face.ts'
import type { Seats } from './seats.ts'
import type { StreamHub } from './streams.ts'

export interface OrchestratorParts {
  db: Knex
  vault: Vault
  clock: Clock
  log: Log
  mux: Mux
  config: Pick<Config, 'dataDir' | 'agentCommand' | 'approvalTimeoutSecs' | 'home' | 'env'>
  /** Path of the bundled bridge. */
  bridge: string
  /** `ws://127.0.0.1:PORT`, once the agent socket listens. */
  socketUrl(): string
  /** The orchestrator's HTTP address, as agents see it. */
  httpUrl(): string
  /** Makes ids; default random UUIDs. */
  ids?(): string
}

export interface Core extends Omit<OrchestratorParts, 'ids'> {
  ids(): string
  seats: Seats
  streams: StreamHub
  feed: ChangeFeed<LiveChange>
  /** True from `stop()` on: no process is started, no prompt sent, no timer set. */
  stopping: boolean
  /** Agents created since the daemon started. */
  created: number
}

/** Text from outside as both databases take it: PostgreSQL refuses NUL. */
export const storable = (text: string): string => text.replaceAll('\0', '\uFFFD')

export const now = (core: Core): string => timestamp(core.clock)
