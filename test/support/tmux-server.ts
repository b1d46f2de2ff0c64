// A tmux server of a test: what runs in it, and its end.
import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Where tmux has the socket that `tmux -L` names. */
const socketFile = (socket: string): string =>
  join(process.env.TMUX_TMPDIR ?? '/tmp', `tmux-${process.getuid!()}`, socket)

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
  if (!existsSync(socketFile(socket))) return
  await run('tmux', ['-L', socket, 'kill-server']).catch(() => undefined)
  rmSync(socketFile(socket), { force: true })
}
