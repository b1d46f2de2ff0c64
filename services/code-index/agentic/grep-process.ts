// Programs that search files, run so that none outlives its deadline or us.
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

/** The expression is none, or takes longer than it may. */
export class GrepRefusal extends Error {
  override readonly name = 'GrepRefusal'
}

/** A program is not there, or failed for another reason than the expression. */
export class GrepFailure extends Error {
  override readonly name = 'GrepFailure'
}

export interface ProgramAsked {
  program: 'grep' | 'rg'
  args: readonly string[]
  /** Its expressions take no longer than what they are asked of: it needs no limit of the kernel. */
  isLinear?: boolean
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

export interface ProgramEnded {
  /** Null when it was ended before. */
  code: number | null
  /** The beginning of what it said of errors. */
  said: string
}

/** It is dead when this settles. Throws a GrepRefusal where it is late, a GrepFailure where it cannot be started. */
export function run({
  program,
  args,
  isLinear = false,
  root,
  path,
  deadline,
  about,
  heard,
}: ProgramAsked): Promise<ProgramEnded> {
  return new Promise((resolve, reject) => {
    // Whatever becomes of us, the kernel ends it after so many seconds of computing.
    const seconds = String(Math.ceil(about.deadlineMs / 1000) + 1)
    const limited = ['-c', `ulimit -t "$0"; exec ${program} "$@"`, seconds, ...args]
    const child = spawn(isLinear ? program : '/bin/sh', isLinear ? args : limited, {
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
      reject(new GrepFailure(`${program} could not be started: ${error.message}: install GNU grep`))
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      if (isLate) reject(tooSlow(about))
      else resolve({ code, said })
    })
  })
}

export function tooSlow({ deadlineMs, pattern }: ProgramAsked['about']): GrepRefusal {
  const shown = pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern
  return new GrepRefusal(
    `query "${shown}" took longer than ${deadlineMs / 1000} s and was ended: write a simpler expression, or name a smaller path`,
  )
}

export const noExpression = (said: string): GrepRefusal =>
  new GrepRefusal(`query is no basic regular expression: ${said.trim()}`)

/** Whether a program is on the PATH. */
export function isInstalled(program: string, path: string): boolean {
  return path.split(':').some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return folder !== ''
    } catch {
      return false
    }
  })
}
