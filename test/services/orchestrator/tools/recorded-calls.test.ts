import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import type { Frame, HandAgent } from '../../../support/hand-agent.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import type { PolicyTest } from '../../../../schemas/tools/policy-test.ts'
import { LARGEST_STORED } from '../../../../services/orchestrator/tools/recorded-calls.ts'
import { Canaries } from '../../../attack/secrets/canaries.ts'
import { alice, refusal, TestMachine, workflow, type TestOrchestrator } from '../harness.ts'

const TABLE = 'orchestrator_tool_calls'
const READERS = { mode: 'allow_list', tools: ['Read', 'Bash(git status)'], ask: ['Bash(git push *)'] } as const
const CALLS: [string, Frame][] = [
  ['Bash', { command: 'git status' }],
  ['Bash', { command: 'git push origin' }],
  ['Bash', { command: 'make' }],
]

const echoes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `echo ${from + at}`)

onEachDatabase((database) => {
  const clock = new TestClock()
  let machine: TestMachine
  let daemon: TestOrchestrator
  beforeAll(async () => {
    machine = new TestMachine({ clock, url: database.url, env: { SVC_TOKEN: 'cnry.token-of-the-daemon' } })
    daemon = await machine.open()
  })
  afterAll(() => machine.close())

  const run = async (asked: PolicyTest, by = alice) => (await daemon.orchestrator.policyTests.run(asked, by)).calls
  const replay = (agent: string, more: Partial<PolicyTest> = { tool_policy: { mode: 'deny_all' } }) =>
    run({ agent, recorded: 1000, ...more })
  /** The last call, once all are written. */
  const last = (agent: string) => run({ agent, recorded: 1, tool_policy: { mode: 'deny_all' } })
  const asAgent = (id: string) => ({ ...alice, actor: 'agent:worker', agent: id })
  const stored = (agent_id: string) => daemon.db(TABLE).where({ agent_id }).orderBy('seq')
  async function ask(agent: HandAgent, calls: readonly [string, Frame][]): Promise<void> {
    for (const [tool, input] of calls) await agent.answer(agent.askTool(tool, input))
  }

  async function insert(agent_id: string, count: number): Promise<void> {
    const row = { agent_id, tool: 'Bash', decision: 'allow', created_at: new Date(clock.now()).toISOString() }
    const rows = Array.from({ length: count }, (_, at) => {
      const command = `echo ${at}`
      return { ...row, about: command, input: JSON.stringify({ command }) }
    })
    for (let at = 0; at < count; at += 50) await daemon.db(TABLE).insert(rows.slice(at, at + 50))
  }

  test('compares what was decided with what another policy decides, newest first', async () => {
    const { id, agent } = await daemon.createConnected({ tool_policy: { mode: 'deny_all' } })
    await ask(agent, CALLS)
    const said = { agent: 'worker', tool: 'Bash', workflow: null, at: expect.any(String), before: 'deny' }
    expect(await replay(id, { tool_policy: { ...READERS } as never })).toEqual([
      { ...said, input: 'make', after: 'deny', reason: 'no entry covers it: make' },
      { ...said, input: 'git push origin', after: 'ask', reason: 'an entry covers it: git push origin' },
      { ...said, input: 'git status', after: 'allow', reason: null },
    ])
    expect(await run({ agent: id, recorded: 1, tool_policy: { mode: 'allow_all' } })).toMatchObject([
      { input: 'make', before: 'deny', after: 'allow' },
    ])
    expect(await replay(id, { tool_policy: { mode: 'require_approval' } })).toMatchObject(
      CALLS.map(() => ({ after: 'ask', reason: 'mode require_approval' })),
    )
  })

  test('records what the policy decided, not the person, once for each request', async () => {
    const { id, agent } = await daemon.createCautious()
    const { approvals } = daemon.orchestrator
    const held = await daemon.held(agent, 'Bash', { command: 'make' })
    await approvals.approve(held.id, { scope: 'session' }, alice)
    await agent.answer(held.request_id)
    // Answered from the record.
    agent.askTool('Bash', { command: 'make' }, held.request_id)
    await eventually(() => agent.answers(held.request_id).length === 2)
    // Answered by the session-wide decision.
    await agent.answer(agent.askTool('Bash', { command: 'make test' }))
    expect((await replay(id)).map(({ input, before }) => [input, before])).toEqual([
      ['make test', 'ask'],
      ['make', 'ask'],
    ])
  })

  test('names the workflow that a call belongs to', async () => {
    const { id, agent } = await daemon.createConnected()
    const flow = await daemon.orchestrator.workflows.create(workflow(id), alice)
    await eventually(() => daemon.orchestrator.workflows.trigger(flow.id, {}, alice))
    await agent.prompt(1)
    await ask(agent, CALLS.slice(0, 1))
    agent.result()
    expect(await replay(id)).toMatchObject([{ workflow: flow.name, before: 'allow', after: 'deny' }])
    await daemon.orchestrator.workflows.delete(flow.id, alice)
    expect(await replay(id)).toMatchObject([{ workflow: null }])
  })

  test('stores no secret, and does not judge a call that contained one', async () => {
    const canaries = new Canaries()
    const env = { KEY: canaries.plant('env') }
    canaries.add('token of the daemon', 'cnry.token-of-the-daemon')
    const { id, agent } = await daemon.createConnected({ env })
    await ask(agent, [
      ['Bash', { command: `curl -H ${env.KEY} example.org` }],
      ['Bash', { command: `${'x'.repeat(190)} ${env.KEY}` }],
      ['Bash', { command: 'ls', note: 'cnry.token-of-the-daemon' }],
      [env.KEY, {}],
    ])
    const tested = await replay(id, { tool_policy: { mode: 'allow_all' } })
    expect(tested).toHaveLength(4)
    for (const each of tested)
      expect(each).toMatchObject({ after: null, reason: 'not judged: it contained a secret, which is not kept' })
    expect(tested.at(-1)!.input).toBe('curl -H *** example.org')
    const rows = JSON.stringify(await stored(id))
    expect([...canaries.seenIn('rows', rows), ...canaries.seenIn('answer', JSON.stringify(tested))]).toEqual([])
    const written = { tool: 'Bash', input: { command: `echo ${env.KEY}` } }
    const judged = await run({ agent: id, tool_policy: { ...READERS } as never, calls: [written] })
    expect(judged).toMatchObject([{ input: 'echo ***', reason: 'no entry covers it: echo ***' }])
  })

  test('keeps only the start of a large call, and does not judge it', async () => {
    const { id, agent } = await daemon.createConnected()
    const content = 'x'.repeat(LARGEST_STORED)
    await ask(agent, [
      ['Write', { file_path: 'notes.txt', content }],
      ['T'.repeat(201), {}],
      ['Write', { file_path: 'notes.txt', content: 'x'.repeat(LARGEST_STORED - 100) }],
    ])
    const [fits, , cut] = await replay(id)
    expect(fits).toMatchObject({ input: 'notes.txt', after: 'deny' })
    const reason = `not judged: its input has more than ${LARGEST_STORED} bytes and is not kept`
    expect(cut).toMatchObject({ tool: 'Write', input: 'notes.txt', before: 'allow', after: null, reason })
    const sizes = (await stored(id)).map(({ tool, about, input }) => [tool.length, about.length, input?.length])
    expect(sizes.slice(0, 2)).toEqual([
      [5, 9, undefined],
      [201, 2, undefined],
    ])
  })

  test('keeps the newest 1,000 calls of each agent, and deletes the rest in batches', async () => {
    const { id, agent } = await daemon.createConnected()
    const other = await daemon.createConnected()
    await ask(other.agent, CALLS)
    await last(other.id)
    await insert(id, 1300)
    // Older calls are deleted when the first call of an agent is written, and then after a hundred more.
    await ask(agent, CALLS.slice(0, 1))
    await last(id)
    expect((await stored(id)).map(({ about }) => about)).toEqual([...echoes(301, 1299), 'git status'])
    await insert(id, 50)
    await ask(agent, CALLS.slice(0, 1))
    await last(id)
    expect(await stored(id)).toHaveLength(1051)
    for (let at = 0; at < 100; at++) agent.askTool('Bash', { command: `echo ${at}` })
    await agent.answer(agent.askTool('Bash', { command: 'echo last' }))
    await last(id)
    expect((await stored(id)).length).toBeLessThan(1100)
    expect(await stored(other.id)).toHaveLength(CALLS.length)
    await daemon.orchestrator.agents.purge(id, alice)
    expect(await stored(id)).toEqual([])
  })

  test('writes calls after a short delay, and the rest at a stop', async () => {
    const { id, agent } = await daemon.createConnected()
    await ask(agent, CALLS.slice(0, 1))
    expect(await stored(id)).toEqual([])
    await eventually(async () => {
      daemon.tick(250)
      return (await stored(id)).length === 1
    })
    await ask(agent, CALLS.slice(1, 2))
    await daemon.stop()
    daemon = await machine.open()
    expect(await stored(id)).toHaveLength(2)
    expect((await replay(id)).map(({ input }) => input)).toEqual(['git push origin', 'git status'])
  })

  test('an agent tests a policy with its own recorded calls only', async () => {
    const { id, agent } = await daemon.createConnected()
    const other = await daemon.createConnected()
    await ask(agent, CALLS)
    await ask(other.agent, CALLS.slice(0, 1))
    const tested: PolicyTest = { recorded: 1000, tool_policy: { mode: 'deny_all' } }
    expect(await run(tested, asAgent(id))).toHaveLength(CALLS.length)
    expect(await run({ ...tested, agent: other.id }, asAgent(other.id))).toHaveLength(1)
    expect((await run(tested)).length).toBeGreaterThanOrEqual(CALLS.length + 1)
    const written = { agent: id, tool_policy: tested.tool_policy!, calls: [{ tool: 'Read', input: {} }] }
    const unnamed = { ...alice, actor: 'agent:?' }
    for (const [asked, by] of [
      [{ ...tested, agent: other.id }, asAgent(id)],
      [written, asAgent(id)],
      [tested, unnamed],
    ] as const)
      expect(await refusal(run(asked, by))).toMatchObject({ status: 403, code: 'agent-may-not' })
    const [first, second] = await Promise.all([run(tested, asAgent(id)), refusal(run(tested, asAgent(id)))])
    expect([first.length, second]).toMatchObject([CALLS.length, { status: 429, code: 'limit-reached' }])
  })

  test('finds a named and a built-in policy, and refuses an unknown one', async () => {
    const { id, agent } = await daemon.createConnected()
    await ask(agent, CALLS.slice(0, 2))
    await daemon.orchestrator.policies.put('readers', { ...READERS } as never, alice)
    const decisions = async (policy: string) => (await replay(id, { policy })).map(({ after }) => after)
    expect(await decisions('readers')).toEqual(['ask', 'allow'])
    expect(await decisions('builder')).toEqual(['ask', 'allow'])
    expect(await refusal(replay(id, { policy: 'bilder' }))).toMatchObject({
      status: 404,
      message: expect.stringContaining('builder'),
    })
    const nobody = '00000000-0000-4000-8000-000000000000'
    expect(await refusal(replay(nobody))).toMatchObject({ status: 404 })
  })

  test('records the tools of MCP servers', async () => {
    const { id, agent } = await daemon.createConnected()
    await ask(agent, [['mcp__tracker__create', { title: 'Fix it' }]])
    expect(await replay(id, { tool_policy: { mode: 'allow_list', tools: ['mcp__tracker__list'] } })).toMatchObject([
      { tool: 'mcp__tracker__create', input: '{"title":"Fix it"}', before: 'allow', after: 'deny' },
    ])
  })

  test('judges written calls in the directories of the agent', async () => {
    const { id } = await daemon.createConnected({ tool_policy: { mode: 'deny_all' } })
    const calls = ['notes.txt', '/etc/passwd'].map((file_path) => ({ tool: 'Read', input: { file_path } }))
    expect(await run({ agent: id, tool_policy: { mode: 'allow_all' }, calls })).toMatchObject([
      { input: 'notes.txt', at: null, before: 'deny', after: 'allow', reason: null },
      { input: '/etc/passwd', before: 'deny', after: 'deny', reason: expect.stringContaining('is outside') },
    ])
  })

  test('lets other work run while it judges 1,000 calls', async () => {
    const { id } = await daemon.createConnected()
    await insert(id, 1000)
    let turns = 0
    let isDone = false
    const turn = () => {
      turns++
      if (!isDone) setImmediate(turn)
    }
    turn()
    const tested = await replay(id, { policy: 'builder' }).finally(() => (isDone = true))
    expect(tested).toHaveLength(1000)
    expect(turns).toBeGreaterThan(5)
  })
})
