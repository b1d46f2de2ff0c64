import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { LaunchFault } from './launch-file.ts'
import { notExecutable, notInstalled } from './program-lookup.ts'
import type { Timers } from './timers.ts'

/** Limit for remaining output: a grandchild may keep the pipe open. */
const LAST_WORDS_MS = 1000

export interface ChildExit {
  code: number | null
  signal: NodeJS.Signals | null
}

export const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

/** The exit code, or 128 + n after signal n. */
export const exitCodeOf = ({ code, signal }: ChildExit): number =>
  signal ? 128 + constants.signals[signal] : (code ?? 1)

/** Resolves after the output is read. Rejects with the system's error if the program did not start. */
export function childExit(child: ChildProcess, timers: Timers): Promise<ChildExit> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      if (child.pid === undefined) reject(error)
    })
    child.once('exit', (code, signal) => {
      const open = child.stdio.filter((stream) => stream !== null && stream !== undefined && !stream.closed)
      const patience = timers.after(LAST_WORDS_MS, () => open.forEach((stream) => stream?.destroy()))
      // The event `close` of the child does not come after a disconnect of its channel.
      void Promise.all(open.map((stream) => new Promise((resolve) => stream!.once('close', resolve)))).then(() => {
        patience.cancel()
        resolve({ code, signal })
      })
    })
  })
}

/** Uses a shell's exit codes. */
export function spawnFault(error: NodeJS.ErrnoException, program: string): LaunchFault {
  if (error.code === 'ENOENT') return notInstalled(program)
  if (error.code === 'EACCES') return notExecutable(program)
  return new LaunchFault(
    `program "${program}" did not start: ${error.message}`,
    126,
    'run it in the agent’s working directory to see its output',
  )
}
