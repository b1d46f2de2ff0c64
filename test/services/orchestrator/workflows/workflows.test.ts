import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { Secret } from '../../../../schemas/secret.ts'
import { isOpenWebhook } from '../../../../schemas/trigger.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, refusal, TestMachine, type TestOrchestrator, workflow } from '../harness.ts'
import { CONFIGS } from './triggers/contract.ts'

const machine = new TestMachine({ clock: new TestClock() })
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

const workflows = () => daemon.orchestrator.workflows

test('stores a workflow with its defaults and returns it as stored', async () => {
  const { id } = await daemon.create()
  const body = workflow(id, { name: 'build' })
  const flow = await workflows().create(body, alice)
  expect(flow).toMatchObject({
    name: 'build',
    agent_id: id,
    trigger_config: { type: 'manual' },
    poll_interval_secs: 60,
    enabled: true,
    tool_policy: { mode: 'auto' },
    warnings: [],
  })
  expect(await workflows().get(flow.id)).toEqual(flow)
  expect(await workflows().list()).toContainEqual(flow)
  await daemon.awaitChanges()
  expect(daemon.changes).toContainEqual({ kind: 'workflows', id: flow.id, name: 'build' })
  expect(await workflows().create(body, alice, flow.id)).toEqual(flow)
  expect(await refusal(workflows().create(body, alice))).toMatchObject({
    status: 409,
    message: expect.stringContaining('"build"'),
  })
})

for (const [title, more, words] of [
  ['an empty template', { prompt_template: ' ' }, 'template is empty'],
  ['an unclosed placeholder', { prompt_template: 'Do {{title' }, 'not closed'],
  ['an unknown trigger type', { trigger_config: { type: 'crom' } }, 'did you mean "cron"'],
  ['a trigger without a type', { trigger_config: {} }, 'needs a type'],
  [
    'an unknown field of a trigger',
    { trigger_config: { type: 'queue', queue_name: 'a', queu: 1 } },
    'queu: is not a field',
  ],
  ['a bad queue name', { trigger_config: { type: 'queue', queue_name: 'a b' } }, 'queue_name'],
  ['an unknown lifecycle event', { trigger_config: { type: 'agent_lifecycle', event: 'birth' } }, 'event'],
  ['an impossible cron expression', { trigger_config: { type: 'cron', expression: '61 * * * *' } }, 'is invalid'],
  ['a delay without a time', { trigger_config: { type: 'delay' } }, 'run_at or delay_secs'],
  ['a missing trigger', { trigger_config: undefined }, 'trigger_config is missing'],
  ['two triggers', { source_config: { type: 'manual' } }, 'the same field'],
  ['a list policy without tools', { tool_policy: { mode: 'allow_list' } }, 'needs "tools"'],
  ['an unknown agent', { agent_id: randomUUID() }, 'does not exist'],
  ['a masked secret without a stored one', { trigger_config: { type: 'webhook', secret: '***' } }, 'none is stored'],
] as const) {
  test(`refuses ${title} with 400`, async () => {
    const { id } = await daemon.create()
    const before = (await workflows().list()).length
    expect(await refusal(workflows().create(workflow(id, more), alice))).toMatchObject({
      status: 400,
      message: expect.stringContaining(words),
    })
    expect((await workflows().list()).length).toBe(before)
  })
}

test('refuses a workflow for an agent that does not run', async () => {
  const { id } = await daemon.create()
  await daemon.orchestrator.agents.terminate(id, alice)
  expect(await refusal(workflows().create(workflow(id), alice))).toMatchObject({
    status: 400,
    message: expect.stringContaining('stopped'),
  })
})

