// The folder on disk that is /tmp in the sandbox of an agent. Another OS user makes its own: it cannot use ours.
import { chmod, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import type { Config } from '../../../../platform/core/config.ts'
import { unprocessable } from '../../../../platform/core/problem.ts'
import type { OsUser } from '../os-user.ts'

export function privateFolder({ dataDir }: Pick<Config, 'dataDir'>, agentId: string, user: OsUser | null): string {
  if (user === null) return join(dataDir, 'sandbox', agentId, 'tmp')
  if (user.home) return join(user.home, '.local', 'share', 'svc', 'sandbox', agentId, 'tmp')
  throw unprocessable(
    `OS user "${user.name}" has no home directory for the private /tmp of its sandbox: create one, or write sandbox: off`,
    'directory-missing',
  )
}

const EMPTY = 'umask 077; rm -rf -- "$1" && mkdir -p -- "$1"'
const REMOVE = 'rm -rf -- "$1"'

/** Throws 422 if the other user cannot make it. */
export async function emptyFolder(folder: string, user: OsUser | null, PATH: string | undefined): Promise<void> {
  if (user) {
    const { failed, stderr } = await asOther(user, PATH, EMPTY, folder)
    if (!failed) return
    throw unprocessable(
      `OS user "${user.name}" cannot create ${folder} for its sandbox: ${stderr}: give it write access to its home`,
      'folder-unavailable',
    )
  }
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const each of [dirname(folder), folder]) await chmod(each, 0o700)
}

export async function removeFolder(folder: string, user: OsUser | null, PATH: string | undefined): Promise<void> {
  if (user) await asOther(user, PATH, REMOVE, dirname(folder))
  else await rm(dirname(folder), { recursive: true, force: true })
}

async function asOther(user: OsUser, PATH: string | undefined, script: string, folder: string) {
  const [program, ...args] = [...user.prefix, 'sh', '-c', script, 'sh', folder]
  return execa(program, args, { env: { PATH }, extendEnv: false, reject: false, stdin: 'ignore' })
}
