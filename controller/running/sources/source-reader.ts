// The reader of a source, by where the configuration says that it stands.
import type { KnownKinds } from '../../reading/desired-state.ts'
import { join } from 'node:path'
import { Secret } from '../../../schemas/secret.ts'
import type { ControllerWorld, SourceConfig } from '../../parts.ts'
import { DirectorySource } from '../../reading/folder/directory-source.ts'
import { GitSource } from '../../reading/git/git-source.ts'
import type { SourceState } from './source-state.ts'
import { conflict } from '../../../platform/core/problem.ts'
import { type SignedDelivery, checkSignature } from '../../../platform/forge/webhook-signature.ts'

/** Where the manifests of a source stand: what their paths are relative to. */
export const rootOf = ({ root, location }: Pick<SourceState, 'root' | 'location'>): string => root ?? location

/** How a source of the configuration is read. */
export function readerOf(
  source: SourceConfig,
  { config, settings, clock, log }: Pick<ControllerWorld, 'config' | 'settings' | 'clock' | 'log'>,
  known: KnownKinds,
): Pick<SourceState, 'location' | 'root' | 'reader' | 'webhookSecret'> {
  const { home, env, dataDir } = config
  if ('directory' in source) {
    const { directory } = source
    const settleMs = settings.settleSecs * 1000
    return { location: directory, reader: new DirectorySource({ ...known, root: directory, home, log, settleMs }) }
  }
  const folder = join(dataDir, 'sources', source.name)
  const reader = new GitSource({ ...known, place: source.git, folder, home, env, clock, log })
  const { shown, path, webhookVariable } = source.git
  const secret = webhookVariable === undefined ? undefined : env[webhookVariable]
  return {
    location: shown,
    root: join(reader.project, path),
    reader,
    ...(secret ? { webhookSecret: new Secret(secret) } : {}),
  }
}

/**
 * Fetches a repository soon whose forge says that something was pushed. Throws 409 for a source that expects no forge, 401
 * for what is not signed with its secret.
 */
export function hastenSource({ name, reader, webhookSecret }: SourceState, delivery: SignedDelivery): void {
  if (!reader?.remote)
    throw conflict(`source ${name} is no git repository that is fetched: there is nothing to be told of`)
  if (!webhookSecret)
    throw conflict(
      `source ${name} heeds no webhook: name the variable with its secret under git: { webhook_secret_variable: NAME }`,
    )
  checkSignature(webhookSecret, delivery)
  reader.remote.hasten()
}
