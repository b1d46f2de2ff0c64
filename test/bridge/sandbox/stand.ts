import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Launch } from '../../../schemas/agent/launch.ts'
import type { LaunchSandbox } from '../../../schemas/sandbox/sandbox.ts'
import { NOBODY } from '../../platform/sandbox/enclosure.ts'
import { visibleFolder } from '../../platform/sandbox/visible-folder.ts'
import { bridgeProgram } from '../../support/built.ts'
import type { AgentServer } from '../agent-server.ts'
import { afterwards, agentServer, launchOf, type RunningBridge } from '../running.ts'

export interface User {
  user: string
  /** Null: of this process. */
  uid: number | null
}

const ROOT: User = { user: 'root', uid: null }
export const ANOTHER: User = { user: 'nobody', uid: NOBODY }

/** Root starts the bridge as itself and as another user. */
export const users: User[] = process.getuid?.() === 0 ? [ROOT, ANOTHER] : [{ user: 'this user', uid: null }]

export interface SandboxStand {
  /** `work` is the working directory; the rest is read-only. */
  folder: string
  directory: string
  sandbox: LaunchSandbox
  uid: number | null
}

export function sandboxStand(members: Partial<LaunchSandbox> = {}, uid: number | null = null): SandboxStand {
  const { path: folder, remove } = visibleFolder()
  afterwards(remove)
  const directory = join(folder, 'work')
  for (const name of ['work', 'private', 'home']) mkdirSync(join(folder, name))
  giveTo(uid, folder)
  const sandbox: LaunchSandbox = {
    write: [directory],
    read: 'all',
    hide: [],
    readonly: [],
    sockets: [],
    network: { mode: 'all', hosts: [] },
    nested: false,
    tmp: join(folder, 'private', 'tmp'),
    closed: [join(homedir(), '.ssh'), join(folder, 'private')],
    ...members,
  }
  return { folder, directory, sandbox, uid }
}

export function giveTo(uid: number | null, folder: string): void {
  if (uid !== null) execFileSync('chown', ['-R', `${uid}:${uid}`, folder])
}

/** Command of the bridge, and its variables. */
export function bridgeCommand({ folder, uid }: SandboxStand, launch: Launch): [string[], Record<string, string>] {
  const file = join(folder, 'private', 'launch.json')
  writeFileSync(file, JSON.stringify(launch), { mode: 0o600 })
  giveTo(uid, file)
  const bridge = [process.execPath, bridgeProgram, '--launch', file]
  if (uid === null) return [bridge, {}]
  return [['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...bridge], { HOME: join(folder, 'home') }]
}

/** As the user of the stand. */
export function startBridgeIn(
  stand: SandboxStand,
  server: { url: string },
  members: Partial<Launch>,
  env: Record<string, string> = {},
): RunningBridge {
  const { directory, sandbox } = stand
  const launch = launchOf(server, directory, { sandbox, ...portsOf(server), ...members })
  const [[program, ...args], own] = bridgeCommand(stand, launch)
  const child = spawn(program!, args, { env: { ...process.env, ...own, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exit = new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => resolve(signal ?? code!)),
  )
  afterwards(async () => {
    // SIGTERM first, so that the program has ended before its folder is removed.
    const force = setTimeout(() => child.kill('SIGKILL'), 10_000)
    child.kill('SIGTERM')
    await exit
    clearTimeout(force)
  })
  return {
    child,
    pid: child.pid!,
    directory,
    exit,
    get output() {
      return output
    },
  }
}

export async function startInside(
  members: Partial<Launch>,
  rules: Partial<LaunchSandbox> = {},
  uid: number | null = null,
): Promise<SandboxStand & { server: AgentServer; bridge: RunningBridge }> {
  const stand = sandboxStand(rules, uid)
  const server = await agentServer()
  return { ...stand, server, bridge: startBridgeIn(stand, server, members) }
}

/** Only root may listen at ports below 1024. */
export const portsOf = ({ url }: { url: string }): Partial<Launch> => {
  const address = `http://127.0.0.1:${new URL(url).port}`
  return { orchestrator_url: address, tools_url: `${address}/mcp` }
}

/** A program of runtime `socket`, whose output is the bridge's. */
export const shell = (script: string): Partial<Launch> => ({ runtime: 'socket', command: ['sh', '-c', script] })
