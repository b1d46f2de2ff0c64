import type { ChildProcess } from 'node:child_process'
import type { Timers } from '../timers.ts'
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
