// A program in its sandbox: bwrap, a gate that a shell keeps inside, and then the program in the shell's place.
import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:net'
import { constants } from 'node:os'
import type { Duplex } from 'node:stream'
import { isReplaced } from '../../platform/sandbox/system-paths.ts'
import { childExit, isRunning, type ChildExit } from '../child-exit.ts'
import { LaunchFault } from '../launch-file.ts'
import { findProgram } from '../program-lookup.ts'
import type { Timers } from '../timers.ts'
import { refuseInherited } from './descriptors.ts'
import { LISTENING_PROGRAM } from './listeners.ts'
import { childrenOf, processesWith, processState, sendSignal } from './processes.ts'
import { sandboxFailed, type Sandbox } from './sandbox.ts'
import { STDIO, type ProgramStart, type StartedProgram } from './program-start.ts'
import { SandboxStatus } from './status.ts'

/** Descriptors of bwrap and of the gate; 7 is the program's standard error. The program has none of them. */
const ARGUMENTS = 3
const FILTER = 4
const STATUS = 5
const GATE = 6
const MOST_WORDS = 4000

/** Node opens no file for a descriptor above 2 that it ignores. */
const run = (prefix: string, errors: 'inherit' | 'ignore') =>
  `exec ${prefix} "$@" ${errors === 'inherit' ? '2>&7' : '2>/dev/null'} 3>&- 4>&- 5>&- 6>&- 7>&-`
const CHECK = '[ -x "$1" ] || { echo "$1 cannot be run in the sandbox: it is hidden or not readable" >&2; exit 126; }'
/** Waits for the bridge. A bridge that has ended closes the gate. */
const PLAIN_GATE = `${CHECK}; printf . >&6; read -r go <&6 || exit 125; `
/** With a program that makes listening sockets, and waits. The options of Node are those of the agent's program. */
const LISTENING_GATE =
  `node=$1 script=$2 ports=$3; shift 3; ${CHECK}; NODE_OPTIONS= "$node" -e "$script" "$ports" || exit 125; ` +
  'unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE; '

/**
 * Ctrl-C is for the program alone: bwrap, which would end and take the program along, ignores the key, and `env` resets
 * what the program would inherit of that.
 */
const IGNORING_KEYS = ['/bin/sh', '-c', 'trap "" INT QUIT; exec "$@"', 'sh']
const WITH_KEYS = '/usr/bin/env --default-signal=INT,QUIT'

let isChecked = false

export function startInside(start: ProgramStart, sandbox: Sandbox): StartedProgram {
  if (!isChecked) refuseInherited()
  isChecked = true
  return new ProgramInside(start, sandbox)
}

export class ProgramInside implements StartedProgram {
  readonly ended: Promise<number>
  readonly #child: ChildProcess
  readonly #sandbox: Sandbox
  readonly #timers: Timers
  readonly #status: SandboxStatus
  /** In the command line of bwrap and of its first process inside. */
  readonly #mark = `svc-gate-${randomUUID()}`
  /** What bwrap and the gate say on standard error. */
  #words = ''
  #isOpen = false
  #sockets = 0
  #stoppedBy: NodeJS.Signals | null = null
  readonly #program: string

