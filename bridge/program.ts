// A program on stdio that speaks lines, and how one is started and ended.
import { spawn, type ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'
import { constants } from 'node:os'
import { LaunchFault } from './launch-file.ts'
import { LineCutter } from './lines.ts'
import type { Timers } from './timers.ts'

export interface Program {
  /** One line, without its newline. Lines for a program that has ended are lost. */
  write(line: string): void
  /** Ends it: politely at first, by force after five seconds. */
  stop(): void
  /** Exit code; 128 + n when signal n ended it. All lines were delivered before. */
  readonly ended: Promise<number>
}

export interface ProgramOptions {
  command: readonly string[]
  directory: string
  env: NodeJS.ProcessEnv
  timers: Timers
  onLine(line: string): void
  /** Something for the person at the terminal. */
  onNotice(text: string): void
}

const FORCE_AFTER_MS = 5000

/** How long output of a program that has ended is waited for: a grandchild may hold the pipe open. */
const LAST_WORDS_MS = 1000

/** Throws a LaunchFault when there is nothing to start, or nowhere to start it. */
export function checkStart(command: readonly string[], directory: string): void {
  if (!command[0])
    throw new LaunchFault('there is no command to run', 64, 'give the agent a command: [program, argument]')
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new LaunchFault(
      `the working directory does not exist (${directory})`,
      66,
      'create it, or give the agent another working_dir',
    )
  }
}

/** What a failed spawn means to a person, with the exit code a shell would give. */
function spawnFault(error: NodeJS.ErrnoException, program: string): LaunchFault {
  if (error.code === 'ENOENT')
    return new LaunchFault(
      `program "${program}" is not installed, or not on PATH`,
      127,
      'install it, or name its full path in the agent’s command',
    )
  if (error.code === 'EACCES')
    return new LaunchFault(`program "${program}" may not be executed`, 126, `make it executable: chmod +x ${program}`)
  return new LaunchFault(
    `program "${program}" did not start: ${error.message}`,
    126,
    'run it by hand in the agent’s working directory to see more',
  )
}

/** Starts the program; `ended` rejects with a LaunchFault when it cannot be started. */
export function startProgram(options: ProgramOptions): Program {
  checkStart(options.command, options.directory)
  const [program, ...args] = options.command as [string, ...string[]]
  const child = spawn(program, args, { cwd: options.directory, env: options.env, stdio: ['pipe', 'pipe', 'inherit'] })
  const cutter = new LineCutter(options.onLine, (length) =>
    options.onNotice(`a line of ${length} characters was dropped`),
  )
  child.stdout.on('data', (chunk: Buffer) => cutter.take(chunk))
  // A program that ends while it is written to: its exit tells more than the broken pipe.
  child.stdin.on('error', () => {})
  return {
    write: (line) => void child.stdin.write(`${line}\n`),
    stop: () => stopChild(child, options.timers),
    ended: waitForExit(child, program, options.timers).then((code) => {
      cutter.end()
      return code
    }),
  }
}

function stopChild(child: ChildProcess, timers: Timers): void {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.stdin?.end()
  child.kill('SIGTERM')
  const force = timers.after(FORCE_AFTER_MS, () => child.kill('SIGKILL'))
  child.once('exit', () => force.cancel())
}

/** Resolves with the exit code, 128 + n for signal n. Rejects with a LaunchFault if the program did not start. */
export function waitForExit(child: ChildProcess, program: string, timers: Timers): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      if (child.pid === undefined) reject(spawnFault(error, program))
    })
    child.once('exit', (code, signal) => {
      const patience = timers.after(LAST_WORDS_MS, () => child.stdout?.destroy())
      const finish = () => {
        patience.cancel()
        resolve(signal ? 128 + constants.signals[signal] : (code ?? 1))
      }
      if (!child.stdout || child.stdout.closed) finish()
      else child.stdout.once('close', finish)
    })
  })
}
