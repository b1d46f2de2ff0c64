// Memory of processes, from /proc.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Process ids of a process and all its descendants. */
export function processTree(pid: number): number[] {
  if (!existsSync(`/proc/${pid}/task`)) return []
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(processTree)]
}

/** Sum of the memory of processes, in MiB: resident now, or the highest that each has had (`VmHWM`). */
export function memoryOf(pids: readonly number[], what: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const kib = (pid: number) => Number(new RegExp(`${what}:\\s+(\\d+)`).exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0)
  return pids.reduce((sum, pid) => sum + kib(pid), 0) / 1024
}

/** Returns an empty text if the process has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
