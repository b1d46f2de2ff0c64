import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import parse from 'parse-prometheus-text-format'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import { eventually } from '../../support/eventually.ts'
import { root } from '../../support/root.ts'
import { alice, TestMachine, type TestOrchestrator, workflow } from './harness.ts'

const clock = new TestClock()
const machine = new TestMachine({ clock })
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

interface Sample {
  labels?: Record<string, string>
  value?: string
  count?: string
  sum?: string
}

async function samples(name: string): Promise<Sample[]> {
  const text = await (await fetch(`${daemon.address}/metrics`)).text()
  return (parse(text).find((family) => family.name === name)?.metrics ?? []) as Sample[]
}

async function figure(name: string, label?: string): Promise<number | null> {
  const all = await samples(name)
  const found = label === undefined ? all[0] : all.find(({ labels }) => Object.values(labels ?? {}).includes(label))
  return found ? Number(found.value ?? found.count) : null
}

const become = (name: string, wanted: number | null, label?: string) =>
  eventually(async () => expect(await figure(name, label)).toBe(wanted) ?? true)
const create = (agentId: string, name: string, trigger_config: Record<string, unknown>) =>
  daemon.orchestrator.workflows.create(workflow(agentId, { name, trigger_config }), alice)

test('reports service and version', async () => {
  expect(await samples('service_info')).toMatchObject([
    { labels: { service: 'svc-orchestrator', version: '9.9.9' }, value: '1' },
  ])
})

test('counts created agents and their connections', async () => {
  const before = (await figure('agents_created_total'))!
  const { agent } = await daemon.createConnected()
  expect(await figure('agents_created_total')).toBe(before + 1)
  expect(await figure('websocket_connections_active')).toBe(1)
  expect(await figure('agents', 'running')).toBe(before + 1)
  agent.socket.terminate()
  await become('websocket_connections_active', 0)
})

test('counts tool requests that wait for a person', async () => {
  const { agent } = await daemon.createCautious()
  const { id } = await daemon.held(agent, 'Bash', { command: 'ls' })
  expect(await figure('approvals_pending')).toBe(1)
  await daemon.orchestrator.approvals.deny(id, {}, alice)
  expect(await figure('approvals_pending')).toBe(0)
})

test('counts dispatch results, waiting times and durations', async () => {
  const { id, agent } = await daemon.createConnected()
  const flow = await create(id, 'figures', { type: 'manual' })
  const outcomes = async () => [
    await figure('dispatches_ended_total', 'completed'),
    await figure('dispatches_ended_total', 'failed'),
    await figure('dispatch_wait_seconds'),
    await figure('dispatch_run_seconds'),
  ]
  const before = await outcomes()
  for (const [at, is_error] of [false, true].entries()) {
    await daemon.orchestrator.workflows.trigger(flow.id, {}, alice)
    await agent.prompt(at + 1)
    clock.tick(20_000)
    agent.result({ is_error })
    await eventually(async () => (await daemon.orchestrator.agents.get(id)).activity === 'idle')
  }
  await eventually(
    async () => expect(await outcomes()).toEqual([1, 1, 2, 2].map((more, at) => before[at]! + more)) ?? true,
  )
  const [run] = await samples('dispatch_run_seconds')
  expect(Number(run!.sum)).toBe(40)
})

test('counts pending work of agents and queues with its age', async () => {
  const { id } = await daemon.create()
  await create(id, 'hook', { type: 'webhook' })
  const { id: hook } = (await daemon.orchestrator.workflows.list()).find(({ name }) => name === 'hook')!
  await eventually(async () => (await fetch(`${daemon.address}/webhooks/${hook}`, { method: 'POST' })).status === 202)
  for (const title of ['one', 'two']) await daemon.orchestrator.queues.push('jobs', { title }, alice)
  clock.tick(90_000)
  expect(await figure('dispatches_waiting')).toBe(1)
  expect(await figure('dispatch_oldest_waiting_seconds')).toBe(90)
  expect(await figure('queue_tasks_pending', 'jobs')).toBe(2)
  expect(await figure('queue_tasks_processing', 'jobs')).toBe(0)
  expect(await figure('queue_tasks_dead', 'jobs')).toBe(0)
  expect(await figure('queue_oldest_pending_seconds', 'jobs')).toBe(90)
})

test('reports next and last firings of triggers and their failures', async () => {
  const { id } = await daemon.create()
  await create(id, 'nightly', { type: 'cron', expression: '0 2 * * *' })
  const { id: issues } = await create(id, 'issues', { type: 'forge_issues', owner: 'o', repo: 'r' })
  const next = await eventually(() => figure('trigger_next_fire_timestamp_seconds', 'nightly'))
  expect(new Date(next * 1000).toISOString()).toMatch(/T02:00:00.000Z$/)
  expect(await figure('trigger_last_fire_timestamp_seconds', 'nightly')).toBeNull()
  expect(await figure('trigger_failing', 'nightly')).toBe(0)
  await become('trigger_failing', 1, 'issues')
  expect(await figure('triggers_failing')).toBe(1)
  clock.tick(next * 1000 - clock.now())
  await become('trigger_last_fire_timestamp_seconds', next, 'nightly')
  await daemon.orchestrator.workflows.patch(issues, { enabled: false }, alice)
  expect(await figure('trigger_failing', 'issues')).toBeNull()
})

test('clears a trigger’s failure when it ends or the workflow is deleted', async () => {
  const { id } = await daemon.createConnected()
  const fails = (sql: RegExp) => {
    const refuse = (query: { sql: string }) => {
      if (sql.test(query.sql)) throw new Error('disk gone')
    }
    daemon.db.on('query', refuse)
    return () => void daemon.db.off('query', refuse)
  }
  const errorOf = async (flow: string) => (await daemon.orchestrator.workflows.get(flow)).last_error
  const broken = (flow: string) => eventually(async () => (await errorOf(flow))?.includes('disk gone'))
  const well = (flow: string) => eventually(async () => (await errorOf(flow)) === null)

  let repair = fails(/from .orchestrator_trigger_cursors/)
  const { id: monthly } = await create(id, 'monthly', { type: 'cron', expression: '0 2 1 * *' })
  await broken(monthly)
  repair()
  clock.tick(10_000)
  await well(monthly)

  repair = fails(/^(select|with).* from .orchestrator_queue_tasks/)
  const { id: jobs } = await create(id, 'jobs', { type: 'queue', queue_name: 'empty' })
  await broken(jobs)
  await daemon.orchestrator.workflows.patch(jobs, { poll_interval_secs: 61 }, alice)
  await broken(jobs)
  repair()
  clock.tick(60_000)
  await well(jobs)

  const failing = (await figure('triggers_failing'))!
  repair = fails(/^(select|with).* from .orchestrator_queue_tasks/)
  clock.tick(60_000)
  await broken(jobs)
  repair()
  expect(await figure('triggers_failing')).toBe(failing + 1)
  await daemon.orchestrator.workflows.patch(jobs, { enabled: false }, alice)
  await well(jobs)
  expect(await figure('triggers_failing')).toBe(failing)
})

test('documents every metric and no other', () => {
  const page = readFileSync(join(root, 'docs', 'services', 'orchestrator.md'), 'utf8')
  const [, section = ''] = page.split('\n## Metrics\n')
  const named = [...section.split('\n## ')[0]!.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)(?:\{\w+\})?`/g)].map(([, name]) => name),
  )
  expect(new Set(named)).toEqual(new Set(daemon.orchestrator.metrics!.map(({ name }) => name)))
})
