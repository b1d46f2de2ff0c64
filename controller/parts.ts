// What the controller is made of: given to it by the host and the composition root, or by a test.
import type { Config } from '../platform/core/config.ts'
import { seconds } from '../platform/service/settings.ts'
import type { World } from '../platform/service/world.ts'
import type { SourceSync } from '../schemas/source.ts'
import type { GitPlace } from './reading/git/clone-paths.ts'
import type { Reconciler } from './reconciler.ts'

export type SourceConfig = { name: string; sync?: SourceSync } & (
  | {
      /** Absolute path of the folder. */
      directory: string
    }
  | {
      git: GitPlace & {
        /** As people know it. */
        shown: string
        /** Name of the variable with the secret that the forge signs with; without one no webhook is heeded. */
        webhookVariable?: string
      }
    }
)

export const controllerSettings = {
  /** How long a manifest change waits for a busy agent before it restarts it all the same. */
  drainTimeoutSecs: seconds({ default: 600, variable: 'SVC_DRAIN_TIMEOUT_SECS' }),
  /** How long the live system has to answer when it is looked at; then what it would have said is unknown. */
  observeTimeoutSecs: seconds({ default: 10, variable: 'SVC_OBSERVE_TIMEOUT_SECS' }),
  /** How long one change of the live system may take; then its step has failed. */
  applyTimeoutSecs: seconds({ default: 120, variable: 'SVC_APPLY_TIMEOUT_SECS' }),
  /** How long nothing may have changed in a folder of manifests before it is read: who copies files is not read half. */
  settleSecs: seconds({ default: 0.25, variable: 'SVC_SETTLE_SECS' }),
}

/** As much of the world as the controller leans on. */
export type ControllerWorld = Pick<World<typeof controllerSettings>, 'db' | 'vault' | 'clock' | 'log' | 'settings'> & {
  /** Where writes by hand are refused that manifests block; none: they are drift. */
  guards?: World['guards']
  /** Reaches the service that tells people; none: nobody is told. */
  call?: World['call']
  /** A number in [0, 1) that spreads retries; none: chance. */
  random?: () => number
  config: Pick<Config, 'home' | 'env' | 'retentionDays' | 'dataDir'>
}

/** What the composition root knows and the controller does not. */
export interface Composition {
  /** In the order kinds are applied. */
  reconcilers: readonly Reconciler[]
  sources: readonly SourceConfig[]
}
