import { spawn, type ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'
import { constants } from 'node:os'
import { LaunchFault } from './launch-file.ts'
import { LineCutter } from './lines.ts'
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
  onLine(line: string): void
  onNotice(text: string): void
}

const FORCE_AFTER_MS = 5000

/** Limit for remaining output: a grandchild may keep the pipe open. */
const LAST_WORDS_MS = 1000

/** Throws a LaunchFault if command or directory is missing. */
export function checkStart(command: readonly string[], directory: string): void {
  if (!command[0])
    throw new LaunchFault('the agent has no command', 64, 'set command in the agent: [program, argument]')
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new LaunchFault(`the working directory does not exist (${directory})`, 66, 'create it or change working_dir')
  }
}

/** Uses a shell's exit codes. */
function spawnFault(error: NodeJS.ErrnoException, program: string): LaunchFault {
  if (error.code === 'ENOENT')
    return new LaunchFault(
      `program "${program}" is not installed, or not on PATH`,
      127,
      'install it, or name its full path in the agent’s command',
    )
  if (error.code === 'EACCES')
    return new LaunchFault(`program "${program}" is not executable`, 126, `make it executable: chmod +x ${program}`)
  return new LaunchFault(
    `program "${program}" did not start: ${error.message}`,
    126,
    'run it in the agent’s working directory to see its output',
  )
}

/** `ended` rejects with a LaunchFault if the program cannot be started. */
export function startProgram(options: ProgramOptions): Program {
  checkStart(options.command, options.directory)
  const [program, ...args] = options.command as [string, ...string[]]
  const child = spawn(program, args, { cwd: options.directory, env: options.env, stdio: ['pipe', 'pipe', 'inherit'] })
  const cutter = new LineCutter(options.onLine, (length) => options.onNotice(`dropped a line of ${length} characters`))
  child.stdout.on('data', (chunk: Buffer) => cutter.take(chunk))
  // The exit code is more informative than a broken pipe.
  child.stdin.on('error', () => {})
  child.once('exit', () => child.stdout.resume())
  return {
    write: (line) => void child.stdin.write(`${line}\n`),
    hold: (isHeld) => void (isHeld && isRunning(child) ? child.stdout.pause() : child.stdout.resume()),
    stop: () => stopChild(child, options.timers),
    ended: waitForExit(child, program, options.timers).then((code) => {
      cutter.end()
      return code
    }),
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

function stopChild(child: ChildProcess, timers: Timers): void {
  if (!isRunning(child)) return
  child.stdin?.end()
  child.kill('SIGTERM')
  const force = timers.after(FORCE_AFTER_MS, () => child.kill('SIGKILL'))
  child.once('exit', () => force.cancel())
}

/** Resolves with the exit code, or 128 + n after signal n. Rejects with a LaunchFault if the program did not start. */
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
