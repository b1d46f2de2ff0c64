import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Tests and the daemon run tmux without TMUX_TMPDIR. */
export const socketFolder = join('/tmp', `tmux-${process.getuid!()}`)

export const socketPrefix = `svc-test-${process.env.SVC_TEST_RUN ?? process.pid}-`

/** A new name for `tmux -L`. Servers that are left behind fail the run. */
export const tmuxSocket = (): string => `${socketPrefix}${randomUUID().slice(0, 8)}`

/** Process ids by session name. */
export async function panesOf(socket: string): Promise<Record<string, string>> {
  const lines = await linesOf(socket, 'list-panes', '-a', '-F', '#{session_name} #{pane_pid}')
  return Object.fromEntries(lines.map((line) => line.split(' ') as [string, string]))
}

/** `SESSION READONLY` of each attached client; READONLY is 1 or 0. */
export function clientsOf(socket: string): Promise<string[]> {
  return linesOf(socket, 'list-clients', '-F', '#{client_session} #{client_readonly}')
}

/** Empty without a server. */
async function linesOf(socket: string, ...args: string[]): Promise<string[]> {
  const { stdout } = await run('tmux', ['-L', socket, ...args]).catch(() => ({ stdout: '' }))
  return stdout.split('\n').filter(Boolean)
}

/** Also ends the server that a client of a killed daemon is still starting. */
export async function endTmuxServer(socket: string): Promise<void> {
  while (isInUse(socket)) await run('tmux', ['-L', socket, 'kill-server']).catch(() => undefined)
  rmSync(join(socketFolder, socket), { force: true })
}

/** Whether a tmux client or server with this socket runs. */
function isInUse(socket: string): boolean {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.some((id) => commandOf(id).includes(`\0-L\0${socket}\0`))
}

/** Arguments, each followed by NUL; empty if the process has ended. */
function commandOf(processId: string): string {
  try {
    return readFileSync(join('/proc', processId, 'cmdline'), 'utf8')
  } catch {
    return ''
  }
}

/** Ends all servers with this prefix; throws if any was still alive. */
export function endLeftServers(prefix: string): void {
  const sockets = existsSync(socketFolder) ? readdirSync(socketFolder) : []
  const alive = sockets.filter((name) => name.startsWith(prefix)).flatMap(endServer)
  if (alive.length > 0) throw new Error(`tests left tmux servers behind: ${alive.join('\n')}`)
}

/** Returns the sessions of the server, whose commands name their test; none if no server was alive. */
function endServer(socket: string): string[] {
  const tmux = (...args: string[]) => execFileSync('tmux', ['-L', socket, ...args], { encoding: 'utf8', stdio: 'pipe' })
  const format = `${socket}: #{session_name} in #{pane_current_path}: #{pane_start_command}`
  try {
    const sessions = tmux('list-panes', '-a', '-F', format).trimEnd().split('\n')
    tmux('kill-server')
    return sessions
  } catch {
    return []
  } finally {
    rmSync(join(socketFolder, socket), { force: true })
  }
}
