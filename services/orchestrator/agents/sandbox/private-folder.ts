// The folder on disk that is /tmp in the sandbox of an agent. The bridge makes and empties it, as the agent's user.
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import type { Config } from '../../../../platform/core/config.ts'
import type { OsUser } from '../os-user.ts'

/** Other users cannot access our data directory. Null for a user without a home. */
export function privateFolder(
  { dataDir }: Pick<Config, 'dataDir'>,
  agentId: string,
  user: OsUser | null,
): string | null {
  if (user === null) return join(dataDir, 'sandbox', agentId, 'tmp')
  return user.home && join(user.home, '.local', 'share', 'svc', 'sandbox', agentId, 'tmp')
}

/** Makes the folder of another user, who may own no home directory. Returns false if that user cannot. */
export async function makePrivateFolder(tmp: string, user: OsUser, PATH: string | undefined): Promise<boolean> {
  const { failed } = await run(user, ['mkdir', '-p', '-m', '700', '--', tmp], PATH)
  return !failed
}

/** Caches of packages have folders that cannot be changed. */
const REMOVE = '[ ! -e "$1" ] || { chmod -R u+rwX -- "$1"; rm -rf -- "$1"; }'

export async function removePrivateFolder(tmp: string, user: OsUser | null, PATH: string | undefined): Promise<void> {
  await run(user, ['sh', '-c', REMOVE, 'sh', dirname(tmp)], PATH)
}

function run(user: OsUser | null, command: readonly string[], PATH: string | undefined) {
  const [program = '', ...args] = [...(user?.prefix ?? []), ...command]
  return execa(program, args, { env: { PATH }, extendEnv: false, reject: false, stdin: 'ignore' })
}
