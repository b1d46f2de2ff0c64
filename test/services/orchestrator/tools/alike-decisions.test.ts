import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { alice, refusal, TestMachine, type TestOrchestrator } from '../harness.ts'

const UNKNOWN = 'd0d0caca-0000-4000-8000-00000000abcd'

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
  const asking = async () => (await daemon.createCautious()).agent

  test('gives requests for the same tool, input and policy the same key', async () => {
    const [first, second] = [await asking(), await asking()]
    const { agent: other } = await daemon.createConnected({
      tool_policy: { mode: 'allow_list', tools: ['Read'], otherwise: 'ask' },
    })
    const [one, two] = [
      await daemon.held(first, 'Bash', { command: 'make', a: 1 }),
      await daemon.held(second, 'Bash', { a: 1, command: 'make' }),
    ]
    expect(two.alike).toBe(one.alike)
    const others = [
      await daemon.held(first, 'Bash', { command: 'make all' }),
      await daemon.held(first, 'Task', { command: 'make', a: 1 }),
      await daemon.held(other, 'Bash', { command: 'make', a: 1 }),
    ]
    expect(new Set([one, ...others].map(({ alike }) => alike)).size).toBe(4)
  })

  test('gives requests in different directories different keys', async () => {
    const agents = [machine.work, mkdtempSync(join(machine.work, 'other-'))].map((working_dir) =>
      daemon.createConnected({ tool_policy: { mode: 'require_approval' }, working_dir }),
    )
    const [one, two] = await Promise.all(
      agents.map(async (made) => daemon.held((await made).agent, 'Bash', { command: 'git clean -fdx' })),
    )
    expect(two!.directory).not.toBe(one!.directory)
    const decision = approvals().decideAlike({ verdict: 'approve', ids: [one!.id, two!.id] }, alice)
    expect(await refusal(decision)).toMatchObject({ status: 409, code: 'not-alike' })
  })

  test('keeps the key of a secret from being guessed', async () => {
    const other = new TestMachine({ clock })
    try {
      const elsewhere = await other.open()
      const there = await elsewhere.held((await elsewhere.createCautious()).agent, 'Bash', { command: 'make' })
      const here = await daemon.held(await asking(), 'Bash', { command: 'make' })
      expect(here.alike).not.toBe(there.alike)
    } finally {
      await other.close()
    }
  })

  test('decides the named requests and leaves later ones pending', async () => {
    const agents = [await asking(), await asking(), await asking()]
    const input = { command: 'npm test' }
    const [one, two] = [await daemon.held(agents[0]!, 'Bash', input), await daemon.held(agents[1]!, 'Bash', input)]
    const late = await daemon.held(agents[2]!, 'Bash', input)
    const results = await approvals().decideAlike(
      { verdict: 'approve', ids: [one.id, two.id], reason: 'fine', updated_input: { command: 'npm test -- --run' } },
      alice,
    )
    expect(results.map(({ id, problem }) => [id, problem])).toEqual([
      [one.id, null],
      [two.id, null],
    ])
    expect(results[1]!.approval).toMatchObject({ status: 'approved', decided_by: 'alice', reason: 'fine' })
    for (const [at, { request_id }] of [one, two].entries())
      expect(await agents[at]!.answer(request_id)).toEqual({
        behavior: 'allow',
        updatedInput: { command: 'npm test -- --run' },
      })
    expect(await approvals().get(late.id)).toMatchObject({ status: 'pending' })
  })

  test('tells which requests could not be decided, and decides the others', async () => {
    const [first, second] = [await asking(), await asking()]
    const [one, two] = [
      await daemon.held(first, 'Bash', { command: 'make' }),
      await daemon.held(second, 'Bash', { command: 'make' }),
    ]
    await approvals().approve(one.id, {}, alice)
    const results = await approvals().decideAlike({ verdict: 'deny', ids: [one.id, UNKNOWN, two.id] }, alice)
    expect(results).toMatchObject([
      { id: one.id, approval: null, problem: { status: 409, code: 'already-decided' } },
      { id: UNKNOWN, approval: null, problem: { status: 404, code: 'not-found' } },
      { id: two.id, approval: { status: 'denied' }, problem: null },
    ])
  })

  test('audits each decided request', async () => {
    const [first, second] = [await asking(), await asking()]
    const held = [
      await daemon.held(first, 'Bash', { command: 'ls' }),
      await daemon.held(second, 'Bash', { command: 'ls' }),
    ]
    const ids = held.map(({ id }) => id)
    await approvals().decideAlike({ verdict: 'approve', ids: [...ids, UNKNOWN] }, { ...alice, requestId: 'together' })
    const rows = await daemon.db('orchestrator_audit').where({ request_id: 'together' }).orderBy('seq')
    expect(rows.map(({ kind, resource_id, actor }) => [kind, resource_id, actor])).toEqual(
      ids.map((id) => ['operation', `orchestrator.approve ${id}`, 'alice']),
    )
  })

  test('decides none of several requests that differ', async () => {
    const agent = await asking()
    const [one, two] = [await daemon.held(agent, 'Bash', { a: 1 }), await daemon.held(agent, 'Bash', { a: 2 })]
    const decision = approvals().decideAlike({ verdict: 'approve', ids: [one.id, two.id] }, alice)
    expect(await refusal(decision)).toMatchObject({ status: 409, code: 'not-alike' })
    for (const { id } of [one, two]) expect(await approvals().get(id)).toMatchObject({ status: 'pending' })
  })

  test('decides requests to an earlier version one at a time', async () => {
    const [first, second] = [await asking(), await asking()]
    const ids = [(await daemon.held(first, 'Bash', {})).id, (await daemon.held(second, 'Bash', {})).id]
    await daemon.db('orchestrator_approvals').whereIn('id', ids).update({ alike: null })
    const decide = (of: string[]) => approvals().decideAlike({ verdict: 'deny', ids: of }, alice)
    expect(await refusal(decide(ids))).toMatchObject({ code: 'not-alike' })
    expect(await decide(ids.slice(1))).toMatchObject([{ approval: { status: 'denied' } }])
  })
})
