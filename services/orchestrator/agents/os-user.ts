import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import type { GitUser } from '../../../platform/git/git.ts'
import { unprocessable } from '../../../platform/core/problem.ts'

export interface OsUser {
  name: string
  home: string | null
  prefix: string[]
}

type Environment = Readonly<Record<string, string | undefined>>

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*\$?$/

/** Null for the daemon's own user. Throws 422 if the user does not exist. */
export async function osUser(name: string | null, env: Environment): Promise<OsUser | null> {
  if (name === null || name === userInfo().username) return null
  const options = { env: { PATH: env.PATH }, extendEnv: false, reject: false } as const
  const known = NAME.test(name) && !(await execa('id', ['-u', '--', name], options)).failed
  if (!known) throw unprocessable(`OS user "${name}" does not exist: create it, or leave "user" out`, 'user-missing')
  const entry = await execa('getent', ['passwd', name], options)
  const home = entry.failed ? null : (entry.stdout.split(':')[5] ?? null)
  const prefix = process.getuid?.() === 0 ? ['runuser', '-u', name, '--'] : ['sudo', '-n', '-u', name, '--']
  return { name, home, prefix }
}

export function asUser(user: OsUser | null, command: string[]): string[] {
  if (!user) return command
  const identity = [`USER=${user.name}`, `LOGNAME=${user.name}`, ...(user.home ? [`HOME=${user.home}`] : [])]
  return [...user.prefix, 'env', '-u', 'TMPDIR', '-u', 'SSH_AUTH_SOCK', ...identity, ...command]
}

export function gitUser(user: OsUser | null, env: Environment): GitUser {
  return user ? { env, prefix: user.prefix, home: user.home } : { env }
}

export async function findProgram(name: string, env: Environment): Promise<string | null> {
  for (const folder of (env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, name)
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return path
  }
  return null
}
