// What the controller is made of: given to it by the host and the composition root, or by a test.
import type { Config } from '../platform/config.ts'
import { seconds } from '../platform/service/settings.ts'
import type { World } from '../platform/service/world.ts'
import type { KindDefinition } from '../schemas/kind.ts'
import type { SourceSync } from '../schemas/source.ts'
import type { Reconciler } from './reconciler.ts'

export interface SourceConfig {
  name: string
  /** Absolute path of the folder. */
  directory: string
  sync?: SourceSync
}

export const controllerSettings = {
  /** How long a manifest change waits for a busy agent before it restarts it all the same. */
  drainTimeoutSecs: seconds({ default: 600, variable: 'SVC_DRAIN_TIMEOUT_SECS' }),
}

/** As much of the world as the controller leans on. */
export type ControllerWorld = Pick<World<typeof controllerSettings>, 'db' | 'vault' | 'clock' | 'log' | 'settings'> & {
  config: Pick<Config, 'home' | 'env'>
}

/** What the composition root knows and the controller does not. */
export interface Composition {
  /** In the order kinds are applied. */
  reconcilers: readonly Reconciler[]
  kindsToCome: readonly { kind: string; title: string; manifestKind: string }[]
  sources: readonly SourceConfig[]
}

export function definitionsOf(reconcilers: readonly Reconciler[]): KindDefinition<any>[] {
  return reconcilers.map((reconciler) => reconciler.definition)
}
