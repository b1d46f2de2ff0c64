import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AgentRecord } from '../../../schemas/agent.ts'
import type { DispatchRecord } from '../../../schemas/workflow.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { Askers, type Asker } from './asker.ts'

let stand: DaemonStand
const askers = new Askers()
let person: Asker
let agent: Asker
const workflows = new Map<string, string>()

const TRIGGERS = {
  queue: { type: 'queue', queue_name: 'free', poll_interval_secs: 1 },
  webhook: { type: 'webhook' },
  manual: { type: 'manual' },
}
type Trigger = keyof typeof TRIGGERS

async function create<T>(path: string, body: object): Promise<T> {
  const made = await stand.ask<T>('POST', `${stand.orchestrator}${path}`, body)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}

beforeAll(async () => {
  stand = await DaemonStand.create()
  await stand.start()
  person = await askers.start()
  const { command, asker } = askers.prepare()
  await create('/agents', { name: 'pusher', runtime: 'command', working_dir: stand.home, shell: 'bash', command })
  await asker.ready()
  agent = asker
  const tool_policy = { mode: 'allow_list', tools: ['Read'] }
  const low = { name: 'low', runtime: 'scripted', working_dir: stand.home, shell: 'bash', tool_policy }
  const { id } = await create<AgentRecord>('/agents', low)
  await stand.connected()
  for (const [name, trigger_config] of Object.entries(TRIGGERS)) {
    const free = {
      name,
      agent_id: id,
      trigger_config,
      prompt_template: '{{title}}',
      tool_policy: { mode: 'allow_all' },
    }
    workflows.set(name, (await create<{ id: string }>('/workflows', { ...free, enabled: true })).id)
  }
}, 60_000)
afterAll(async () => {
  await stand.close()
  await askers.close()
})

const escaped = () => join(stand.home, 'escaped')
beforeEach(() => rmSync(escaped(), { force: true }))

const history = (trigger: Trigger) =>
  stand.get<DispatchRecord[]>(`${stand.orchestrator}/workflows/${workflows.get(trigger)}/history`)

/** Gives the workflow a task that uses a tool, and returns the result of its turn. */
async function dispatch(by: Asker, trigger: Trigger): Promise<string> {
  const paths = {
    queue: '/queues/free/push',
    webhook: `/webhooks/${workflows.get(trigger)}`,
    manual: `/workflows/${workflows.get(trigger)}/trigger`,
  }
  const before = (await history(trigger)).length
  const { status, text } = await by.http({
    method: 'POST',
    url: stand.orchestrator + paths[trigger],
    headers: { 'content-type': 'application/json', 'x-svc-actor': 'mira' },
    body: JSON.stringify({ title: 'USE_TOOL Bash id > escaped' }),
  })
  expect(status, text).toBeLessThan(300)
  return eventually(async () => {
    const dispatches = await history(trigger)
    return dispatches.length > before && dispatches[0]!.status === 'completed' && (dispatches[0]!.result ?? '')
  }, 20_000)
}

describe.each(Object.keys(TRIGGERS) as Trigger[])('a task by the %s trigger', (trigger) => {
  test('runs under the policy of the workflow alone if a person causes it', async () => {
    await dispatch(person, trigger)
    expect(existsSync(escaped())).toBe(true)
  }, 30_000)

  test('runs under the policy of its agent as well if an agent causes it', async () => {
    expect(await dispatch(agent, trigger)).toContain('allow_list')
    expect(existsSync(escaped())).toBe(false)
  }, 30_000)
})

test('keeps the restriction over a restart of the daemon', async () => {
  const url = `${stand.orchestrator}/queues/free/push`
  const paused = `${stand.orchestrator}/workflows/${workflows.get('queue')}`
  expect((await stand.ask('PATCH', paused, { enabled: false })).status).toBe(200)
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ title: 'USE_TOOL Bash id > escaped' })
  expect((await agent.http({ method: 'POST', url, headers, body })).status).toBe(201)
  const before = (await history('queue')).length
  await stand.stopBy('SIGTERM')
  await stand.start()
  await stand.connected()
  await stand.ask('PATCH', `${stand.orchestrator}/workflows/${workflows.get('queue')}`, { enabled: true })
  await eventually(async () => {
    const [last, ...others] = await history('queue')
    return others.length >= before && last!.status === 'completed'
  }, 20_000)
  expect(existsSync(escaped())).toBe(false)
}, 60_000)
