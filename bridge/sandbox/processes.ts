// Processes of the system, read from /proc.
import { readFileSync } from 'node:fs'

export interface ProcessState {
  /** One letter: `S` is asleep. */
  state: string
  parent: number
  /** In clock ticks since the boot: tells processes of one id apart. */
  startedAt: string
}

/** Null if there is no such process. */
export function processState(pid: number): ProcessState | null {
  try {
    // The name, in parentheses, may contain any character.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { state: fields[0]!, parent: Number(fields[1]), startedAt: fields[19]! }
  } catch {
    return null
  }
}

/** Empty if the process has ended. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Ignores processes that have ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
