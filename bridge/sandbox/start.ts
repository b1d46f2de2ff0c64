// Starts every program of an agent, in its sandbox or without one.
import { spawn, type ChildProcess } from 'node:child_process'
import { childExit, exitCodeOf, isRunning, spawnFault } from '../child-exit.ts'
import type { Timers } from '../timers.ts'
import { startInside } from './inside.ts'
import type { Sandbox } from './sandbox.ts'

export interface ProgramStart {
  command: readonly [string, ...string[]]
  directory: string
  env: NodeJS.ProcessEnv
  /** `lines`: pipes, and errors on the terminal. `output`: a pipe for output alone. `terminal`: the bridge's own. */
  stdio: 'lines' | 'output' | 'terminal'
  /** Null: the launch names none. */
  sandbox: Sandbox | null
  timers: Timers
}

export interface StartedProgram {
  readonly stdin: ChildProcess['stdin']
  readonly stdout: ChildProcess['stdout']
  readonly isRunning: boolean
  signal(name: NodeJS.Signals): void
  /** By force, with all processes in the sandbox. */
  kill(): void
  onExit(listener: () => void): void
  /** Exit code, or 128 + n after signal n. Rejects with a LaunchFault if the program could not be started. */
  readonly ended: Promise<number>
}

export const STDIO = {
  lines: ['pipe', 'pipe', 'inherit'],
  output: ['ignore', 'pipe', 'ignore'],
  terminal: ['inherit', 'inherit', 'inherit'],
} as const

/** Throws a LaunchFault if the sandbox cannot be had: no program starts without it. */
export function spawnProgram(start: ProgramStart): StartedProgram {
  return start.sandbox === null ? startOutside(start) : startInside(start, start.sandbox)
}

function startOutside({ command, directory, env, stdio, timers }: ProgramStart): StartedProgram {
  const [program, ...args] = command
  const child = spawn(program, args, { cwd: directory, env, stdio: [...STDIO[stdio]] })
  // The exit code is more informative than a broken pipe.
  child.stdin?.on('error', () => {})
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    get isRunning() {
      return isRunning(child)
    },
    signal: (name) => void child.kill(name),
    kill: () => void child.kill('SIGKILL'),
    onExit: (listener) => void child.once('exit', listener),
    ended: childExit(child, timers).then(exitCodeOf, (error) => Promise.reject(spawnFault(error, program))),
  }
}
