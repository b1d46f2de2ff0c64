import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import { createLog } from '../../../platform/core/log/log.ts'
import { createLeaseTable, openLeases } from '../../../platform/store/lease.ts'
import { RunQueue } from '../../../services/conductor/run-queue.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { gate, type Gate } from './gate.ts'

const log = createLog({ level: 'silent', format: 'json' })

onEachDatabase((database) => {
  beforeAll(() => createLeaseTable(database.db, 'sample'))
  const clock = new TestClock()
  const all: RunQueue<string>[] = []
  afterAll(() => Promise.all(all.map((queue) => queue.stop())))

  /** Two daemons of one database. */
  function daemons() {
    const leases = openLeases({ db: database.db, clock, prefix: 'sample' })
    const running: string[] = []
    const gates = new Map<string, Gate>()
    const daemon = (name: string) => {
      const queue = new RunQueue({ clock, log, leases }, async (repository, signal) => {
        running.push(`${name} ${repository}`)
        const held = gate()
        gates.set(name, held)
        signal.addEventListener('abort', () => held.fail(signal.reason))
        await held.promise
        return name
      })
      all.push(queue)
      return queue
    }
    return { one: daemon('one'), other: daemon('other'), running, gates }
  }

  test('runs a repository in one daemon at a time', async () => {
    const { one, other, running, gates } = daemons()
    const first = one.request('acme/shop')
    await eventually(() => gates.has('one'))
    const second = other.request('Acme/Shop')
    const elsewhere = other.request('acme/other')
    await eventually(() => gates.has('other'))
    expect(running).toEqual(['one acme/shop', 'other acme/other'])
    gates.get('other')!.open()
    gates.delete('other')
    await elsewhere
    gates.get('one')!.open()
    expect(await first).toBe('one')
    await eventually(() => {
      clock.tick(1000)
      return gates.has('other')
    })
    gates.get('other')!.open()
    expect(await second).toBe('other')
    expect([one.isIdle, other.isIdle]).toEqual([true, true])
  })

  test('starts the run after one that failed', async () => {
    const { one, gates } = daemons()
    const first = one.request('acme/failing')
    await eventually(() => gates.has('one'))
    const [second, third] = [one.request('acme/failing'), one.request('acme/failing')]
    gates.get('one')!.fail(new Error('the forge is down'))
    gates.delete('one')
    await expect(first).rejects.toThrow('the forge is down')
    await eventually(() => gates.has('one'))
    gates.get('one')!.open()
    expect(await Promise.all([second, third])).toEqual(['one', 'one'])
  })

  test('aborts at the stop, and refuses later requests', async () => {
    const { one, gates } = daemons()
    const cut = one.request('acme/stopped')
    const next = one.request('acme/stopped')
    await eventually(() => gates.has('one'))
    const outcomes = Promise.allSettled([cut, next])
    await one.stop()
    expect(await outcomes).toMatchObject([
      { status: 'rejected', reason: { name: 'AbortError' } },
      { status: 'rejected', reason: { code: 'stopping' } },
    ])
    await expect(one.request('acme/stopped')).rejects.toMatchObject({ code: 'stopping' })
  })
})
