// Processes of the system, read from /proc.
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessState {
  /** One letter: `S` is asleep. */
  state: string
  parent: number
}

/** Null if there is no such process. */
export function processState(pid: number): ProcessState | null {
  try {
    // The name, in parentheses, may contain any character.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { state: fields[0]!, parent: Number(fields[1]) }
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

/** Processes with this text in their command line. */
export function processesWith(text: string): number[] {
  const isOne = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOne(name))
    .map(Number)
}

/** Ignores processes that have ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
