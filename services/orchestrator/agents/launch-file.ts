// Contains the secrets of a launch: readable only by the agent's user, never passed as an argument.
import { chmod, lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { conflict } from '../../../platform/core/problem.ts'
import type { Launch } from '../../../schemas/agent/launch.ts'
import type { World } from '../../../platform/service/world.ts'
import type { OsUser } from './os-user.ts'

export type Configured = Pick<World, 'config'>
type Config = World['config']

/**
 * With `user`, writes it as that user to its temporary directory: it can read neither our data directory nor our 0600
 * files.
 */
export async function writeLaunchFile({ config }: Configured, launch: Launch, user: OsUser | null): Promise<string> {
  if (user) return writeAs(user, launch, config.env.PATH)
  const file = ownLaunchFile(config, launch.agent_id)
  await ownFolder(dirname(file))
  await rm(file, { force: true })
  await writeFile(file, JSON.stringify(launch), { mode: 0o600, flag: 'wx' })
  await chmod(file, 0o600)
  return file
}

/** Throws 409 if the directory belongs to another user: that user could replace our file. */
async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = await lstat(folder)
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw conflict(
      `the launch file directory ${folder} is not owned by the daemon (owner uid ${found.uid}): remove it, and deny other users write access to the data directory`,
    )
  await chmod(folder, 0o700)
}

function ownLaunchFile(config: Config, agentId: string): string {
  return join(folderOf(config), `${agentId}.json`)
}

const folderOf = ({ dataDir }: Config): string => join(dataDir, 'launch')

/** Removes files of processes that were killed early. Agents in `mayRead` may still read theirs. */
export async function sweepLaunchFiles(
  { config, log }: Pick<World, 'config' | 'log'>,
  mayRead: ReadonlySet<string>,
): Promise<void> {
  const folder = folderOf(config)
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names.filter((each) => !mayRead.has(each.replace(/\.json$/, '')))) {
    await rm(join(folder, name), { recursive: true, force: true })
    log.info({ file: join(folder, name) }, 'removed a stale launch file')
  }
}

/** The name contains the agent id so that the next start removes a stale file. */
async function writeAs(user: OsUser, launch: Launch, PATH: string | undefined): Promise<string> {
  const script = `umask 077; ${REMOVE}; f=$(mktemp "$named.XXXXXXXX") && cat > "$f" && printf %s "$f"`
  const [program, ...args] = [...user.prefix, 'sh', '-c', script, 'sh', launch.agent_id]
  const { stdout } = await execa(program, args, { input: JSON.stringify(launch), env: { PATH }, extendEnv: false })
  return stdout
}

const REMOVE = 'named="${TMPDIR:-/tmp}/svc-launch-$1"; rm -f -- "$named".*'

export async function removeLaunchFile(
  { config }: Configured,
  agent: { id: string; launch_file: string | null },
  user: OsUser | null,
): Promise<void> {
  if (!user) return rm(agent.launch_file ?? ownLaunchFile(config, agent.id), { force: true })
  const script = `${REMOVE}; [ -z "$2" ] || rm -f -- "$2"`
  const [program, ...args] = [...user.prefix, 'sh', '-c', script, 'sh', agent.id, agent.launch_file ?? '']
  await execa(program, args, { reject: false })
}
