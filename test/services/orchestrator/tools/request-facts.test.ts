import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { canonicalPolicy } from '../../../../schemas/tools/policy.ts'
import { PRESETS } from '../../../../schemas/tools/presets/index.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import type { Declared } from '../../../../services/orchestrator/tools/request-facts.ts'
import { alice, refusal, TestMachine, workflow, type TestOrchestrator } from '../harness.ts'

const SECRET = 'first-half second-half'
const ASKING = {
  mode: 'allow_list' as const,
  tools: ['Bash(git *)', 'Read'],
  ask: ['Bash(git push *)', 'Bash(npm publish *)'],
  otherwise: 'ask' as const,
}

type Manifest = NonNullable<ReturnType<Declared>>

/** Each path has its line. */
const LINES = ['', 'tool_policy.ask[Bash(git push *)]', 'ask[Bash(git push *)]', 'tool_policy.otherwise']

const manifest = (file: string): Manifest => ({
  placeOf: (path) => ({ source: 'default', file, line: Math.max(0, LINES.indexOf(path)) + 1 }),
  spec: { tool_policy: ASKING },
  dependsOn: [],
})

onEachDatabase((database) => {
  const manifests = new Map<string, Manifest>()
  const declared: Declared = (kind, id) => manifests.get(`${kind}/${id}`) ?? null
  const clock = new TestClock()
  let machine: TestMachine
  let daemon: TestOrchestrator
  beforeAll(async () => {
    machine = new TestMachine({ clock, url: database.url, declared })
    daemon = await machine.open()
  })
  afterAll(() => machine.close())

  const approvals = () => daemon.orchestrator.approvals

  test('records the field and entry of the policy that left the decision to a person', async () => {
    const { agent } = await daemon.createConnected({ tool_policy: ASKING })
    const push = await daemon.held(agent, 'Bash', { command: 'git push origin main' })
    expect(push.policy).toMatchObject({ of: 'agent', mode: 'allow_list', field: 'ask', entry: 'Bash(git push *)' })
    const make = await daemon.held(agent, 'Bash', { command: 'make' })
    expect(make.policy).toMatchObject({ field: 'otherwise', entry: null })
    const { agent: cautious } = await daemon.createCautious()
    const any = await daemon.held(cautious, 'Read', { file_path: 'a' })
    expect(any).toMatchObject({ policy: { mode: 'require_approval', field: 'mode', entry: null }, programs: null })
  })

  test('finds the entry in a long list', async () => {
    const ask = Array.from({ length: 500 }, (_, at) => `Bash(program-${at} *)`)
    const { agent } = await daemon.createConnected({ tool_policy: { ...ASKING, ask } })
    for (const at of [0, 313, 499]) {
      const approval = await daemon.held(agent, 'Bash', { command: `program-${at} now` })
      expect(approval.policy).toMatchObject({ field: 'ask', entry: `Bash(program-${at} *)` })
    }
  })

  test('shows the manifest that set the policy, and the name of the policy that it refers to', async () => {
    const { policies } = daemon.orchestrator
    await policies.put('careful-git', ASKING, alice)
    const shown = async (given: Partial<Manifest>, named: string[] = []) => {
      const { id, agent } = await daemon.createConnected({ tool_policy: ASKING })
      manifests.set(`agents/${id}`, {
        ...manifest('a.yaml'),
        dependsOn: named.map((name) => `policies/${name}`),
        ...given,
      })
      const { policy } = await daemon.held(agent, 'Bash', { command: 'make' })
      return [policy!.name, policy!.managed_by?.file ?? null]
    }
    expect(await shown({})).toEqual([null, 'a.yaml'])
    expect(await shown({}, ['builder', 'careful-git'])).toEqual(['careful-git', 'a.yaml'])
    manifests.set('policies/careful-git', manifest('p.yaml'))
    expect(await shown({})).toEqual([null, 'a.yaml'])
    expect(await shown({}, ['careful-git'])).toEqual(['careful-git', 'p.yaml'])
    // As after a change of the live policy.
    expect(await shown({ spec: { tool_policy: { mode: 'require_approval' } } }, ['careful-git'])).toEqual([null, null])
    await policies.put('careful-git', { mode: 'deny_all' }, alice)
    expect(await shown({}, ['careful-git'])).toEqual([null, 'a.yaml'])
  })

  test('names a built-in policy, and neither name nor manifest without a manifest', async () => {
    const preset = PRESETS.find(({ name }) => name === 'builder')!
    const tool_policy = canonicalPolicy(preset, 'deny_all')
    const { id, agent } = await daemon.createConnected({ tool_policy })
    const shown = async () => (await daemon.held(agent, 'Bash', { command: 'git push origin main' })).policy
    expect(await shown()).toMatchObject({ name: null, managed_by: null, entry: 'Bash(git push *)' })
    manifests.set(`agents/${id}`, { ...manifest('a.yaml'), spec: { tool_policy }, dependsOn: ['policies/builder'] })
    expect(await shown()).toMatchObject({ name: 'builder', managed_by: { source: 'default', file: 'a.yaml', line: 2 } })
  })

  test('shows the line of the entry that matched', async () => {
    await daemon.orchestrator.policies.put('lined', ASKING, alice)
    const lineOf = async (command: string, named: string[] = []) => {
      const { id, agent } = await daemon.createConnected({ tool_policy: ASKING })
      manifests.set(`agents/${id}`, { ...manifest('a.yaml'), dependsOn: named })
      const { policy } = await daemon.held(agent, 'Bash', { command })
      return [policy!.managed_by?.file, policy!.managed_by?.line]
    }
    expect(await lineOf('git push origin')).toEqual(['a.yaml', 2])
    expect(await lineOf('make')).toEqual(['a.yaml', 4])
    manifests.set('policies/lined', manifest('p.yaml'))
    expect(await lineOf('git push origin', ['policies/lined'])).toEqual(['p.yaml', 3])
  })

  test('records the last text of the agent in the turn', async () => {
    const { id, agent } = await daemon.createCautious()
    await daemon.orchestrator.agents.message(id, 'build it', alice)
    await agent.prompt(1)
    const say = (...content: object[]) => agent.send({ type: 'assistant', message: { role: 'assistant', content } })
    say({ type: 'text', text: 'First I look.' })
    say({ type: 'text', text: `Now I build.\u0000${'.'.repeat(5000)}` }, { type: 'tool_use', name: 'Bash', input: {} })
    say({ type: 'tool_use', name: 'Bash', input: {} })
    const { last_text } = await daemon.held(agent, 'Bash', { command: 'make' })
    expect(last_text!.at).toBe(new Date(clock.now()).toISOString())
    expect(last_text!.text).toBe(`…${'.'.repeat(4000)}`)
    agent.result()
    await daemon.orchestrator.agents.message(id, 'again', alice)
    await agent.prompt(2)
    expect((await daemon.held(agent, 'Bash', { command: 'make' })).last_text).toBeNull()
  })

  test('records the paths that a call reads and may change', async () => {
    const { agent } = await daemon.createCautious()
    const of = (name: string) => join(machine.work, name)
    const effects = async (tool: string, input: Record<string, unknown>) =>
      (await daemon.held(agent, tool, input)).effects
    expect(await effects('Bash', { command: 'cat a > b' })).toEqual({
      reads: [of('a')],
      writes: [of('b')],
      complete: true,
    })
    expect(await effects('Edit', { file_path: 'c' })).toEqual({ reads: [], writes: [of('c')], complete: true })
    expect(await effects('WebFetch', { url: 'https://example.com' })).toBeNull()
    const many = (count: number) =>
      effects('Bash', { command: `rm ${Array.from({ length: count }, (_, at) => `f${at}`).join(' ')}` })
    expect(await many(50)).toMatchObject({ complete: true })
    const cut = await many(51)
    expect(cut).toMatchObject({ complete: false })
    expect(cut!.writes).toHaveLength(50)
  })

  test('records the message that the agent works on', async () => {
    const { id, agent } = await daemon.createCautious()
    const { message_id } = await daemon.orchestrator.agents.message(id, 'build it', alice)
    await agent.prompt(1)
    const approval = await daemon.held(agent, 'Bash', { command: 'make' })
    expect(approval).toMatchObject({ turn_id: message_id, dispatch_id: null, workflow: null })
  })

  test('records dispatch, workflow and its policy, also after the workflow is deleted', async () => {
    const { id, agent } = await daemon.createConnected()
    const { workflows } = daemon.orchestrator
    const tool_policy = { mode: 'require_approval' }
    const flow = await workflows.create(workflow(id, { tool_policy }), alice)
    manifests.set(`workflows/${flow.id}`, { ...manifest('w.yaml'), spec: { tool_policy } })
    const dispatch = await eventually(() => workflows.trigger(flow.id, {}, alice))
    await agent.prompt(1)
    const approval = await daemon.held(agent, 'Bash', { command: 'make' })
    const work = { dispatch_id: dispatch.id, workflow: { id: flow.id, name: flow.name }, turn_id: expect.any(String) }
    expect(approval).toMatchObject({ policy: { of: 'workflow', managed_by: { file: 'w.yaml' } }, ...work })
    await workflows.delete(flow.id, alice)
    expect(await approvals().get(approval.id)).toMatchObject(work)
  })

  test('keeps the facts across a crash of the daemon', async () => {
    const { agent } = await daemon.createConnected({ name: 'lasting', tool_policy: ASKING })
    const approval = await daemon.held(agent, 'Bash', { command: 'git push && make' })
    expect(approval).toMatchObject({ agent_name: 'lasting', programs: ['git', 'make'], directory: machine.work })
    await daemon.crash()
    daemon = await machine.open()
    expect(await approvals().get(approval.id)).toEqual(approval)
  })

  test('masks secrets in programs, entries and directories', async () => {
    const { agent } = await daemon.createConnected({
      env: { PASSWORD: SECRET },
      tool_policy: { ...ASKING, ask: [`Bash(* ${SECRET} *)`] },
    })
    const asked = await daemon.held(agent, 'Bash', { command: `echo ${SECRET} now` })
    expect(asked.policy).toMatchObject({ field: 'ask', entry: 'Bash(* *** *)' })
    const run = await daemon.held(agent, 'Bash', { command: `${SECRET} && make` })
    expect(run.programs).toEqual(['***', 'make'])
    agent.send({ type: 'assistant', message: { content: [{ type: 'text', text: `It is ${SECRET}.` }] } })
    const path = await daemon.held(agent, 'Bash', { command: `cat ${SECRET} > out` })
    expect(path.last_text).toMatchObject({ text: 'It is ***.' })
    expect(JSON.stringify([asked, run, path])).not.toMatch(/first-half|second-half/)
  })

  test('bounds what a hostile call puts into its facts', async () => {
    const { agent } = await daemon.createCautious()
    const many = Array.from({ length: 300 }, (_, at) => `program-${at}`).join('; ')
    const { programs } = await daemon.held(agent, 'Bash', { command: many })
    expect(programs).toHaveLength(50)
    const name = await daemon.held(agent, 'Bash', { command: `${'x'.repeat(20_000)} a` })
    expect(name.programs![0]!.length).toBeLessThanOrEqual(201)
    const odd = await daemon.held(agent, 'Bash', { command: ['rm'] })
    expect(odd.programs).toBeNull()
  })

  test('lists approvals of one agent by status', async () => {
    const { id, agent } = await daemon.createCautious()
    const one = await daemon.held(agent, 'Bash', { command: 'make' })
    const two = await daemon.held(agent, 'Bash', { command: 'make test' })
    await approvals().deny(one.id, {}, alice)
    const idsOf = async (status?: 'pending' | 'denied') =>
      (await approvals().list({ agentId: id, ...(status && { status }) })).items.map((each) => each.id)
    expect([await idsOf(), await idsOf('pending'), await idsOf('denied')]).toEqual([
      [two.id, one.id],
      [two.id],
      [one.id],
    ])
  })

  test('lists earlier decisions for the same tool, input and policy', async () => {
    const policy = { mode: 'allow_list' as const, tools: ['Read'], otherwise: 'ask' as const }
    const { id, agent } = await daemon.createConnected({ name: 'first', tool_policy: policy })
    const { agent: other } = await daemon.createConnected({ name: 'second', tool_policy: policy })
    const { agent: cautious } = await daemon.createCautious()
    const decide = async (
      from: typeof agent,
      input: Record<string, unknown>,
      how: 'approve' | 'deny',
      decision = {},
    ) => {
      const { id: approval } = await daemon.held(from, 'Bash', input)
      daemon.tick(1000)
      return approvals()[how](approval, decision, alice)
    }
    const input = { command: 'make deploy', a: 1 }
    const approved = await decide(agent, input, 'approve', { scope: 'once', updated_input: { command: 'make -n' } })
    const denied = await decide(other, { a: 1, command: 'make deploy' }, 'deny', { reason: 'not today' })
    await decide(agent, { command: 'make other' }, 'approve')
    await decide(cautious, input, 'approve')
    const withdrawn = await daemon.held(agent, 'Bash', input)
    agent.send({ type: 'control_cancel_request', request_id: withdrawn.request_id })
    await eventually(async () => (await approvals().get(withdrawn.id)).status === 'timed_out')
    const asked = await daemon.held(agent, 'Bash', input)
    const decidedBy = { decided_by: 'alice', scope: 'once' }
    expect(await approvals().similar(asked.id)).toEqual({
      items: [
        {
          id: denied.id,
          agent_id: denied.agent_id,
          agent_name: 'second',
          status: 'denied',
          edited: false,
          decided_at: denied.decided_at,
          reason: 'not today',
          ...decidedBy,
        },
        {
          id: approved.id,
          agent_id: id,
          agent_name: 'first',
          status: 'approved',
          edited: true,
          decided_at: approved.decided_at,
          reason: null,
          ...decidedBy,
        },
      ],
      total: 2,
    })
    expect((await approvals().similar(denied.id)).items.map((each) => each.id)).toEqual([approved.id])
    expect((await approvals().similar(approved.id)).items).toEqual([])
    expect(await approvals().similar(asked.id, { limit: 1, offset: 1 })).toMatchObject({
      items: [{ id: approved.id }],
      total: 2,
    })
    expect(await refusal(approvals().similar(crypto.randomUUID()))).toMatchObject({ status: 404 })
  })

  test('returns at most 50 earlier decisions, and none for a request to an earlier version', async () => {
    const { agent } = await daemon.createCautious()
    const one = await daemon.held(agent, 'Bash', { command: 'again' })
    await approvals().deny(one.id, {}, alice)
    const { seq: _, ...row } = await daemon.db('orchestrator_approvals').where({ id: one.id }).first()
    for (let at = 0; at < 60; at++)
      await daemon.db('orchestrator_approvals').insert({ ...row, id: crypto.randomUUID(), request_id: `again-${at}` })
    const asked = await daemon.held(agent, 'Bash', { command: 'again' })
    const { items, total } = await approvals().similar(asked.id)
    expect([items.length, total]).toEqual([50, 61])
    await daemon.db('orchestrator_approvals').where({ id: asked.id }).update({ policy: null, policy_digest: null })
    expect(await approvals().get(asked.id)).toMatchObject({ policy: null })
    expect(await approvals().similar(asked.id)).toEqual({ items: [], total: 0 })
  })
})
