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

/** Caches of packages have folders that cannot be changed. */
const REMOVE = '[ ! -e "$1" ] || { chmod -R u+rwX -- "$1"; rm -rf -- "$1"; }'

export async function removePrivateFolder(tmp: string, user: OsUser | null, PATH: string | undefined): Promise<void> {
  const command = [...(user?.prefix ?? []), 'sh', '-c', REMOVE, 'sh', dirname(tmp)]
  const [program = '', ...args] = command
  await execa(program, args, { env: { PATH }, extendEnv: false, reject: false, stdin: 'ignore' })
}