  constructor(start: ProgramStart, sandbox: Sandbox) {
    this.#sandbox = sandbox
    this.#timers = start.timers
    this.#status = new SandboxStatus(sandbox.statusFile)
    this.#program = findProgram(start.command[0], start.directory, start.env['PATH'])
    const made = { program: this.#program, mark: this.#mark, status: this.#status.descriptor }
    this.#child = spawnBwrap(start, sandbox, made)
    this.#listen()
    this.ended = childExit(this.#child, start.timers).then(
      (exit) => this.#exitCode(exit),
      (error: Error) => Promise.reject(sandboxFailed(error.message, 'check the installation of bwrap and of /bin/sh')),
    )
  }

  get stdin(): ChildProcess['stdin'] {
    return this.#child.stdin
  }

  get stdout(): ChildProcess['stdout'] {
    return this.#child.stdout
  }

  get isRunning(): boolean {
    return isRunning(this.#child)
  }

  /** bwrap itself would end the program by force, and its first process inside ignores signals. */
  signal(name: NodeJS.Signals): void {
    if (!this.#isOpen) {
      this.#stoppedBy = name
      return this.kill()
    }
    for (const pid of childrenOf(this.#status.childPid!)) sendSignal(pid, name)
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  onExit(listener: () => void): void {
    this.#child.once('exit', listener)
  }

  #listen(): void {
    const stdio = streamsOf(this.#child)
    // bwrap may end before it has read all: its words and its exit tell why.
    for (const stream of stdio) stream?.on('error', () => {})
    stdio[2]?.setEncoding('utf8').on('data', (text: string) => (this.#words = (this.#words + text).slice(-MOST_WORDS)))
    this.#child.once('exit', (_code, signal) => this.#endInside(signal))
    this.#child.on('message', ({ index }: { index: number }, server) => this.#take(index, server as Server))
    if (this.#sandbox.ports.length === 0) stdio[GATE]?.once('data', () => this.#openGate())
  }

  #take(index: number, server: Server): void {
    this.#sandbox.serve(this.#sandbox.ports[index]!, server)
    if (++this.#sockets === this.#sandbox.ports.length) this.#openGate()
  }

  /**
   * Lets the program start once the sandbox cannot outlive the bridge: its first process dies with bwrap only after it
   * has asked the kernel for that, which is the last thing it does before it waits.
   */
  #openGate(): void {
    if (!this.isRunning || this.#stoppedBy) return
    const pid = this.#status.childPid
    const init = pid === null ? null : processState(pid)
    if (init?.state !== 'S') return void this.#timers.after(1, () => this.#openGate())
    if (init.parent !== this.#child.pid) return this.kill()
    this.#isOpen = true
    if (this.#sandbox.ports.length === 0) streamsOf(this.#child)[GATE]?.end('go\n')
    else this.#child.send('go', () => this.#child.connected && this.#child.disconnect())
  }

  /** A bwrap that was killed while it made the sandbox leaves its first process inside. */
  #endInside(signal: NodeJS.Signals | null): void {
    this.#status.close()
    streamsOf(this.#child)[GATE]?.destroy()
    if (this.#child.connected) this.#child.disconnect()
    if (signal !== null) for (const pid of processesWith(this.#mark)) sendSignal(pid, 'SIGKILL')
  }

  #exitCode({ code, signal }: ChildExit): number {
    if (this.#stoppedBy) return 128 + constants.signals[this.#stoppedBy]
    if (this.#isOpen && this.#status.exitCode !== null) return this.#status.exitCode
    if (signal) return 128 + constants.signals[signal]
    const words = this.#words.trim().split('\n').filter(Boolean).join('; ') || `bwrap ended with exit code ${code}`
    if (this.#status.exitCode === 126) throw new LaunchFault(words, 126, hiddenHint(this.#program))
    throw sandboxFailed(words, 'svc doctor checks whether sandboxes work here')
  }
}

const hiddenHint = (program: string): string =>
  isReplaced(program)
    ? 'put it in a directory of the agent: a sandbox has a /tmp, /run and /dev of its own'
    : 'add its folder to sandbox.read, or take it out of sandbox.hide'

function spawnBwrap(
  { command: [, ...args], directory, env, stdio }: ProgramStart,
  sandbox: Sandbox,
  { program, mark, status }: { program: string; mark: string; status: number },
): ChildProcess {
  const isInteractive = stdio === 'terminal'
  const { seccompFilter: filter, ports } = sandbox
  const argumentList = sandbox.arguments({ program, directory, isInteractive })
  const keepsKeys = isInteractive && !program.includes('=') && canResetKeys()
  const [input, output, errors] = STDIO[stdio]
  const runProgram = run(keepsKeys ? WITH_KEYS : '', errors)
  const gate =
    ports.length === 0
      ? [`${PLAIN_GATE}${runProgram}`, mark]
      : [`${LISTENING_GATE}${runProgram}`, mark, process.execPath, LISTENING_PROGRAM, JSON.stringify(ports)]
  const own = ['--args', `${ARGUMENTS}`, ...(filter ? ['--seccomp', `${FILTER}`] : []), '--json-status-fd', `${STATUS}`]
  const [file, ...rest] = [
    ...(keepsKeys ? IGNORING_KEYS : []),
    sandbox.bwrap,
    ...own,
    '--',
    '/bin/sh',
    '-c',
    ...gate,
    program,
    ...args,
  ] as [string, ...string[]]
  const extra = ['pipe', 'pipe', status, ports.length === 0 ? 'pipe' : 'ipc', errors === 'inherit' ? 2 : errors]
  const child = spawn(file, rest, { cwd: directory, env, stdio: [input, output, 'pipe', ...extra] as StdioOptions })
  if (child.pid === undefined) return child
  const streams = streamsOf(child)
  streams[ARGUMENTS]?.end(argumentList.map((argument) => `${argument}\0`).join(''))
  streams[FILTER]?.end(filter ?? '')
  return child
}

/** Each is a socket in Node, but for those that are inherited. */
const streamsOf = (child: ChildProcess) => child.stdio as unknown as (Duplex | null)[]

/** Coreutils have the option since 2019; without it Ctrl-C ends the program by force. */
const canResetKeys = (): boolean => {
  const [env, ...options] = WITH_KEYS.split(' ') as [string, ...string[]]
  return spawnSync(env, [...options, 'true'], { stdio: 'ignore' }).status === 0
}
