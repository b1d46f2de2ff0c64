import type { Config } from '../platform/core/config.ts'
import type { ChangedFile } from '../platform/files/desired-files.ts'
import type { Places } from '../platform/files/closed-set.ts'
import { choice, seconds } from '../platform/service/settings.ts'
import type { World } from '../platform/service/world.ts'
import type { SandboxSpec } from '../schemas/sandbox/sandbox.ts'
import type { SourceSync } from '../schemas/source.ts'
import type { GitPlace } from './reading/git/git-options.ts'
import type { Reconciler } from './reconciler.ts'

export type SourceConfig = { name: string; sync?: SourceSync } & (
  | {
      directory: string
    }
  | {
      git: GitPlace & {
        /** For display. */
        shown: string
        /** Variable with the webhook secret; without one, webhooks are rejected. */
        webhookVariable?: string
      }
    }
)

export const controllerSettings = {
  /** Longest wait for a busy agent before a restart. */
  drainTimeoutSecs: seconds({ default: 600, variable: 'SVC_DRAIN_TIMEOUT_SECS' }),
  /** Time-out of an observation; then the resource is unknown. */
  observeTimeoutSecs: seconds({ default: 10, variable: 'SVC_OBSERVE_TIMEOUT_SECS' }),
  /** Time-out of a live change; then its step fails. */
  applyTimeoutSecs: seconds({ default: 120, variable: 'SVC_APPLY_TIMEOUT_SECS' }),
  /** Time without changes before a manifest folder is read, so that half-copied files are not. */
  settleSecs: seconds({ default: 0.25, variable: 'SVC_SETTLE_SECS' }),
  /** Whether widening steps wait for a person if an agent could have written them. */
  widening: choice(['hold', 'mark'], { default: 'hold', variable: 'SVC_WIDENING' }),
}

export type ControllerWorld = Pick<World<typeof controllerSettings>, 'db' | 'vault' | 'clock' | 'log' | 'settings'> & {
  /** Rejects manual writes of blocked fields; without it, they are drift. */
  guards?: World['guards']
  /** Learns which files agents must not write. */
  desired?: World['desired']
  /** Without it, the user is not notified. */
  call?: World['call']
  /** In [0, 1), for jitter; default Math.random. */
  random?: () => number
  config: Places & Pick<Config, 'retentionDays'>
}

export interface Composition {
  /** In apply order. */
  reconcilers: readonly Reconciler[]
  sources: readonly SourceConfig[]
  /** Of agents whose manifest and policy set none; default auto. */
  defaultSandbox?: SandboxSpec
  /** Names, by path, of agents that could have written the file without a person. Without it, none could. */
  writersOf?: (files: readonly ChangedFile[]) => Promise<ReadonlyMap<string, readonly string[]>>
}
