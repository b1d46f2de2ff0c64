import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../platform/core/clock.ts'
import { isPostgres, migrate, openDatabase, write, type Knex } from '../../../platform/database/database.ts'
import { lockFile } from '../../../platform/service/file-lock.ts'
import { noLog } from '../../../platform/core/log/log.ts'
import { hostMigrations } from '../../../platform/service/migrations.ts'
import { DaemonLease } from '../../../platform/store/daemon-lease.ts'
import { onEachDatabase } from '../../support/databases.ts'

test('locks a file once, even within a process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-lock-'))
  const file = join(folder, 'lock')
  const held = await lockFile(file)
  expect([held === null, await lockFile(file)]).toEqual([false, null])
  await held!.release()
  await (await lockFile(file))!.release()
  rmSync(folder, { recursive: true })
})

onEachDatabase((database) => {
  const handles: Knex[] = []
  const opened: DaemonLease[] = []
  beforeAll(async () => {
    await migrate(database.db, hostMigrations)
    await database.db.schema.createTable('things', (table) => void table.string('name'))
  })
  beforeEach(() => database.db('host_leases').delete())
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((lease) => lease.release().catch(() => undefined)))
    await Promise.all(handles.splice(0).map((db) => db.destroy()))
  })

  /** Simulates another process. */
  function handle(): Knex {
    handles.push(openDatabase(database.url))
    return handles.at(-1)!
  }

  function lease(db: Knex, place: string, services = ['orchestrator']): DaemonLease {
    const world = { db, clock: systemClock, log: noLog, table: 'host_leases', services, place }
    opened.push(new DaemonLease(world))
    return opened.at(-1)!
  }
  const put = (db: Knex, name: string) => write(db, (transaction) => transaction('things').insert({ name }))

  test('rejects every write of a superseded daemon', async () => {
    const [mine, other] = [handle(), handle()]
    const [first, second] = [lease(mine, 'one kernel'), lease(other, 'one kernel')]
    expect(await first.take({ pid: 1 })).toBeNull()
    await put(mine, 'before')
    expect(await second.take({ pid: 2 })).toBeNull()
    let ran = false
    const late = write(mine, async (transaction) => {
      ran = true
      await transaction('things').insert({ name: 'late' })
    })
    await expect(late).rejects.toMatchObject({ status: 503, code: 'lease-lost' })
    expect([ran, first.lost.aborted, second.lost.aborted]).toEqual([false, true, false])
    await expect(first.confirm().then(() => 'held')).rejects.toMatchObject({ code: 'lease-lost' })
    await put(other, 'after')
    expect(await other('things').pluck('name')).toEqual(['before', 'after'])
    await second.confirm()
  })

  test('allows different services on a server, but no service twice', async () => {
    if (!isPostgres(database.db)) return // one process holds the whole file
    const [third, other] = [handle(), handle()]
    expect(await lease(third, 'a kernel', ['notify']).take({ pid: 1 })).toBeNull()
    expect(await lease(other, 'another kernel', ['ask']).take({ pid: 2 })).toBeNull()
    const refused = await lease(handle(), 'a third kernel', ['ask', 'notify']).other()
    expect(refused).toMatchObject({ service: expect.stringMatching(/ask|notify/), about: expect.stringMatching(/pid/) })
    await put(third, 'of notify')
    await put(other, 'of ask')
  })

  test('recovers from a daemon killed during a migration', async () => {
    const migrations = {
      prefix: 'left',
      steps: [
        { name: '001-things', up: (db: Knex) => db.schema.createTable('left_things', (t) => void t.string('n')) },
      ],
    }
    const other = handle()
    await migrate(other, { ...migrations, steps: [] })
    await other('left_migrations_lock').update({ is_locked: 1 })
    await migrate(other, migrations)
    expect(await other.schema.hasTable('left_things')).toBe(true)
  })
})
