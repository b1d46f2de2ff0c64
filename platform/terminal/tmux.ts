// Uses a separate tmux server that never received the daemon's secrets.
import { readFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import type { LaunchOptions, Mux, MuxPane, MuxSession } from './mux.ts'
import { conflict, Problem, unavailable } from '../core/problem.ts'

/** Variables that sessions inherit. */
const INHERITED = /^(HOME|PATH|LANG|LC_[A-Z]+|TERM|SHELL|USER|LOGNAME|TMPDIR|SSH_AUTH_SOCK)$/
/** The name is last because it may not contain a colon. */
export const PANE = '#{pane_pid}:#{pane_dead}:#{pane_dead_status}:#{pane_dead_signal}:#{session_name}'
const NO_SERVER = /no server running|error connecting to|server exited/
/** The server was exiting with its last session. */
const SERVER_EXITED = /server exited/
const NO_SESSION = /can't find (session|pane|window)|session not found|no current target/
const KILL_GRACE_MS = 3000
const EXIT_CODE_ATTEMPTS = 25
/** tmux before 3.3 does not report a program ended by a signal. */
const UNKNOWN_EXIT = 255

export interface TmuxOptions {
  /** `tmux -L`; `default` is the user's own server. */
  socket: string
  env: Readonly<Record<string, string | undefined>>
}

type Environment = Readonly<Record<string, string | undefined>>

export function selectVariables(env: Environment, isKept: (name: string) => boolean): Record<string, string> {
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(set.filter(([name]) => isKept(name)))
}

export const sessionEnvironment = (env: Environment): Record<string, string> =>
  selectVariables(env, (name) => INHERITED.test(name))

export class Tmux implements Mux {
  readonly #socket: string
  readonly #env: Record<string, string>

  constructor({ socket, env }: TmuxOptions) {
    this.#socket = socket
    this.#env = sessionEnvironment(env)
  }

  async launch(launch: LaunchOptions): Promise<MuxSession> {
    const result = await startSession((args) => this.#run(args), PANE, launch)
    const session = firstPanes(result.stdout)[0]
    if (!result.failed && session) return session
    if (result.stderr.includes('duplicate session')) throw conflict(`a session named ${launch.name} already exists`)
    throw refusal(`start session ${launch.name}`, result.stderr)
  }

  async list(): Promise<MuxSession[]> {
    const result = await this.#look(['-a'])
    if (result.failed && !NO_SERVER.test(result.stderr)) throw refusal('list its sessions', result.stderr)
    return firstPanes(result.stdout)
  }

  async panes(): Promise<MuxPane[]> {
    const result = await this.#run(['list-panes', '-a', '-F', '#{pane_pid}:#{pid}:#{session_name}'])
    if (result.failed && !NO_SERVER.test(result.stderr)) throw refusal('list its terminals', result.stderr)
    return lines(result.stdout).map((line) => {
      const [pid, server, ...session] = line.split(':')
      return { session: session.join(':'), pid: Number(pid), server: Number(server) }
    })
  }

  async get(name: string): Promise<MuxSession | null> {
    const result = await this.#look(['-s', '-t', `=${name}:`])
    if (!result.failed) return firstPanes(result.stdout)[0] ?? null
    if (isGone(result)) return null
    throw refusal(`inspect session ${name}`, result.stderr)
  }

  async kill(name: string): Promise<void> {
    const list = ['list-panes', '-s', '-t', `=${name}:`, '-F', PANE]
    const result = await this.#run([...list, ';', 'kill-session', '-t', `=${name}`])
    if (result.failed && !isGone(result)) throw refusal(`end session ${name}`, result.stderr)
    const living = panes(result.stdout).filter((pane) => !pane.dead)
    await Promise.all(living.map(({ pid }) => awaitEnd(pid)))
  }

  async capture(name: string, lines: number): Promise<string> {
    const result = await this.#run(['capture-pane', '-p', '-J', '-t', `=${name}:`, '-S', `-${lines}`])
    if (result.failed && !isGone(result)) throw refusal(`read session ${name}`, result.stderr)
    return written(result.stdout).slice(-lines).join('\n')
  }

  attachCommand(name: string): string[] {
    return ['tmux', '-L', this.#socket, 'attach-session', '-t', `=${name}`]
  }

  async version(): Promise<string | null> {
    const options = { env: this.#env, extendEnv: false, reject: false, stdin: 'ignore' } as const
    const result = await execa('tmux', ['-V'], options)
    return result.failed ? null : result.stdout.replace(/^tmux /, '').trim()
  }

  #run(args: string[]): Promise<Answer> {
    return runTmux(['-L', this.#socket, '-f', '/dev/null', ...args], this.#env)
  }

  #look(args: string[]): Promise<Answer> {
    return whenEndIsKnown((asked) => this.#run(asked), ['list-panes', ...args, '-F', PANE])
  }
}

/**
 * Waits for exit codes of dead panes. tmux reports them late, and can miss a child's exit until another child exits, so
 * each retry starts one.
 */
export async function whenEndIsKnown(run: (args: string[]) => Promise<Answer>, asked: string[]): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    const result = await run(asked)
    if (attempt === EXIT_CODE_ATTEMPTS || !/^\d+:1:::/m.test(result.stdout)) return result
    await run(['run-shell', 'true'])
    await sleep(10)
  }
}

export interface Answer {
  stdout: string
  stderr: string
  failed: boolean
}

/** `env` is the whole environment. Throws 503 `program-missing` if tmux is not installed. */
export async function runTmux(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Answer> {
  const result = await execa('tmux', args, {
    env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    stripFinalNewline: false,
  })
  if (result.code === 'ENOENT')
    throw unavailable(
      'tmux is not installed: install it (apt-get install tmux, or brew install tmux), then try again',
      'program-missing',
    )
  return { stdout: result.stdout ?? '', stderr: result.stderr ?? '', failed: result.failed }
}

export const isGone = ({ stderr }: Answer): boolean => NO_SERVER.test(stderr) || NO_SESSION.test(stderr)

/** Starts a session; retries once if the server was exiting. */
export async function startSession(
  run: (args: string[]) => Promise<Answer>,
  format: string,
  launch: LaunchOptions,
): Promise<Answer> {
  const answer = await run(newSession(format, launch))
  return SERVER_EXITED.test(answer.stderr) ? run(newSession(format, launch)) : answer
}

/**
 * One invocation: tmux runs both commands before it reaps children, so that the exit code of a short-lived program is
 * kept.
 */
function newSession(format: string, { name, command, directory, env = {} }: LaunchOptions): string[] {
  const variables = Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`])
  const place = ['-s', literal(name), '-c', literal(directory), '-x', '200', '-y', '50']
  const start = ['new-session', '-d', '-P', '-F', format, ...place, ...variables, '--', ...command]
  return [...start.map(notSeparator), ';', 'set-option', '-w', '-t', `=${name}:`, 'remain-on-exit', 'on']
}

/** tmux expands formats in arguments and runs `#(…)` in a shell. */
export const literal = (text: string): string => text.replaceAll('#', '##')

/** tmux treats a trailing semicolon as a command separator. */
function notSeparator(argument: string): string {
  return argument.endsWith(';') ? `${argument.slice(0, -1)}\\;` : argument
}

/** Parses output with one PANE per line. */
export function panes(output: string): MuxSession[] {
  return lines(output).map((line) => {
    const [pid, dead, status, signal, ...name] = line.split(':')
    return {
      name: name.join(':'),
      pid: Number(pid),
      dead: dead === '1',
      exitCode: dead === '1' ? exitCode(status!, signal!) : null,
    }
  })
}

const lines = (output: string): string[] => output.split('\n').filter(Boolean)

function exitCode(status: string, signal: string): number {
  if (status === '' && signal === '') return UNKNOWN_EXIT
  if (signal === '' || signal === '0') return Number(status)
  const name = `SIG${signal.replace(/^SIG/, '').toUpperCase()}`
  return 128 + (Number(signal) || (constants.signals[name as NodeJS.Signals] ?? 0))
}

/**
 * Removes trailing blank lines and tmux's own message.
 * @testing
 */
export function written(screen: string): string[] {
  const lines = screen.trimEnd().split('\n')
  if (lines.at(-1)?.startsWith('Pane is dead')) lines.pop()
  while (lines.length > 1 && lines.at(-1) === '') lines.pop()
  return lines
}

function firstPanes(output: string): MuxSession[] {
  const sessions = new Map<string, MuxSession>()
  for (const pane of panes(output)) if (!sessions.has(pane.name)) sessions.set(pane.name, pane)
  return [...sessions.values()]
}

/** Waits for the process, and kills one that ignores SIGHUP. */
async function awaitEnd(pid: number): Promise<void> {
  for (let waited = 0; waited < KILL_GRACE_MS; waited += 20) {
    if (!(await lives(pid))) return
    await sleep(20)
  }
  signal(pid, 'SIGKILL')
}

async function lives(pid: number): Promise<boolean> {
  if (!signal(pid, 0)) return false
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return !/\) [ZX] /.test(state)
}

/** Returns false if the process does not exist or belongs to another user. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

export function refusal(what: string, stderr: string): Problem {
  return unavailable(`tmux could not ${what}: ${stderr.trim() || 'no reason given'}`)
}
