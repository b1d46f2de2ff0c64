import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { openDatabase, type Knex } from '../../../platform/database/database.ts'
import { counted } from '../../support/counts.ts'
import { postgresDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { ask, request } from '../../support/http.ts'
import { Machine, PATIENCE_MS, runtimeFile, type DaemonProcess } from './daemon-process.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 })

let machine: Machine
beforeEach(() => void (machine = new Machine()))
afterEach(() => machine.close())

const agentsOf = async (daemon: DaemonProcess): Promise<AgentRecord[]> =>
  request('GET', `${(await daemon.up()).services.orchestrator}/agents`)

async function settled(daemon: DaemonProcess, names: string[]): Promise<Record<string, string>> {
  await eventually(async () => {
    const agents = await agentsOf(daemon)
    const ready = agents.filter((agent) => agent.status === 'running' && agent.connected)
    return ready.length === names.length && agents.length === names.length
  }, PATIENCE_MS)
  return machine.panes()
}

async function expectRefused(second: DaemonProcess, first: DaemonProcess): Promise<void> {
  const { code } = await second.ended
  expect({ code, output: second.output }).toEqual({
    code: 1,
    output: expect.stringContaining(`in use by another daemon: process ${first.pid} on `),
  })
  expect(second.output).toMatch(/since \d{4}-\d\d-\d\dT/)
}

const isWell = async (daemon: DaemonProcess): Promise<unknown> =>
  eventually(
    async () => (await request<{ status: string }>('GET', `${(await daemon.up()).services.controller}/health`)).status,
    PATIENCE_MS,
  )

describe('daemons on one data folder', () => {
  test('runs exactly one of ten concurrent starts, which the others name', async () => {
    const names = ['anna', 'ben', 'cleo']
    machine.team(...names)
    const daemons = Array.from({ length: 10 }, () => machine.start())
    const winner = await eventually(() => {
      const left = daemons.filter((daemon) => !daemon.hasEnded)
      return left.length === 1 && left[0]!
    }, PATIENCE_MS * 2)
    const losers = daemons.filter((daemon) => daemon !== winner)
    for (const loser of losers) await expectRefused(loser, winner)
    const panes = await settled(winner, names)
    expect(Object.keys(panes)).toHaveLength(names.length)
    expect(runtimeFile(machine.dataDir)?.pid).toBe(winner.pid)
    counted('daemons: concurrent starts on one data folder', daemons.length)
    counted('daemons: starts refused, naming the running daemon', losers.length)
  })

  test('refuses a later start with the first’s address and changes nothing', async () => {
    machine.team('anna')
    const first = machine.start()
    const before = [await settled(first, ['anna']), statSync(join(machine.dataDir, 'runtime.json')).ino]
    const second = machine.start()
    await expectRefused(second, first)
    for (const url of Object.values((await first.up()).services)) expect(second.output).toContain(url)
    expect([await machine.panes(), statSync(join(machine.dataDir, 'runtime.json')).ino]).toEqual(before)
    expect(await isWell(first)).toBe('ok')
  })

  test('keeps the lock of a daemon stopped by SIGSTOP', async () => {
    const first = machine.start()
    const file = await first.up()
    first.kill('SIGSTOP')
    await expectRefused(machine.start(), first)
    expect(runtimeFile(machine.dataDir)).toEqual(file)
    first.kill('SIGCONT')
    expect(await isWell(first)).toBe('ok')
  })

  test('starts at once after a kill and adopts the agents', async () => {
    machine.team('anna')
    const first = machine.start()
    const before = await settled(first, ['anna'])
    first.kill('SIGKILL')
    const second = machine.start()
    expect((await second.up()).pid).toBe(second.pid)
    expect(await machine.panes()).toEqual(before)
  })

  test('waits for a daemon that is shutting down', async () => {
    const first = machine.start()
    await first.up()
    first.kill('SIGTERM')
    await eventually(() => runtimeFile(machine.dataDir) === null)
    const second = machine.start()
    await second.up()
    expect(await first.ended).toEqual({ code: 0, signal: null })
  })

  test('exits without writing when another daemon takes its removed lock', async () => {
    machine.team('anna')
    const first = machine.start()
    const before = await settled(first, ['anna'])
    const { services } = await first.up()
    await stopBetweenWrites(first)
    for (const name of ['daemon.lock', 'svc.db.lock']) rmSync(join(machine.dataDir, name))
    const second = machine.start()
    await second.up()
    first.kill('SIGCONT')
    await expectOvertaken(first, services.orchestrator!)
    expect(await machine.panes()).toEqual(before)
    expect(runtimeFile(machine.dataDir)?.pid).toBe(second.pid)
    expect((await agentsOf(second)).map(({ name }) => name)).toEqual(['anna'])
  })

  test('reports a database file locked by another program', async () => {
    const first = machine.start()
    await first.up()
    first.kill('SIGTERM')
    await first.ended
    const db = openDatabase(`sqlite:${join(machine.dataDir, 'svc.db')}`)
    try {
      await db.transaction(async () => {
        const second = machine.start()
        expect(await second.ended).toMatchObject({ code: 1 })
        expect(second.output).toContain('error: the database is locked by another process: try again')
        expect(second.output).toContain('hint: find the process that has it open')
      })
    } finally {
      await db.destroy()
    }
  })

  test('locks a SQLite file outside the data folder too', async () => {
    const env = { SVC_DATABASE_URL: `sqlite:${join(machine.home, 'shared', 'svc.db')}` }
    const first = machine.start({ env })
    await first.up()
    const second = machine.start({ env, dataDir: join(machine.home, 'other') })
    await expectRefused(second, first)
    expect(await isWell(first)).toBe('ok')
  })
})

/** Inside a transaction a stopped daemon would hold the file lock forever. */
async function stopBetweenWrites(daemon: DaemonProcess): Promise<void> {
  const db = openDatabase(`sqlite:${join(machine.dataDir, 'svc.db')}`, { busyTimeoutMs: 0 })
  try {
    await eventually(async () => {
      daemon.kill('SIGSTOP')
      return db
        .transaction(async () => true)
        .catch((error: unknown) => {
          daemon.kill('SIGCONT')
          throw error
        })
    })
  } finally {
    await db.destroy()
  }
}

async function expectOvertaken(daemon: DaemonProcess, orchestrator: string): Promise<void> {
  const body = { name: 'late', working_dir: machine.home, shell: 'bash', runtime: 'scripted' }
  await ask('POST', `${orchestrator}/agents`, body).then(
    ({ status }) => expect(status).toBe(503),
    () => undefined, // it has exited or closed its ports
  )
  expect((await daemon.ended).code).toBe(1)
  expect(daemon.output).toContain('another daemon has taken over the database')
}

describe('daemons on one PostgreSQL database with separate data folders', () => {
  let url: string
  let db: Knex
  let remove: () => Promise<void>
  beforeEach(async () => {
    const database = await postgresDatabase()
    url = database.url
    remove = database.remove
    db = openDatabase(url)
  })
  afterEach(async () => {
    await db.destroy()
    await remove()
  })

  const start = (name: string) => machine.start({ dataDir: join(machine.home, name), env: { SVC_DATABASE_URL: url } })
  const expire = () => db('host_leases').update({ expires_at: db.raw(`clock_timestamp() - interval '1 second'`) })
  const leases = () => db('host_leases').orderBy('name').select('name', 'token', 'holder')

  test('runs exactly one of five concurrent starts, which the others name', async () => {
    machine.team('anna', 'ben')
    const daemons = ['a', 'b', 'c', 'd', 'e'].map(start)
    const winner = await eventually(() => {
      const left = daemons.filter((daemon) => !daemon.hasEnded)
      return left.length === 1 && left[0]!
    }, PATIENCE_MS * 2)
    for (const loser of daemons.filter((daemon) => daemon !== winner)) await expectRefused(loser, winner)
    expect(Object.keys(await settled(winner, ['anna', 'ben']))).toHaveLength(2)
    counted('daemons: concurrent starts on one PostgreSQL database', daemons.length)
    counted('daemons: starts refused, naming the running daemon', daemons.length - 1)
  })

  test('refuses the second until the first has stopped', async () => {
    machine.team('anna')
    const first = start('a')
    const before = [await settled(first, ['anna']), await leases()]
    const second = start('b')
    await expectRefused(second, first)
    for (const address of Object.values((await first.up()).services)) expect(second.output).toContain(address)
    expect([await machine.panes(), await leases()]).toEqual(before)
    first.kill('SIGTERM')
    expect(await first.ended).toEqual({ code: 0, signal: null })
    await start('b').up()
  })

  test('refuses other folders during a killed daemon’s lease, not its own', async () => {
    const first = start('a')
    await first.up()
    first.kill('SIGKILL')
    await first.ended
    const other = start('b')
    await expectRefused(other, first)
    expect(other.output).toMatch(/its lease expires in \d+ s/)
    await start('a').up()
  })

  test('exits without writing when its lease was taken during a stop', async () => {
    machine.team('anna')
    const first = start('a')
    const before = await settled(first, ['anna'])
    const { services } = await first.up()
    first.kill('SIGSTOP')
    await expire()
    const second = start('b')
    await second.up()
    const held = await leases()
    first.kill('SIGCONT')
    await expectOvertaken(first, services.orchestrator!)
    expect(await leases()).toEqual(held)
    expect(await machine.panes()).toEqual(before)
    expect(runtimeFile(first.dataDir)).toBeNull()
    expect((await agentsOf(second)).map(({ name }) => name)).toEqual(['anna'])
  })

  test('survives a database outage if no other daemon took the lease', async () => {
    const first = start('a')
    const { services } = await first.up()
    const held = await leases()
    const admin = openDatabase(url.replace(/\/svc_\w+\?/, '/postgres?'))
    const name = /\/(svc_\w+)\?/.exec(url)![1]!
    await db.destroy()
    await admin.raw(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
    await admin.raw('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ?', [name])
    await eventually(() => first.output.includes('failed to renew the database lease'), PATIENCE_MS)
    await admin.raw(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
    await admin.destroy()
    db = openDatabase(url)
    await expire()
    await eventually(() => first.output.includes('lease renewal recovered'), PATIENCE_MS)
    expect(await leases()).toEqual(held)
    const policy = { mode: 'allow_list', tools: ['Read'] }
    expect((await ask('PUT', `${services.orchestrator}/policies/later`, policy)).status).toBe(201)
  })
})
