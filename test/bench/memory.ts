import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Returns `pid` and its descendants. */
export function processTree(pid: number): number[] {
  if (!existsSync(`/proc/${pid}/task`)) return []
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(processTree)]
}

/** Total memory of processes in MiB: current (`VmRSS`) or peak (`VmHWM`). */
export function memoryOf(pids: readonly number[], what: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const kib = (pid: number) => Number(new RegExp(`${what}:\\s+(\\d+)`).exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0)
  return pids.reduce((sum, pid) => sum + kib(pid), 0) / 1024
}

/** Returns an empty string if the process is gone. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
