import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, refusal, TestMachine, type TestOrchestrator } from '../harness.ts'
import { entriesAfter, pageOf, says } from './entries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MIB = 1024 * 1024

onEachDatabase((database) => {
  let machine: TestMachine
  let daemon: TestOrchestrator
  beforeAll(async () => {
    const env = { SVC_ORCHESTRATOR_TRANSCRIPT_MB: '32' }
    machine = new TestMachine({ clock: new TestClock(), url: database.url, env })
    daemon = await machine.open()
  })
  afterAll(() => machine.close())

  const count = async (id: string) =>
    Number((await daemon.db('orchestrator_entries').where({ agent_id: id }).count({ count: '*' }).first())!.count)

  test('deletes the oldest entries of an agent above the size', async () => {
    const [busy, quiet] = [await daemon.createConnected(), await daemon.createConnected()]
    await entriesAfter(daemon, quiet)
    const [first] = await entriesAfter(daemon, busy, says(`first ${'x'.repeat(12 * MIB)}`))
    daemon.tick(1000)
    const [second] = await entriesAfter(daemon, busy, says(`second ${'x'.repeat(12 * MIB)}`))
    expect((await pageOf(daemon, busy.id)).kept_since).toBe(first!.at)
    daemon.tick(1000)
    await entriesAfter(daemon, busy, says(`third ${'x'.repeat(12 * MIB)}`))
    const { items, kept_since } = await pageOf(daemon, busy.id)
    expect(items.some(({ id }) => id === first!.id)).toBe(false)
    expect(items.some(({ id }) => id === second!.id)).toBe(true)
    expect(kept_since).toBe(items[0]!.at)
    expect(await count(quiet.id)).toBe(1)
  })

  test('deletes entries after seven days, not earlier', async () => {
    const connected = await daemon.createConnected()
    await entriesAfter(daemon, connected)
    daemon.tick(6 * DAY_MS)
    const [later] = await entriesAfter(daemon, connected, says('later'))
    daemon.tick(1.1 * DAY_MS)
    await eventually(async () => {
      daemon.tick(HOUR_MS)
      return (await pageOf(daemon, connected.id)).kept_since === later!.at
    })
    expect((await pageOf(daemon, connected.id)).items[0]).toMatchObject({ id: later!.id })
  })

  test('deletes the transcript of a purged agent', async () => {
    const connected = await daemon.createConnected()
    const { id } = connected
    await entriesAfter(daemon, connected)
    connected.agent.send(says('the last words'))
    await daemon.orchestrator.agents.purge(id, alice)
    expect(await refusal(pageOf(daemon, id))).toMatchObject({ status: 404 })
    // A write of gathered entries would follow now.
    daemon.tick(250)
    await entriesAfter(daemon, await daemon.createConnected())
    expect(await count(id)).toBe(0)
  })

  test('drops entries that are written during the purge of their agent', async () => {
    const { id, agent } = await daemon.createConnected()
    agent.send(says('the last words'))
    await eventually(() => daemon.frames.some(({ content }) => content === 'the last words'))
    const written: Promise<unknown>[] = []
    const writeNow = ({ sql }: { sql: string }) => {
      if (/^delete from .orchestrator_sessions/.test(sql)) written.push(refusal(pageOf(daemon, id)))
    }
    daemon.db.on('query', writeNow)
    await daemon.orchestrator.agents.purge(id, alice)
    daemon.db.removeListener('query', writeNow)
    expect(written).toHaveLength(1)
    await Promise.all(written)
    expect(await count(id)).toBe(0)
  })
})
