// Runs the built commands in a new process, isolated from the machine's settings.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { portsAt } from './ports.ts'
import { bin } from './built.ts'

export interface Result {
  /** -1 after a signal. */
  code: number
  stdout: string
  stderr: string
}

export interface RunOptions {
  env?: Record<string, string>
  input?: string
  /** Default: a temporary home. */
  cwd?: string
  /** Receives the whole standard output; true sends SIGINT. */
  until?: (stdout: string) => boolean
  /** Receives the whole standard error. */
  onStderr?: (stderr: string) => void
  /** Sends SIGINT when it resolves. */
  interrupt?: Promise<unknown>
}

export const svc = (args: string[], options?: RunOptions) => runCommand('svc', args, options)
export const agent = (args: string[], options?: RunOptions) => runCommand('agent', args, options)

export async function runCommand(program: 'svc' | 'agent', args: string[], options: RunOptions = {}): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), 'svc-home-'))
  const child = spawn(process.execPath, [bin(program), ...args], {
    cwd: options.cwd ?? home,
    env: {
      HOME: home,
      SVC_DATA_DIR: join(home, 'data'),
      SVC_ACTOR: 'tester',
      ...portsAt(1),
      ...options.env,
      // On PATH as if installed, so that hints contain no path.
      PATH: `${dirname(bin(program))}${delimiter}${options.env?.PATH ?? process.env.PATH}`,
    },
  })
  let interrupted = false
  const result: Result = { code: -1, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    result.stdout += text
    if (interrupted || !options.until?.(result.stdout)) return
    interrupted = child.kill('SIGINT')
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    result.stderr += text
    options.onStderr?.(result.stderr)
  })
  void options.interrupt?.then(() => child.kill('SIGINT'))
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.input ?? '')
  result.code = await new Promise((done) => child.once('close', (code) => done(code ?? -1)))
  rmSync(home, { recursive: true, force: true })
  return result
}
