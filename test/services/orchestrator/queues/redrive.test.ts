import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { alice, TestMachine, type TestOrchestrator } from '../harness.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

onEachDatabase((database) => {
  let machine: TestMachine
  let daemon: TestOrchestrator
  beforeAll(async () => {
    machine = new TestMachine({ clock: new TestClock(), url: database.url })
    daemon = await machine.open()
  })
  afterAll(() => machine.close())

  const dead = async (queue: string, title: string) => {
    const { id } = await daemon.orchestrator.queues.push(queue, { title }, alice)
    const died = { status: 'dead', retry_count: 3, error: 'broken', ended_at: '2030-01-01T00:00:00.000Z' }
    await daemon.db('orchestrator_queue_tasks').where({ id }).update(died)
    return id
  }
  const redrive = async (queue: string, id: string) => {
    const response = await fetch(`${daemon.address}/queues/${queue}/tasks/${id}/redrive`, { method: 'POST' })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const statuses = async (queue: string) =>
    (await daemon.orchestrator.queues.tasks(queue, {}, {})).items.map(({ title, status }) => [title, status])

  test('makes one dead task pending again, and records who did it', async () => {
    const first = await dead('one', 'first')
    await dead('one', 'second')
    const pending = { id: first, queue_name: 'one', title: 'first', status: 'pending', retry_count: 0 }
    expect(await redrive('one', first)).toMatchObject({ status: 200, body: pending })
    expect(await statuses('one')).toEqual([
      ['second', 'dead'],
      ['first', 'pending'],
    ])
    expect(await daemon.orchestrator.queues.stats('one')).toMatchObject({ pending: 1, dead: 1 })
    const { items } = (await (await fetch(`${daemon.address}/audit?limit=1`)).json()) as { items: object[] }
    expect(items).toMatchObject([{ endpoint: expect.stringContaining('redrive') }])
  })

  test('gives the task to a consumer', async () => {
    const { id: agentId, agent } = await daemon.createConnected()
    const id = await dead('worked', 'again')
    const trigger_config = { type: 'queue', queue_name: 'worked' }
    const flow = { name: 'worker', agent_id: agentId, trigger_config, prompt_template: '{{title}}' }
    await daemon.orchestrator.workflows.create(flow, alice)
    expect((await redrive('worked', id)).status).toBe(200)
    expect(await agent.prompt(1)).toBe('again')
  })

  test('refuses a task that is not dead, of another queue, or unknown', async () => {
    const { id } = await daemon.orchestrator.queues.push('refused', { title: 'T' }, alice)
    const alive = await redrive('refused', id)
    expect([alive.status, alive.body.detail]).toEqual([
      409,
      `task ${id} of queue refused is pending: only a dead task can be retried`,
    ])
    const other = await dead('elsewhere', 'T')
    expect((await redrive('refused', other)).status).toBe(404)
    expect((await redrive('refused', UNKNOWN)).status).toBe(404)
    expect((await redrive('refused', 'no-id')).status).toBe(400)
    expect(await statuses('elsewhere')).toEqual([['T', 'dead']])
  })
})
