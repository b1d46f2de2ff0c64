// What the engine is made of: given to it by the daemon, or by a test.
import type { Clock } from '../platform/clock.ts'
import type { Knex } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Vault } from '../platform/vault.ts'
import type { KindDefinition } from '../schemas/kind.ts'
import type { SourceSync } from '../schemas/source.ts'
import type { Reconciler } from './reconciler.ts'

export interface SourceConfig {
  name: string
  /** Absolute path of the folder. */
  directory: string
  sync?: SourceSync
}

export interface ControllerParts {
  db: Knex
  vault: Vault
  clock: Clock
  log: Log
  /** In the order kinds are applied. */
  reconcilers: readonly Reconciler[]
  kindsToCome: readonly { kind: string; title: string; manifestKind: string }[]
  sources: readonly SourceConfig[]
  home: string
  env: Readonly<Record<string, string | undefined>>
  /** Seconds a manifest change waits for a busy resource before it interrupts it. */
  drainTimeoutSecs: number
  /** Milliseconds between full passes that nothing woke. Default 120 000. */
  resyncMs?: number
}

export function definitionsOf(reconcilers: readonly Reconciler[]): KindDefinition<any>[] {
  return reconcilers.map((reconciler) => reconciler.definition)
}
