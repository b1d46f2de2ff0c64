import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'

/** The expression is invalid or too slow, or its directory is gone. */
export class GrepRefusal extends Error {
  override readonly name = 'GrepRefusal'
}

/** The grep process could not be started. */
export class GrepFailure extends Error {
  override readonly name = 'GrepFailure'
}

export interface GrepRun {
  args: readonly string[]
  root: string
  /** Inherited as descriptors 3, 4 and so on. */
  files?: readonly number[]
  /** Value of PATH. */
  path: string
  /** Milliseconds, as in `performance.now()`. */
  deadline: number
  about: { pattern: string; deadlineMs: number }
  /** Receives output; returns false to stop. */
  heard(bytes: Buffer): boolean
}

export interface GrepEnd {
  /** Null if it was killed. */
  code: number | null
  /** Beginning of stderr. */
  said: string
}

/** Exit codes of a shell whose program cannot be executed, or is missing. */
const NOT_STARTED = new Set([126, 127])

/** Throws a GrepRefusal on time-out, a GrepFailure if it cannot be started. */
export function runGrep({ args, root, files = [], path, deadline, about, heard }: GrepRun): Promise<GrepEnd> {
  return new Promise((resolve, reject) => {
    // The kernel enforces this CPU limit even if this process is killed.
    const seconds = String(Math.ceil(about.deadlineMs / 1000) + 1)
    const limited = ['-c', 'ulimit -t "$0"; exec grep -G --color=never "$@"', seconds, ...args]
    const child = spawn('/bin/sh', limited, {
      cwd: root,
      env: { PATH: path, LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe', ...files],
    }) as ChildProcessByStdio<null, Readable, Readable>
    let said = ''
    let isLate = false
    const timer = setTimeout(
      () => {
        isLate = true
        child.kill('SIGKILL')
      },
      Math.max(1, deadline - performance.now()),
    )
    child.stdout.on('data', (bytes: Buffer) => {
      if (!heard(bytes)) child.kill('SIGKILL')
    })
    child.stderr.on('data', (bytes: Buffer) => (said = (said + bytes.toString('utf8')).slice(0, 500)))
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      // Of the working directory: the shell exists, and reports a missing grep itself.
      if (error.code === 'ENOENT') reject(new GrepRefusal('path was moved or removed during the search: search again'))
      else reject(new GrepFailure(`failed to start grep: ${error.message}: install GNU grep`))
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      if (isLate) reject(tooSlow(about))
      else if (code !== null && NOT_STARTED.has(code))
        reject(new GrepFailure(`failed to start grep: ${said.trim()}: install GNU grep`))
      else resolve({ code, said })
    })
  })
}

export function tooSlow({ deadlineMs, pattern }: GrepRun['about']): GrepRefusal {
  const shown = pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern
  return new GrepRefusal(
    `query "${shown}" took longer than ${deadlineMs / 1000} s and was stopped: simplify it, or search a subdirectory`,
  )
}

export const noExpression = (said: string): GrepRefusal =>
  new GrepRefusal(`query is not a valid basic regular expression: ${said.trim()}`)
