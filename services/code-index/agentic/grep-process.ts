// GNU grep, run so that it outlives neither its deadline nor us.
import { spawn } from 'node:child_process'

/** The expression is none, or takes longer than it may. */
export class GrepRefusal extends Error {
  override readonly name = 'GrepRefusal'
}

/** grep is not there, or failed for another reason than the expression. */
export class GrepFailure extends Error {
  override readonly name = 'GrepFailure'
}

export interface GrepRun {
  /** After the options that make it take basic expressions and print no colours. */
  args: readonly string[]
  /** Working directory. */
  root: string
  /** PATH. */
  path: string
  /** As of `performance.now()`. */
  deadline: number
  /** What is said of the search when it is too late. */
  about: { pattern: string; deadlineMs: number }
  /** Hears what is printed; false when nothing more is wanted. */
  heard(bytes: Buffer): boolean
}

export interface GrepEnd {
  /** Null when it was ended before. */
  code: number | null
  /** The beginning of what it said of errors. */
  said: string
}

/** It is dead when this settles. Throws a GrepRefusal where it is late, a GrepFailure where it cannot be started. */
export function runGrep({ args, root, path, deadline, about, heard }: GrepRun): Promise<GrepEnd> {
  return new Promise((resolve, reject) => {
    // Whatever becomes of us, the kernel ends it after so many seconds of computing.
    const seconds = String(Math.ceil(about.deadlineMs / 1000) + 1)
    const limited = ['-c', 'ulimit -t "$0"; exec grep -G --color=never "$@"', seconds, ...args]
    const child = spawn('/bin/sh', limited, {
      cwd: root,
      env: { PATH: path, LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
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
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(new GrepFailure(`grep could not be started: ${error.message}: install GNU grep`))
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      if (isLate) reject(tooSlow(about))
      else resolve({ code, said })
    })
  })
}

export function tooSlow({ deadlineMs, pattern }: GrepRun['about']): GrepRefusal {
  const shown = pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern
  return new GrepRefusal(
    `query "${shown}" took longer than ${deadlineMs / 1000} s and was ended: write a simpler expression, or name a smaller path`,
  )
}

export const noExpression = (said: string): GrepRefusal =>
  new GrepRefusal(`query is no basic regular expression: ${said.trim()}`)