test('refuses a workflow for an interactive agent and reports a later change', async () => {
  const plain = await daemon.create({ interactive: true })
  const spoken = await daemon.create()
  const flow = await workflows().create(workflow(spoken.id), alice)
  const isRefused = { status: 400, code: 'agent-interactive' }
  expect(await refusal(workflows().create(workflow(plain.id), alice))).toMatchObject(isRefused)
  expect(await refusal(workflows().patch(flow.id, { agent_id: plain.id }, alice))).toMatchObject(isRefused)
  await daemon.orchestrator.agents.patch(spoken.id, { interactive: true }, alice)
  expect(await refusal(workflows().trigger(flow.id, {}, alice))).toMatchObject({
    status: 503,
    code: 'agent-interactive',
    message: expect.stringContaining('give the workflow another agent'),
  })
})

test('names agents and workflows when a name is given as id', async () => {
  const { id } = await daemon.create({ name: 'the-reviewer' })
  const flow = await workflows().create(workflow(id, { name: 'the-review' }), alice)
  expect(await daemon.orchestrator.named!('agents')).toContainEqual(
    expect.objectContaining({ id, name: 'the-reviewer' }),
  )
  expect(await daemon.orchestrator.named!('workflows')).toContainEqual(
    expect.objectContaining({ id: flow.id, name: 'the-review' }),
  )
  expect(await daemon.orchestrator.named!('approvals')).toEqual([])
})

test('stores every trigger type, fired automatically or manually', async () => {
  const { id } = await daemon.create()
  for (const config of Object.values(CONFIGS)) {
    const flow = await workflows().create(workflow(id, { trigger_config: config }), alice)
    expect(flow.trigger_config).toEqual(config)
    expect(flow.warnings).toEqual(
      isOpenWebhook(flow.trigger_config) ? [expect.stringContaining('SVC_OPEN_WEBHOOKS')] : [],
    )
  }
})

test('accepts trigger field names that forge users know', async () => {
  const { id } = await daemon.create()
  expect(
    (
      await workflows().create(
        workflow(id, { trigger_config: undefined, source_config: { type: 'github_issues', owner: 'o', repo: 'r' } }),
        alice,
      )
    ).trigger_config,
  ).toEqual({ type: 'forge_issues', labels: [], state: 'open', owner: 'o', repo: 'r' })
})

test('encrypts, masks and keeps a webhook secret, and reveals it to reconciliation', async () => {
  const { id } = await daemon.create()
  const flow = await workflows().create(
    workflow(id, { trigger_config: { type: 'webhook', secret: 'hook-secret-1' } }),
    alice,
  )
  expect(flow.trigger_config).toEqual({ type: 'webhook', secret: '***' })
  expect((await workflows().patch(flow.id, { trigger_config: { secret: '***' } }, alice)).trigger_config).toEqual({
    type: 'webhook',
    secret: '***',
  })
  expect((await workflows().inspect(flow.id)).secret!.reveal()).toBe('hook-secret-1')
  await workflows().patch(flow.id, { source: { type: 'webhook', secret: 'hook-secret-2' } }, alice)
  expect((await workflows().inspect(flow.id)).secret!.reveal()).toBe('hook-secret-2')
  expect((await workflows().patch(flow.id, { trigger_config: { secret: null } }, alice)).trigger_config).toEqual({
    type: 'webhook',
  })
  expect((await workflows().inspect(flow.id)).secret).toBeNull()
  const own = await workflows().create(
    { ...workflow(id, { trigger_config: { type: 'webhook' } }), trigger_secret: new Secret('hook-secret-3') },
    alice,
  )
  expect((await workflows().inspect(own.id)).secret!.reveal()).toBe('hook-secret-3')
  for (const file of ['svc.db', 'svc.db-wal'])
    expect(readFileSync(join(machine.folder, file), 'latin1')).not.toContain('hook-secret')
})

