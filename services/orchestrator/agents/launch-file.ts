// The launch file: everything secret about a launch, readable by the agent's user alone and never in an argument.
import { chmod, lstat, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { conflict } from '../../../platform/problem.ts'
import type { Launch } from '../../../schemas/launch.ts'
import type { ServiceParts } from '../parts.ts'
import type { OsUser } from './os-user.ts'

/**
 * Writes the file and returns its path. That of another user is written by that user, in its own
 * temporary folder: it can reach neither our data folder nor a file of mode 0600 that we own.
 */
export async function writeLaunchFile(service: ServiceParts, launch: Launch, user: OsUser | null): Promise<string> {
  if (user) return writeAs(user, JSON.stringify(launch), service.config.env.PATH)
  const file = ownLaunchFile(service, launch.agent_id)
  await ownFolder(dirname(file))
  await rm(file, { force: true })
  await writeFile(file, JSON.stringify(launch), { mode: 0o600, flag: 'wx' })
  await chmod(file, 0o600)
  return file
}

/** Throws 409 for a folder of somebody else, who could put another file in the place of ours. */
async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = await lstat(folder)
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw conflict(
      `the folder of launch files ${folder} is not the daemon's own (uid ${found.uid}): remove it, and keep others from writing to the data folder`,
    )
  await chmod(folder, 0o700)
}

/** Where the file of an agent that runs as the daemon's own user is. */
export function ownLaunchFile(service: ServiceParts, agentId: string): string {
  return join(service.config.dataDir, 'launch', `${agentId}.json`)
}

async function writeAs(user: OsUser, text: string, PATH: string | undefined): Promise<string> {
  const script = 'umask 077; f=$(mktemp "${TMPDIR:-/tmp}/svc-launch-XXXXXXXX") && cat > "$f" && printf %s "$f"'
  const [program, ...args] = [...user.prefix, 'sh', '-c', script]
  const { stdout } = await execa(program, args, { input: text, env: { PATH }, extendEnv: false })
  return stdout
}

/** Gone already is success. */
export async function removeLaunchFile(file: string, user: OsUser | null): Promise<void> {
  if (!user) return rm(file, { force: true })
  const [program, ...args] = [...user.prefix, 'rm', '-f', '--', file]
  await execa(program, args, { reject: false })
}
