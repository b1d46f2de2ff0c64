import { statSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { LaunchFault } from './launch-file.ts'
import { LineCutter } from './lines.ts'
import type { StartedProgram } from './sandbox/program-start.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { spawnProgram } from './sandbox/start.ts'
import type { Timers } from './timers.ts'

export interface Program {
  /** Writes a line, given without newline. Ignored after the program has ended. */
  write(line: string): void
  /** Stops reading the program's output, so that the program waits; resumes with false. */
  hold?(isHeld: boolean): void
  /** Sends SIGTERM, and SIGKILL five seconds later. */
  stop(): void
  /** Exit code, or 128 + n after signal n. Resolves after all lines are delivered. */
  readonly ended: Promise<number>
}

export interface ProgramOptions {
  command: readonly string[]
  directory: string
  env: NodeJS.ProcessEnv
  timers: Timers
  sandbox: Sandbox | null
  onLine(line: string): void
  onNotice(text: string): void
}

const FORCE_AFTER_MS = 5000

/** Returns the command. Throws a LaunchFault if command or directory is missing. */
export function checkStart(command: readonly string[], directory: string): [string, ...string[]] {
  if (!command[0])
    throw new LaunchFault('the agent has no command', 64, 'set command in the agent: [program, argument]')
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new LaunchFault(`the working directory does not exist (${directory})`, 66, 'create it or change working_dir')
  }
  return command as [string, ...string[]]
}

/** `ended` rejects with a LaunchFault if the program cannot be started. */
export function startProgram(options: ProgramOptions): Program {
  const { directory, env, timers, sandbox, onLine, onNotice } = options
  const command = checkStart(options.command, directory)
  const program = spawnProgram({ command, directory, env, timers, sandbox, stdio: 'lines' })
  const { stdin, stdout } = program as StartedProgram & { stdin: Writable; stdout: Readable }
  const cutter = new LineCutter(onLine, (length) => onNotice(`dropped a line of ${length} characters`))
  stdout.on('data', (chunk: Buffer) => cutter.take(chunk))
  program.onExit(() => stdout.resume())
  return {
    write: (line) => void stdin.write(`${line}\n`),
    hold: (isHeld) => void (isHeld && program.isRunning ? stdout.pause() : stdout.resume()),
    stop: () => stopProgram(program, stdin, timers),
    ended: program.ended.then((code) => {
      cutter.end()
      return code
    }),
  }
}

function stopProgram(program: StartedProgram, stdin: Writable, timers: Timers): void {
  if (!program.isRunning) return
  stdin.end()
  program.signal('SIGTERM')
  const force = timers.after(FORCE_AFTER_MS, () => program.kill())
  program.onExit(() => force.cancel())
}
