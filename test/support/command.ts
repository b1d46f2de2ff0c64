// The built commands as users run them: each call a process of its own, with nothing of the machine's settings.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { portsAt } from './ports.ts'
import { bin } from './built.ts'

export interface Result {
  /** -1 when a signal ended it. */
  code: number
  stdout: string
  stderr: string
}

export interface RunOptions {
  env?: Record<string, string>
  input?: string
  /** Default: an empty home of its own, gone afterwards. */
  cwd?: string
  /** Called with standard output so far; true ends the command with SIGINT. */
  until?: (stdout: string) => boolean
  /** Called with standard error so far. */
  told?: (stderr: string) => void
  /** Ends the command with SIGINT when it resolves. */
  interrupt?: Promise<unknown>
}

export const svc = (args: string[], options?: RunOptions) => runCommand('svc', args, options)
export const agent = (args: string[], options?: RunOptions) => runCommand('agent', args, options)

/** Runs `bin/<program>` of the last build; no daemon is at its default ports. */
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
      // As installed: hints name the commands alone.
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
    options.told?.(result.stderr)
  })
  void options.interrupt?.then(() => child.kill('SIGINT'))
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.input ?? '')
  result.code = await new Promise((done) => child.once('close', (code) => done(code ?? -1)))
  rmSync(home, { recursive: true, force: true })
  return result
}
