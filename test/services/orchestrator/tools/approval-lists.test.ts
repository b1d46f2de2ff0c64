import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import type { Approval } from '../../../../schemas/tools/approval.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { alice, refusal, TestMachine, type TestOrchestrator } from '../harness.ts'

onEachDatabase((database) => {
  const clock = new TestClock()
  let machine: TestMachine
  let daemon: TestOrchestrator
  beforeAll(async () => {
    machine = new TestMachine({ clock, url: database.url })
    daemon = await machine.open()
  })
  afterAll(() => machine.close())

  const approvals = () => daemon.orchestrator.approvals
  const slice = (agentId: string, cursor = '', side: 'after' | 'before' = 'after', status?: Approval['status']) =>
    approvals().slice({ agentId, ...(status && { status }) }, { limit: 2, side, cursor })
  const idsOf = ({ items }: { items: Approval[] }) => items.map(({ id }) => id)

  test('pages approvals in both directions while requests arrive', async () => {
    const { id, agent } = await daemon.createCautious()
    const ids: string[] = []
    for (let at = 0; at < 5; at++) {
      ids.unshift((await daemon.held(agent, 'Bash', { command: `make ${at}` })).id)
      daemon.tick(1000)
    }
    const first = await slice(id)
    expect([idsOf(first), first.previous]).toEqual([ids.slice(0, 2), null])
    const late = await daemon.held(agent, 'Bash', { command: 'make late' })
    await approvals().deny(ids[2]!, {}, alice)
    const second = await slice(id, first.next!)
    expect(idsOf(second)).toEqual(ids.slice(2, 4))
    expect(second.items[0]).toMatchObject({ status: 'denied', decided_by: 'alice' })
    expect(idsOf(await slice(id, second.previous!, 'before'))).toEqual(ids.slice(0, 2))
    const last = await slice(id, second.next!)
    expect([idsOf(last), last.next]).toEqual([[ids[4]], null])
    expect(idsOf(await slice(id, '', 'before'))).toEqual(ids.slice(3))
    expect(idsOf(await slice(id))).toEqual([late.id, ids[0]])
  })

  test('counts by status, whatever the status of the filter', async () => {
    const { id, agent } = await daemon.createCautious()
    const [one, two] = [await daemon.held(agent, 'Bash', { a: 1 }), await daemon.held(agent, 'Bash', { a: 2 })]
    await approvals().approve(one.id, {}, alice)
    const { items, counts } = await slice(id, '', 'after', 'pending')
    expect(items).toEqual([two])
    expect(counts).toEqual({ total: 2, pending: 1, approved: 1, denied: 0, timed_out: 0 })
  })

  test('refuses a cursor of another list', async () => {
    const { id } = await daemon.createCautious()
    const cursor = Buffer.from(JSON.stringify(['drift', 'a', 'b'])).toString('base64url')
    expect(await refusal(slice(id, cursor))).toMatchObject({ status: 400 })
  })
})
