import { gitAddress } from '../../../platform/git/address.ts'
import { RemoteError } from '../../../platform/git/mirror.ts'

export interface RemoteOptions {
  owner: string
  name: string
  /** SVC_CONDUCTOR_REMOTE; empty: the forge's address. */
  remote: string
  /** Address of the repository by the forge; null if it must not be used. */
  cloneUrl(signal: AbortSignal): Promise<string | null>
}

const VARIABLE = 'SVC_CONDUCTOR_REMOTE'

/** Returns the git address of a repository. Only `remote` may be other than https. Throws RemoteError or Problem. */
export async function remoteAddress(options: RemoteOptions, signal: AbortSignal): Promise<string> {
  const { owner, name, remote } = options
  for (const part of [owner, name])
    if (!/^[\w.-]+$/.test(part) || /^\.+$/.test(part))
      throw new RemoteError(`repository ${JSON.stringify(`${owner}/${name}`)}: expected owner/name`)
  if (remote !== '') {
    const { url, ref, path } = gitAddress(remote.replaceAll('{owner}', owner).replaceAll('{name}', name), VARIABLE)
    if (ref === null && path === '') return url
    throw new RemoteError(`${VARIABLE} must not contain "#": only the address of a repository is expected`)
  }
  const given = await options.cloneUrl(signal)
  if (given === null || !given.startsWith('https://'))
    throw new RemoteError(
      `the forge gives no https address of its own site for ${owner}/${name}: set ${VARIABLE}, for example to https://github.com/{owner}/{name}.git`,
    )
  return gitAddress(given, 'clone_url').url
}
