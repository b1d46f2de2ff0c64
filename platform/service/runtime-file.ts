// `$SVC_DATA_DIR/runtime.json`: process and addresses of the running daemon.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { isAlive } from '../peer/alive.ts'
import { replaceFile } from '../core/replace-file.ts'
import { conflict } from '../core/problem.ts'
import type { RuntimeFile } from '../../schemas/access/runtime-file.ts'

const ANSWER_MS = 2000

/** Throws 409 if a daemon runs without the lock (an old version, or a deleted lock file); removes a stale file. */
export async function refuseSecondDaemon(file: string): Promise<void> {
  const other = readRuntimeFile(file)
  if (other === null) return rmSync(file, { force: true })
  if (isAlive(other.pid) && (await answers(other))) {
    throw conflict(
      `a daemon already runs on ${dirname(file)}: process ${other.pid} at ${Object.values(other.services).join(', ')}; use it, stop it with "svc down", or set SVC_DATA_DIR to another folder`,
      'daemon-running',
    )
  }
  rmSync(file, { force: true })
}

export function writeRuntimeFile(file: string, content: RuntimeFile): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  replaceFile(file, `${JSON.stringify(content, null, 2)}\n`)
}

export function removeRuntimeFile(file: string, own: Pick<RuntimeFile, 'pid' | 'started_at'>): void {
  const present = readRuntimeFile(file)
  if (present?.pid === own.pid && present.started_at === own.started_at) rmSync(file, { force: true })
}

function readRuntimeFile(file: string): RuntimeFile | null {
  try {
    const content = JSON.parse(readFileSync(file, 'utf8')) as Partial<RuntimeFile> | null
    return typeof content?.pid === 'number' && typeof content.services === 'object' && content.services !== null
      ? (content as RuntimeFile)
      : null
  } catch {
    return null
  }
}

/** Requires an answer from svc, because the process id may have been reused. */
async function answers(other: RuntimeFile): Promise<boolean> {
  const asked = Object.values(other.services).map(async (url) => {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(ANSWER_MS) })
    const { service } = (await response.json()) as { service?: string }
    if (!service?.startsWith('svc-')) throw new Error('another program')
    return true
  })
  return Promise.any(asked).catch(() => false)
}
