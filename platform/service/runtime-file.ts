// `$SVC_DATA_DIR/runtime.json`: says that a daemon runs here and where it answers; keeps a second one away.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { isAlive } from '../peer/alive.ts'
import { replaceFile } from '../core/replace-file.ts'
import { conflict } from '../core/problem.ts'
import type { RuntimeFile } from '../../schemas/access/runtime-file.ts'

/** Milliseconds another daemon has to answer before its file counts as left behind. */
const ANSWER_MS = 2000

/**
 * Throws 409 when a daemon of this data folder lives all the same (one of a version that knew no lock, or whose
 * lock's file was removed); removes the file of one that does not. Called with the folder locked.
 */
export async function refuseSecondDaemon(file: string): Promise<void> {
  const other = readRuntimeFile(file)
  if (other === null) return rmSync(file, { force: true })
  if (isAlive(other.pid) && (await answers(other))) {
    throw conflict(
      `a daemon runs on ${dirname(file)} already: process ${other.pid} at ${Object.values(other.services).join(', ')}; use it, stop it with "svc down", or set SVC_DATA_DIR to another folder`,
      'daemon-running',
    )
  }
  rmSync(file, { force: true })
}

/** In one move: nobody reads half a file. */
export function writeRuntimeFile(file: string, content: RuntimeFile): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  replaceFile(file, `${JSON.stringify(content, null, 2)}\n`)
}

/** Removes the file that we wrote, as `own` says, and nobody else's. */
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

/** A process id may have gone to another program: only a service of ours at the address counts. */
async function answers(other: RuntimeFile): Promise<boolean> {
  const asked = Object.values(other.services).map(async (url) => {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(ANSWER_MS) })
    const { service } = (await response.json()) as { service?: string }
    if (!service?.startsWith('svc-')) throw new Error('another program')
    return true
  })
  return Promise.any(asked).catch(() => false)
}
