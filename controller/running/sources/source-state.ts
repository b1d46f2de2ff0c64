// What is known of a source while the daemon runs.
import type { Secret } from '../../../schemas/secret.ts'
import type { SourceHold, SourceSync } from '../../../schemas/source.ts'
import type { DesiredState, ManifestReader } from '../../reading/desired.ts'

export interface SourceState {
  name: string
  location: string
  /** Absolute: where the manifests stand, or would in a checkout. Missing: at the location. */
  root?: string
  /** Null for `apply:` sources: they are read when somebody applies them. */
  reader: ManifestReader | null
  /** What its forge signs with; none: no webhook is heeded. */
  webhookSecret?: Secret
  /** Of the configuration. */
  configured: SourceSync | undefined
  /** Of `svc.yaml`, as last read. */
  declared: SourceSync
  /** What was read last: a turn takes no older one than an earlier turn has taken. */
  read?: DesiredState
  revision: string | null
  /** What was tried last, taken or not. */
  attempted: string | null
  /** What the live system was last found or made equal to. */
  applied: string | null
  observedAt: string | null
  suspended: boolean
  /** An earlier revision that is in force by a rollback. */
  hold: SourceHold | null
  /** It is configured no more: what it still owns is left as it is until somebody says whose it shall be. */
  orphaned?: boolean
  error: string | null
  /** Faults that the last plan found where desired met live and what others own. */
  planFaults?: string | null
  /** What the log was told last of its faults: once a revision, not once a pass. */
  told?: { reading?: string; planning?: string }
  /** Why the last pass held deletions back. */
  held?: string | null
}
