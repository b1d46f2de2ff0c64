import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, TestMachine, type TestOrchestrator, workflow } from '../harness.ts'

onEachDatabase((database) => {
  let machine: TestMachine
  let daemon: TestOrchestrator
  let name: string
  beforeAll(async () => {
    machine = new TestMachine({ clock: new TestClock(), url: database.url })
    daemon = await machine.open()
  })
  afterAll(() => machine.close())
  beforeEach(() => {
    name = `q-${randomUUID()}`
  })

  const queues = () => daemon.orchestrator.queues
  const push = (title: string, priority?: number) => queues().push(name, { title, priority }, alice)
  const consumer = async (agentId: string, more: Record<string, unknown> = {}, members: Record<string, unknown> = {}) =>
    (
      await daemon.orchestrator.workflows.create(
        workflow(agentId, {
          trigger_config: { type: 'queue', queue_name: name, ...members },
          prompt_template: '{{title}}',
          ...more,
        }),
        alice,
      )
    ).id
  const counts = async () => {
    const { pending, processing, completed, dead } = await queues().stats(name)
    return [pending, processing, completed, dead]
  }
  const become = (wanted: number[]) => eventually(async () => expect(await counts()).toEqual(wanted) ?? true)
  const peek = async () => (await queues().peek(name, null)).items
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${daemon.address}/queues${path && `/${path}`}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: (await response.json()) as any }
  }

  test('shows pushed tasks in the order of delivery and purges them', async () => {
    const pushed = await ask('POST', `${name}/push`, { title: 'a' })
    expect(pushed).toEqual({
      status: 201,
      body: { id: expect.any(String), queue_name: name, status: 'pending', created_at: expect.any(String) },
    })
    await ask('POST', `${name}/push`, { title: 'b', body: 'B', priority: 5 })
    await ask('POST', `${name}/push`, { title: 'c', priority: -1 })
    await ask('POST', `${name}/push`, { title: 'd', priority: 5 })
    const { body: tasks } = await ask('GET', `${name}/peek`)
    expect(tasks.map(({ title }: { title: string }) => title)).toEqual(['b', 'd', 'a', 'c'])
    expect(tasks[0]).toMatchObject({
      body: 'B',
      priority: 5,
      retry_count: 0,
      max_retries: 3,
      status: 'pending',
      error: null,
    })
    expect(Object.keys(tasks[0])).not.toContain('dispatch_id')
    const { body: page } = await ask('GET', `${name}/peek?limit=2`)
    expect(page).toMatchObject({ items: tasks.slice(0, 2), total: 4, limit: 2 })
    expect((await ask('GET', `${name}/peek?limit=999`)).body.limit).toBe(100)
    daemon.tick(61_500)
    const stats = { queue_name: name, pending: 4, processing: 0, completed: 0, dead: 0, oldest_pending_secs: 61 }
    expect((await ask('GET', `${name}/stats`)).body).toEqual(stats)
    expect((await ask('GET', '')).body).toContainEqual(stats)
    expect((await ask('DELETE', name)).body).toEqual({ deleted: 4 })
    expect((await ask('GET', `${name}/stats`)).body).toEqual({ ...stats, pending: 0, oldest_pending_secs: 0 })
  })

  test('lists all queues with as many queries as a single queue', async () => {
    for (let at = 0; at < 20; at++) await queues().push(`${name.slice(0, 50)}-${at}`, { title: 'x' }, alice)
    const asked: string[] = []
    const note = ({ sql }: { sql: string }) => void asked.push(sql)
    daemon.db.on('query', note)
    const listed = await queues().list()
    daemon.db.off('query', note)
    expect(
      listed.filter(({ queue_name, pending }) => queue_name.startsWith(name.slice(0, 50)) && pending === 1),
    ).toHaveLength(20)
    expect(asked.filter((sql) => sql.includes('queue_tasks')).length).toBeLessThan(5)
  })

  test('refuses invalid pushes and limits pages to ten by default', async () => {
    for (const [path, body] of [
      ['a_b/push', { title: 'x' }],
      [`${'x'.repeat(65)}/push`, { title: 'x' }],
      [`${name}/push`, {}],
      [`${name}/push`, { title: 'x', priorty: 1 }],
      [`${name}/push`, { title: 'x', priority: 1.5 }],
    ] as const)
      expect((await ask('POST', path, body)).status).toBe(400)
    expect(await counts()).toEqual([0, 0, 0, 0])
    for (let at = 0; at < 12; at++) await push(`t${at}`)
    expect(await peek()).toHaveLength(10)
  })

  test('gives a free agent the next task and completes it on result', async () => {
    const { id, agent } = await daemon.createConnected()
    for (const [title, priority] of [
      ['low', -1],
      ['first', 0],
      ['second', 0],
      ['high', 9],
    ] as const)
      await push(title, priority)
    const flow = await consumer(id, {
      prompt_template: '{{title}} {{queue_name}} {{queue_priority}} {{queue_task_id}}',
    })
    for (let at = 1; at <= 4; at++) {
      await agent.prompt(at)
      await become([4 - at, 1, at - 1, 0])
      agent.result()
    }
    expect(agent.prompts().map((prompt) => prompt.split(' ')[0])).toEqual(['high', 'first', 'second', 'low'])
    await become([0, 0, 4, 0])
    const task = await push('later')
    expect(await agent.prompt(5)).toBe(`later ${name} 0 ${task.id}`)
    expect((await daemon.orchestrator.workflows.history(flow)).items[0]!.source_id).toBe(`queue:${name}:${task.id}:0`)
  })

  test('keeps tasks while the agent is busy or disconnected, and through crashes', async () => {
    const { id, agent } = await daemon.createConnected()
    await consumer(id)
    await daemon.orchestrator.agents.message(id, 'work', alice)
    await agent.prompt(1)
    await push('a')
    daemon.tick(60_000)
    agent.socket.terminate()
    await push('b')
    expect(await counts()).toEqual([2, 0, 0, 0])
    await daemon.crash()
    daemon = await machine.open()
    const back = await daemon.connect(id)
    for (const at of [1, 2]) {
      await eventually(() => {
        daemon.tick(1000)
        return back.prompts().length === at
      })
      back.result()
    }
    expect(back.prompts()).toEqual(['a', 'b'])
    await become([0, 0, 2, 0])
  })

  test('gives each task to one of several consumers', async () => {
    const stands = await Promise.all([1, 2, 3].map(() => daemon.createConnected()))
    await Promise.all(stands.map(({ id }) => consumer(id)))
    const titles = Array.from({ length: 12 }, (_each, at) => `t${at}`)
    await Promise.all(titles.map((title) => push(title)))
    const answered = new Map(stands.map(({ agent }) => [agent, 0]))
    await eventually(async () => {
      for (const { agent } of stands)
        if (agent.prompts().length > answered.get(agent)!) {
          answered.set(agent, agent.prompts().length)
          agent.result()
        }
      return (await counts())[2] === 12
    })
    expect(stands.flatMap(({ agent }) => agent.prompts()).sort()).toEqual(titles.sort())
  })

  test('retries a task with back-off and marks it dead after three failures', async () => {
    const { id, agent } = await daemon.createConnected()
    await consumer(id)
    await push('a')
    for (const [attempt, wait] of [
      [1, 5000],
      [2, 10_000],
    ] as const) {
      await agent.prompt(attempt)
      agent.result({ is_error: true, result: `broken ${attempt}` })
      await become([1, 0, 0, 0])
      expect(await peek()).toMatchObject([{ retry_count: attempt, error: `broken ${attempt}` }])
      daemon.tick(wait - 1)
      await daemon.orchestrator.workflows.list()
      expect(agent.prompts()).toHaveLength(attempt)
      await eventually(() => {
        daemon.tick(1000)
        return agent.prompts().length === attempt + 1
      })
    }
    agent.result({ is_error: true, result: 'broken 3' })
    await become([0, 0, 0, 1])
    expect(await peek()).toEqual([])
    const dead = { title: 'a', status: 'dead', retry_count: 3, error: 'broken 3' }
    expect((await ask('GET', `${name}/tasks?status=dead`)).body).toMatchObject([dead])
    expect((await ask('POST', `${name}/redrive`)).body).toEqual({ redriven: 1 })
    await agent.prompt(4)
    agent.result()
    await become([0, 0, 1, 0])
    expect((await ask('POST', `${name}/redrive`)).body).toEqual({ redriven: 0 })
  })

  test('lists all tasks by cursor, newest first', async () => {
    for (const title of ['a', 'b', 'c']) await push(title, title === 'a' ? 9 : 0)
    await queues().push(`${name.slice(0, 60)}-o`, { title: 'other' }, alice)
    const titles = ({ items }: { items: { title: string }[] }) => items.map(({ title }) => title)
    const page = async (query: string) => (await ask('GET', `${name}/tasks?limit=2&${query}`)).body
    const first = await page('after=')
    const second = await page(`after=${first.next}`)
    expect([titles(first), titles(second), second.next]).toEqual([['c', 'b'], ['a'], null])
    expect(titles(await page(`before=${second.previous}`))).toEqual(['c', 'b'])
    expect(titles(await page('before='))).toEqual(['b', 'a'])
    for (const [queue, query] of [
      [name, `status=dead&after=${first.next}`],
      [`${name.slice(0, 60)}-o`, `after=${first.next}`],
    ])
      expect((await ask('GET', `${queue}/tasks?${query}`)).status).toBe(400)
    expect((await ask('GET', `${name}/tasks?status=dead`)).body).toEqual([])
    expect((await ask('GET', `${name}/tasks?status=none`)).status).toBe(400)
  })

  test('gives an overdue task to another consumer and ignores a late result', async () => {
    const [hung, other] = [await daemon.createConnected(), await daemon.createConnected()]
    await consumer(hung.id, {}, { visibility_timeout_secs: 60 })
    await push('a')
    await hung.agent.prompt(1)
    await consumer(other.id)
    daemon.tick(59_000)
    expect(await counts()).toEqual([0, 1, 0, 0])
    await eventually(() => {
      daemon.tick(1000)
      return other.agent.prompts().length === 1
    })
    expect(other.agent.prompts()).toEqual(['a'])
    hung.agent.result()
    await eventually(async () => (await daemon.orchestrator.agents.get(hung.id)).activity === 'idle')
    expect(await counts()).toEqual([0, 1, 0, 0])
    other.agent.result()
    await become([0, 0, 1, 0])
  })

  test('completes an unclaimed task by a late result and counts its time-out', async () => {
    const { id, agent } = await daemon.createConnected()
    await consumer(id, {}, { visibility_timeout_secs: 60 })
    await push('a')
    await agent.prompt(1)
    daemon.tick(60_000)
    await become([1, 0, 0, 0])
    expect(await peek()).toMatchObject([{ retry_count: 1, error: expect.stringContaining('visibility timeout') }])
    agent.result()
    await become([0, 0, 1, 0])
    daemon.tick(60_000)
    await daemon.orchestrator.workflows.list()
    expect(agent.prompts()).toHaveLength(1)
  })

  test.each([
    ['fail', [0, 0, 0, 1]],
    ['retry', [0, 0, 1, 0]],
  ] as const)('applies on_restart %s to tasks of a queue', async (on_restart, wanted) => {
    const { id, agent } = await daemon.createConnected()
    const flow = await consumer(id, { on_restart })
    await push('a')
    await agent.prompt(1)
    await daemon.crash()
    daemon = await machine.open()
    const back = await daemon.connect(id)
    if (on_restart === 'retry') {
      expect(await back.prompt(1)).toBe('a')
      back.result()
    }
    await become([...wanted])
    daemon.tick(400_000)
    await become([...wanted])
    expect((await daemon.orchestrator.workflows.history(flow)).items).toHaveLength(1)
  })

  test('deletes completed tasks after seven days', async () => {
    const { id, agent } = await daemon.createConnected()
    await consumer(id)
    await push('a')
    await agent.prompt(1)
    agent.result()
    await become([0, 0, 1, 0])
    daemon.tick(6 * 24 * 60 * 60_000)
    expect(await counts()).toEqual([0, 0, 1, 0])
    await eventually(async () => {
      daemon.tick(2 * 60 * 60_000)
      return (await counts())[2] === 0
    })
  })
})
