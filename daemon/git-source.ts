import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SourceConfig } from '../controller/index.ts'
import type { Config } from '../platform/core/config.ts'
import { folderPath, gitAddress, shownAddress } from '../platform/git/address.ts'
import { isCommit, isRange, refNamed, shownRef, type WantedRef } from '../platform/git/refs.ts'
import { invalid } from '../platform/core/problem.ts'
import type { GitSource } from '../schemas/source.ts'

type GitSettings = Extract<SourceConfig, { git: unknown }>['git']

interface Written {
  /** Base of relative paths. */
  folder: string
  where: string
  config: Pick<Config, 'home' | 'env'>
}

const POLL_SECS = 60

/** Throws a 400 that names `where`, before anything is fetched. */
export function readGitSource(given: GitSource, { folder, where, config }: Written): GitSettings {
  const address = gitAddress(given.url, where)
  const ref = refOf(given.ref ?? address.ref, where)
  const path = given.path === undefined ? address.path : folderPath(given.path, where)
  const file = (written: string | undefined, member: string) => {
    if (written === undefined) return undefined
    const found = written.startsWith('~/') ? resolve(config.home, written.slice(2)) : resolve(folder, written)
    if (existsSync(found)) return found
    throw invalid(`${where}: ${member}: the file ${found} does not exist`)
  }
  const { credentials = {}, verify, webhook_secret_variable: webhookVariable } = given
  for (const name of [credentials.password_variable, webhookVariable])
    if (name !== undefined && !config.env[name])
      throw invalid(`${where}: the variable ${name} is not set: set it where the daemon is started`)
  if (given.require_signed !== undefined && !verify)
    throw invalid(`${where}: require_signed needs verify: add the file of allowed signers or the keyring`)
  const allowedSigners = file(verify?.allowed_signers, 'verify.allowed_signers')
  const keyring = file(verify?.keyring, 'verify.keyring')
  const sshKeyFile = file(credentials.ssh_key_file, 'credentials.ssh_key_file')
  const knownHostsFile = file(credentials.known_hosts_file, 'credentials.known_hosts_file')
  return {
    url: address.url,
    ref,
    path,
    pollSecs: given.poll_secs ?? POLL_SECS,
    ...(given.require_signed === undefined ? {} : { requireSigned: given.require_signed }),
    verify: verify ? { ...(allowedSigners ? { allowedSigners } : {}), ...(keyring ? { keyring } : {}) } : null,
    credentials: {
      ...(credentials.username === undefined ? {} : { username: credentials.username }),
      ...(credentials.password_variable === undefined ? {} : { passwordVariable: credentials.password_variable }),
      ...(sshKeyFile === undefined ? {} : { sshKeyFile }),
      ...(knownHostsFile === undefined ? {} : { knownHostsFile }),
    },
    shown: shownAddress({ url: address.url, path, ref: wordOf(ref) }),
    ...(webhookVariable === undefined ? {} : { webhookVariable }),
  }
}

function refOf(written: GitSource['ref'] | null, where: string): WantedRef {
  const ref = typeof written === 'object' && written !== null ? (written as WantedRef) : refNamed(written)
  if (ref.commit !== undefined && !isCommit(ref.commit))
    throw invalid(`${where}: ref: commit should be a full commit id, instead got "${ref.commit}"`)
  if (ref.semver !== undefined && !isRange(ref.semver))
    throw invalid(`${where}: ref: semver should be a range such as ^1.4, instead got "${ref.semver}"`)
  const name = ref.name ?? ref.branch ?? ref.tag
  if (name !== undefined && /^-|[\u0000-\u0020~^:?*[\\\u007f]|\.\.|@\{|\/$|\.lock$/.test(name))
    throw invalid(`${where}: ref: "${name}" is not a valid branch or tag name`)
  return ref
}

const wordOf = (ref: WantedRef): string | null =>
  ref.name ?? ref.branch ?? ref.tag ?? ref.commit ?? (ref.semver === undefined ? null : shownRef(ref))
