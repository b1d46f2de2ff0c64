import type { KnownKinds } from '../../reading/desired-state.ts'
import { join } from 'node:path'
import { checkoutFolder, sourceFolder } from '../../../platform/git/source-folders.ts'
import { Secret } from '../../../schemas/secret.ts'
import type { ControllerWorld, SourceConfig } from '../../parts.ts'
import { DirectorySource } from '../../reading/folder/directory-source.ts'
import type { GitOptions } from '../../reading/git/git-options.ts'
import { GitSource } from '../../reading/git/git-source.ts'
import type { SourceState } from './source-state.ts'
import { ClosedSet } from '../../../platform/files/closed-set.ts'
import { conflict } from '../../../platform/core/problem.ts'
import { type SignedDelivery, checkSignature, secretMissing } from '../../../platform/forge/webhook-signature.ts'

/** Base of manifest paths. */
export const rootOf = ({ root, location }: Pick<SourceState, 'root' | 'location'>): string => root ?? location

export function readerOf(
  source: SourceConfig,
  { config, settings, clock, log }: Pick<ControllerWorld, 'config' | 'settings' | 'clock' | 'log'>,
  known: KnownKinds & Pick<GitOptions, 'busyIn'>,
): Pick<SourceState, 'location' | 'root' | 'reader' | 'webhookSecret'> {
  const { home, env, dataDir } = config
  if ('directory' in source) {
    const { directory } = source
    const closed = new ClosedSet(config)
    const settleMs = settings.settleSecs * 1000
    return {
      location: directory,
      reader: new DirectorySource({ ...known, root: directory, home, log, settleMs, closed }),
    }
  }
  const [folder, checkout] = [sourceFolder(dataDir, source.name), checkoutFolder(dataDir, source.name)]
  const reader = new GitSource({ ...known, place: source.git, folder, checkout, home, env, clock, log })
  const { shown, path, webhookVariable } = source.git
  const secret = webhookVariable === undefined ? undefined : env[webhookVariable]
  return {
    location: shown,
    root: join(reader.project, path),
    reader,
    ...(secret ? { webhookSecret: new Secret(secret) } : {}),
  }
}

/** Requests a fetch after a forge's push. Throws 409 if the source expects none, 401 unless the delivery is signed. */
export function hastenSource({ name, reader, webhookSecret }: SourceState, delivery: SignedDelivery): void {
  if (!reader?.remote)
    throw conflict(`source ${name} does not accept push notifications: it is not a fetched git repository`)
  if (!webhookSecret)
    throw secretMissing(
      `source ${name} has no webhook secret configured: name the variable with the secret under git: { webhook_secret_variable: NAME }`,
    )
  checkSignature(webhookSecret, delivery)
  reader.remote.hasten()
}
