// Parts provided to the controller by the host and the composition root.
import type { Config } from '../platform/core/config.ts'
import { seconds } from '../platform/service/settings.ts'
import type { World } from '../platform/service/world.ts'
import type { SourceSync } from '../schemas/source.ts'
import type { GitPlace } from './reading/git/clone-paths.ts'
import type { Reconciler } from './reconciler.ts'

export type SourceConfig = { name: string; sync?: SourceSync } & (
  | {
      /** Absolute path. */
      directory: string
    }
  | {
      git: GitPlace & {
        /** Display form. */
        shown: string
        /** Variable with the forge's webhook secret; without one, webhooks are rejected. */
        webhookVariable?: string
      }
    }
)

export const controllerSettings = {
  /** Longest wait for a busy agent before a restart, in seconds. */
  drainTimeoutSecs: seconds({ default: 600, variable: 'SVC_DRAIN_TIMEOUT_SECS' }),
  /** Time-out of an observation, in seconds; then the resource is unknown. */
  observeTimeoutSecs: seconds({ default: 10, variable: 'SVC_OBSERVE_TIMEOUT_SECS' }),
  /** Time-out of a live change, in seconds; then its step fails. */
  applyTimeoutSecs: seconds({ default: 120, variable: 'SVC_APPLY_TIMEOUT_SECS' }),
  /** Seconds without changes before a manifest folder is read, so that half-copied files are not read. */
  settleSecs: seconds({ default: 0.25, variable: 'SVC_SETTLE_SECS' }),
}

export type ControllerWorld = Pick<World<typeof controllerSettings>, 'db' | 'vault' | 'clock' | 'log' | 'settings'> & {
  /** Rejects manual writes of blocked fields; without it, they are drift. */
  guards?: World['guards']
  /** For notifications; none: the user is not notified. */
  call?: World['call']
  /** A number in [0, 1) for jitter; default Math.random. */
  random?: () => number
  config: Pick<Config, 'home' | 'env' | 'retentionDays' | 'dataDir'>
}

export interface Composition {
  /** In the order in which kinds are applied. */
  reconcilers: readonly Reconciler[]
  sources: readonly SourceConfig[]
}
