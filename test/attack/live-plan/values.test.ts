import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AgentRecord } from '../../../schemas/agent.ts'
import type { Drift } from '../../../schemas/resource.ts'
import type { Run } from '../../../schemas/run.ts'
import type { WorkflowRecord } from '../../../schemas/workflow.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

let stage: DaemonStand
beforeEach(async () => {
  stage = await DaemonStand.create()
  stage.write('agents/x.yml', 'name: x\nruntime: scripted\nworking_dir: .\nshell: bash\n')
})
afterEach(() => stage.close())

const declare = (trigger: string, template = 'v1') =>
  stage.write('workflows/w.yml', `name: w\nagent: x\nsource: ${trigger}\nprompt_template: ${template}\n`)
const workflow = async (name = 'w') =>
  (await stage.get<WorkflowRecord[]>(`${stage.orchestrator}/workflows`)).find((each) => each.name === name)!
const byHand = async (patch: object) => {
  const { status } = await stage.ask('PATCH', `${stage.orchestrator}/workflows/${(await workflow()).id}`, patch)
  expect(status).toBe(200)
}
const openDrift = async () =>
  (await stage.get<Drift[]>(`${stage.controller}/drift`)).filter(({ resolution }) => resolution === null)
const failures = async () =>
  (await stage.get<Run[]>(`${stage.controller}/runs`)).filter(({ status }) => status === 'failed')

test('treats a trigger as one value in plans, drift and writes', { timeout: 60_000 }, async () => {
  declare('{ type: cron, expression: "0 1 * * *" }')
  await stage.startReady()
  await byHand({ trigger_config: { type: 'webhook', secret: 'of-a-hand' } })
  const drift = await eventually(async () => (await openDrift()).length > 0 && openDrift())
  expect(drift).toMatchObject([
    {
      path: 'trigger',
      desired: { type: 'cron', expression: '0 1 * * *' },
      live: { type: 'webhook', secret: '***' },
      actor: 'tester',
    },
  ])
  const { body: plan } = await stage.ask('POST', `${stage.controller}/plan`, { source: 'default' })
  expect(plan.steps).toMatchObject([{ action: 'update', changes: [{ path: 'trigger' }] }])
  declare('{ type: cron, expression: "0 2 * * *" }')
  await eventually(async () => (await workflow()).trigger_config.type === 'cron')
  expect((await workflow()).trigger_config).toEqual({
    type: 'cron',
    expression: '0 2 * * *',
    timezone: 'UTC',
    catch_up: 'none',
  })
  await eventually(async () => (await openDrift()).length === 0)
  expect(await failures()).toEqual([])
})

test('reports a reference to an unowned agent as drift, blocking nothing else', { timeout: 60_000 }, async () => {
  declare('{ type: manual }')
  await stage.startReady()
  const body = { name: 'by-hand', working_dir: stage.project, runtime: 'scripted', shell: 'bash' }
  const { body: other } = await stage.ask<AgentRecord>('POST', `${stage.orchestrator}/agents`, body)
  const { agent_id: before } = await workflow()
  await byHand({ agent_id: other.id })
  const drift = await eventually(async () => (await openDrift()).length > 0 && openDrift())
  expect(drift).toMatchObject([{ path: 'agent', desired: 'x', live: other.id }])
  declare('{ type: manual }', 'v2')
  await eventually(async () => (await workflow()).prompt_template === 'v2')
  expect((await workflow()).agent_id).toBe(other.id)
  expect(await failures()).toEqual([])
  const { status, body: run } = await stage.ask<Run>('POST', `${stage.controller}/drift/workflows/w/revert`)
  expect([status, run.status]).toEqual([200, 'succeeded'])
  expect((await workflow()).agent_id).toBe(before)
  await eventually(async () => (await openDrift()).length === 0)
})

test('reports an unowned workflow as the source of a chain as drift', { timeout: 60_000 }, async () => {
  stage.write('workflows/first.yml', 'name: first\nagent: x\nsource: { type: manual }\nprompt_template: first\n')
  declare('{ type: dispatch_result, source_workflow: first }')
  await stage.startReady()
  const stranger = randomUUID()
  await byHand({ trigger_config: { source_workflow_id: stranger } })
  const drift = await eventually(async () => (await openDrift()).length > 0 && openDrift())
  expect(drift).toMatchObject([
    { path: 'trigger', desired: { source_workflow: 'first' }, live: { source_workflow_id: stranger } },
  ])
  declare('{ type: dispatch_result, source_workflow: first }', 'v2')
  await eventually(async () => (await workflow()).prompt_template === 'v2')
  expect((await workflow()).trigger_config).toMatchObject({ source_workflow_id: stranger })
  await stage.ask('POST', `${stage.controller}/drift/workflows/w/revert`)
  expect((await workflow()).trigger_config).toMatchObject({ source_workflow_id: (await workflow('first')).id })
  expect(await failures()).toEqual([])
})

test('starts a stopped agent when it is adopted', { timeout: 60_000 }, async () => {
  declare('{ type: manual }')
  await stage.startReady()
  const body = { name: 'late', working_dir: stage.project, runtime: 'scripted', shell: 'bash', restart: 'always' }
  const { body: made } = await stage.ask<AgentRecord>('POST', `${stage.orchestrator}/agents`, body)
  await stage.connected()
  await stage.ask('DELETE', `${stage.orchestrator}/agents/${made.id}`)
  stage.write('agents/late.yml', 'name: late\nruntime: scripted\nworking_dir: .\nshell: bash\n')
  await eventually(async () => (await stage.agentNamed('late')).connected, 20_000)
  expect((await stage.agentNamed('late')).id).toBe(made.id)
  expect(await openDrift()).toEqual([])
})
