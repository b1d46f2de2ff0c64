// A tmux server of a test: what runs in it, and its end.
import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The folder of tmux's sockets. Tests run without TMUX_TMPDIR (vitest.config.ts), as the daemon starts its server. */
export const socketFolder = join('/tmp', `tmux-${process.getuid!()}`)

/** Prefix of every socket name of this test run. */
export const socketPrefix = `svc-test-${process.env.SVC_TEST_RUN ?? process.pid}-`

/** A new name for `tmux -L`. Servers left behind under such a name fail the run. */
export const tmuxSocket = (): string => `${socketPrefix}${randomUUID().slice(0, 8)}`

/** Session name to the process id in its pane. */
export async function panesOf(socket: string): Promise<Record<string, string>> {
  const lines = await linesOf(socket, 'list-panes', '-a', '-F', '#{session_name} #{pane_pid}')
  return Object.fromEntries(lines.map((line) => line.split(' ') as [string, string]))
}

/** The session that each person's client is attached to, and 1 where it may only look. */
export function clientsOf(socket: string): Promise<string[]> {
  return linesOf(socket, 'list-clients', '-F', '#{client_session} #{client_readonly}')
}

/** None where there is no server. */
async function linesOf(socket: string, ...args: string[]): Promise<string[]> {
  const { stdout } = await run('tmux', ['-L', socket, ...args]).catch(() => ({ stdout: '' }))
  return stdout.split('\n').filter(Boolean)
}

/** With all that runs in it. Most tests start none, and a process to see so takes as long as some of them. */
export async function endTmuxServer(socket: string): Promise<void> {
  const file = join(socketFolder, socket)
  if (!existsSync(file)) return
  await run('tmux', ['-L', socket, 'kill-server']).catch(() => undefined)
  rmSync(file, { force: true })
}

/** Ends every server with a socket of this prefix, and throws an error that names those that were still alive. */
export function endLeftServers(prefix: string): void {
  const sockets = existsSync(socketFolder) ? readdirSync(socketFolder) : []
  const alive = sockets.filter((name) => name.startsWith(prefix)).filter(endServer)
  if (alive.length > 0) throw new Error(`tests left tmux servers behind: ${alive.join(', ')}`)
}

/** Returns false if no server was alive. */
function endServer(socket: string): boolean {
  try {
    execFileSync('tmux', ['-L', socket, 'kill-server'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(join(socketFolder, socket), { force: true })
  }
}