test('merges a patched trigger without a type and replaces one with', async () => {
  const { id } = await daemon.create()
  const flow = await workflows().create(
    workflow(id, { trigger_config: { type: 'dispatch_result', status: 'completed' } }),
    alice,
  )
  const source = randomUUID()
  expect((await workflows().patch(flow.id, { source: { source_workflow_id: source } }, alice)).trigger_config).toEqual({
    type: 'dispatch_result',
    status: 'completed',
    source_workflow_id: source,
  })
  const before = await workflows().get(flow.id)
  for (const patch of [
    { name: 'x', source: { status: 'sometimes' } },
    { name: 'x', prompt_template: '{{' },
    { name: 'x', agent_id: randomUUID() },
    { name: 'x', tool_policy: { mode: 'deny_list' as const } },
    { name: 'x', source: {}, trigger_config: {} },
  ]) {
    expect(await refusal(workflows().patch(flow.id, patch, alice))).toMatchObject({ status: 400 })
  }
  expect(await workflows().get(flow.id)).toEqual(before)
  const changed = await workflows().patch(
    flow.id,
    {
      trigger_config: { type: 'manual' },
      tool_policy: { mode: 'deny_list', tools: ['Write', 'Bash'] },
      poll_interval_secs: 5,
    },
    { ...alice, actor: 'bob' },
  )
  expect(changed).toMatchObject({
    trigger_config: { type: 'manual' },
    tool_policy: { mode: 'deny_list', tools: ['Bash', 'Write'] },
    poll_interval_secs: 5,
  })
  const { audit } = daemon.orchestrator
  expect(await audit.latest('workflows', flow.id, 'trigger.type')).toMatchObject({ actor: 'bob' })
  expect(await audit.latest('workflows', flow.id, 'agent')).toMatchObject({ actor: 'alice' })
  const other = await workflows().create(workflow(id), alice)
  expect(await refusal(workflows().patch(other.id, { name: changed.name }, alice))).toMatchObject({ status: 409 })
})

test('renders a template with the task of a dispatch', async () => {
  const { id, agent } = await daemon.createConnected()
  const flow = await workflows().create(workflow(id, { prompt_template: 'Do {{title}}: {{area}}' }), alice)
  expect(await refusal(workflows().preview(flow.id, {}))).toMatchObject({ status: 409 })
  const first = await workflows().trigger(flow.id, { title: 'one', metadata: { area: 'auth' } }, alice)
  await agent.prompt(1)
  agent.result()
  await eventually(async () => (await workflows().history(flow.id)).items[0]!.status === 'completed')
  const second = await workflows().trigger(flow.id, { title: '{{area}}', body: 'x' }, alice)
  expect(await workflows().preview(flow.id, {})).toEqual({ dispatch_id: second.id, prompt: 'Do {{area}}: {{area}}' })
  const changed = { template: 'See {{area}} of {{title}}', dispatch_id: first.id }
  expect(await workflows().preview(flow.id, changed)).toEqual({ dispatch_id: first.id, prompt: 'See auth of one' })
  expect((await workflows().get(flow.id)).prompt_template).toBe('Do {{title}}: {{area}}')
  const other = await workflows().create(workflow(id), alice)
  expect(await refusal(workflows().preview(other.id, { dispatch_id: first.id }))).toMatchObject({ status: 404 })
  await daemon.db('orchestrator_dispatches').where({ id: first.id }).update({ task: null })
  expect(await refusal(workflows().preview(flow.id, changed))).toMatchObject({ status: 409 })
})

test('deletes a workflow', async () => {
  const { id } = await daemon.create()
  const flow = await workflows().create(workflow(id), alice)
  await workflows().delete(flow.id, alice)
  const calls = [
    workflows().get(flow.id),
    workflows().delete(flow.id, alice),
    workflows().history(flow.id),
    workflows().patch(flow.id, {}, alice),
    workflows().inspect(flow.id),
  ]
  for (const refused of await Promise.all(calls.map(refusal))) expect(refused).toMatchObject({ status: 404 })
  await daemon.awaitChanges()
  expect(daemon.changes.filter((change) => change.id === flow.id).length).toBe(2)
})
