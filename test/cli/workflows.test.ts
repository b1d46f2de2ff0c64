import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { DispatchRecord, WorkflowRecord } from '../../schemas/workflow.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/http.ts'
import { TRIGGER_TYPES } from '../../schemas/trigger.ts'
import { CONFIGS } from '../services/orchestrator/workflows/triggers/contract.ts'

let stand: DaemonStand
let planner: AgentRecord
beforeAll(async () => {
  stand = await DaemonStand.create()
  await stand.startInside()
  planner = await newAgent('planner')
  await stand.connected()
  await newWorkflow('triage')
})
afterAll(() => stand.close())

const newAgent = (name: string) =>
  request<AgentRecord>('POST', `${stand.orchestrator}/agents`, {
    name,
    working_dir: stand.home,
    shell: 'bash',
    runtime: 'scripted',
  })
const newWorkflow = (name: string) =>
  request<WorkflowRecord>('POST', `${stand.orchestrator}/workflows`, {
    name,
    agent_id: planner.id,
    trigger_config: { type: 'manual' },
    prompt_template: 'Look at {{title}}',
  })
const of = <T = any>(path: string) => stand.get<T>(`${stand.orchestrator}${path}`)
const workflow = async (name: string) =>
  (await of<WorkflowRecord[]>('/workflows')).find((each) => each.name === name) as WorkflowRecord

/** Standard output of a successful command. */
async function shown(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await stand.agent(['orchestrator', ...args])
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}
const json = async (...args: string[]) => JSON.parse(await shown(...args, '--json')) as unknown

describe('workflows', () => {
  test('creates a workflow of agent, trigger and template', async () => {
    const cron = ['--trigger', 'cron', '--set', 'expression=0 9 * * 1-5', '--set', 'catch_up=last']
    const more = ['--template', 'Go {{ticket}}', '--poll-interval', '30', '--disabled']
    const text = await shown('create-workflow', '--name', 'nightly', '--agent', 'planner', ...cron, ...more)
    expect(text).toMatch(/workflow nightly is disabled \([0-9a-f-]{36}\)\nwarning: .*unknown variable "ticket"/)
    expect(await workflow('nightly')).toMatchObject({
      agent_id: planner.id,
      trigger_config: { type: 'cron', expression: '0 9 * * 1-5', catch_up: 'last' },
      prompt_template: 'Go {{ticket}}',
      poll_interval_secs: 30,
      enabled: false,
    })
    const record = await json('create-workflow', '--name', 'plain', '--agent', planner.id, '--template', 'Go')
    expect(record).toEqual(await workflow('plain'))
  })

  test('shows workflows with the names of their agents', async () => {
    expect(await shown('list-workflows')).toMatch(/triage\s+planner\s+manual\s+yes\s+auto/)
    expect(await json('list-workflows')).toEqual(await of('/workflows'))
    expect(await shown('get-workflow', 'triage')).toMatch(/prompt_template: Look at \{\{title\}\}/)
    expect(await json('get-workflow', 'triage')).toEqual(await workflow('triage'))
  })

  test('shows the address of a webhook, which accepts deliveries', async () => {
    const trigger = ['--trigger', 'webhook', '--set', 'match={"event": "push"}']
    const about = ['--name', 'hook', '--agent', 'planner', '--template', 'Go']
    const text = await shown('create-workflow', ...about, ...trigger)
    const { id, trigger_config } = await workflow('hook')
    expect(trigger_config).toEqual({ type: 'webhook', match: { event: 'push' } })
    const url = `${stand.orchestrator}/webhooks/${id}`
    expect(text).toContain(`\nwebhook: ${url}\n`)
    expect(await shown('get-workflow', 'hook')).toContain(`webhook_url: ${url}\n`)
    expect((await stand.ask('POST', url, {})).status).toBe(202)
    expect(await shown('get-workflow', 'triage')).not.toContain('webhook')
    await shown('delete-workflow', 'hook')
  })

  test('changes only the given fields', async () => {
    const { id } = await request<WorkflowRecord>('POST', `${stand.orchestrator}/workflows`, {
      name: 'issues',
      agent_id: planner.id,
      trigger_config: { type: 'forge_issues', owner: 'o', repo: 'r' },
      prompt_template: 'Look at {{title}}',
      enabled: false,
    })
    const words = ['update-workflow', 'issues', '--disable', '--set', 'labels=["bug"]', '--policy', 'auto']
    expect(await shown(...words)).toMatch(/workflow issues is disabled/)
    expect(await of(`/workflows/${id}`)).toMatchObject({
      enabled: false,
      trigger_config: { type: 'forge_issues', owner: 'o', repo: 'r', labels: ['bug'] },
      tool_policy: { mode: 'auto' },
      prompt_template: 'Look at {{title}}',
    })
    expect(await json('update-workflow', 'issues', '--template', 'Go')).toEqual(await of(`/workflows/${id}`))
  })

  test('shows firing times and errors of triggers in svc status', async () => {
    const flows = {
      hourly: { type: 'cron', expression: '0 * * * *' },
      watched: { type: 'forge_issues', owner: 'o', repo: 'r' },
    }
    for (const [name, trigger_config] of Object.entries(flows))
      await request('POST', `${stand.orchestrator}/workflows`, {
        name,
        agent_id: planner.id,
        trigger_config,
        prompt_template: 'Go',
      })
    await eventually(async () => (await workflow('watched')).last_error !== null)
    const { stdout } = await stand.svc(['status'])
    expect(stdout).toMatch(/watched +forge_issues +.*never +.*does not answer[^]*hourly +cron +in \d+.* +never/)
    const { triggers } = JSON.parse((await stand.svc(['status', '-o', 'json'])).stdout)
    const { next_fire_at } = await workflow('hourly')
    expect(triggers).toContainEqual({
      workflow: 'hourly',
      type: 'cron',
      next_fire_at,
      last_fired_at: null,
      last_error: null,
    })
    expect(triggers.map((each: { workflow: string }) => each.workflow)).toEqual(['watched', 'hourly'])
    expect(await shown('get-workflow', 'hourly')).toContain(`next_fire_at: ${next_fire_at}`)
    for (const name of Object.keys(flows)) await shown('delete-workflow', name)
  })

  test('reports trigger firings alike in record, status and metrics', async () => {
    const FIELDS = ['next_fire_at', 'last_fired_at', 'last_error'] as const
    const types = TRIGGER_TYPES.filter((type) => type !== 'manual')
    for (const type of types)
      await request('POST', `${stand.orchestrator}/workflows`, {
        name: `of-${type}`,
        agent_id: planner.id,
        trigger_config: CONFIGS[type],
        prompt_template: 'Go',
      })
    const hook = await workflow('of-webhook')
    await eventually(async () => (await stand.ask('POST', `${stand.orchestrator}/webhooks/${hook.id}`)).status === 202)
    const looked = async (type: string) => (await workflow(`of-${type}`)).last_error !== null
    await eventually(async () => (await looked('forge_issues')) && looked('forge_pull_requests'))
    // The result of the webhook is the last event.
    await eventually(async () => (await workflow('of-dispatch_result')).last_fired_at !== null)

    const { triggers } = JSON.parse((await stand.svc(['status', '-o', 'json'])).stdout)
    const figures = await (await fetch(`${stand.orchestrator}/metrics`)).text()
    for (const type of types) {
      const record = (await json('get-workflow', `of-${type}`)) as WorkflowRecord
      const { next_fire_at, last_fired_at, last_error } = record
      expect(record, type).toEqual(await of(`/workflows/${record.id}`))
      expect(triggers, type).toContainEqual({ workflow: record.name, type, next_fire_at, last_fired_at, last_error })
      const text = await shown('get-workflow', record.name)
      for (const field of FIELDS) if (record[field] !== null) expect(text, type).toContain(`${field}: ${record[field]}`)
      const figure = (name: string) =>
        new RegExp(`^${name}\\{workflow="${record.name}"\\} (.+)$`, 'm').exec(figures)?.[1]
      const seconds = (time: string | null) => (time === null ? undefined : String(Date.parse(time) / 1000))
      expect(figure('trigger_next_fire_timestamp_seconds'), type).toBe(seconds(next_fire_at))
      expect(figure('trigger_last_fire_timestamp_seconds'), type).toBe(seconds(last_fired_at))
      expect(figure('trigger_failing'), type).toBe(last_error === null ? '0' : '1')
    }
    expect((await workflow('of-webhook')).last_fired_at).not.toBeNull()
    for (const type of types) await shown('delete-workflow', `of-${type}`)
  }, 90_000)

  test('deletes a workflow', async () => {
    const { id } = await newWorkflow('short-lived')
    expect(await shown('delete-workflow', 'short-lived')).toMatch(/workflow short-lived deleted/)
    expect((await stand.ask('GET', `${stand.orchestrator}/workflows/${id}`)).status).toBe(404)
  })

  test('runs a task and shows its result in the history', async () => {
    const { id } = await newWorkflow('called')
    expect(await shown('dispatch-history', 'called')).toMatch(/No dispatches yet\./)
    const text = await shown('trigger-workflow', 'called', '--title', 'T', '--metadata', 'area=auth')
    const dispatch = await eventually(async () =>
      (await of<DispatchRecord[]>(`/workflows/${id}/history`)).find(({ status }) => status === 'completed'),
    )
    expect(text).toMatch(new RegExp(`dispatch ${dispatch.id.slice(0, 8)} is (pending|dispatched)`))
    expect(dispatch).toMatchObject({ prompt_sent: 'Look at T', result: expect.stringContaining('Look at T') })
    expect(await shown('workflow-history', 'called')).toMatch(
      new RegExp(`${dispatch.id.slice(0, 8)}\\s+completed\\s+manual:\\S+\\s+1\\s`),
    )
    expect(await json('workflow-history', 'called')).toEqual([dispatch])
    expect(await json('trigger-workflow', 'called')).toMatchObject({ workflow_id: id, trigger_type: 'manual' })
  })

  test('shows why a dispatch failed', async () => {
    await newWorkflow('unlucky')
    await shown('trigger-workflow', 'unlucky', '--title', 'FAIL the task is impossible')
    await eventually(async () => (await shown('workflow-history', 'unlucky')).match(/failed\s.*the task is impossible/))
  })
})

test.each([
  [['update-workflow', 'triage'], 'nothing to change'],
  [['update-workflow', 'triage', '--enable', '--disable'], 'mutually exclusive'],
  [['create-workflow', '--name', 'x', '--agent', 'planner'], 'the prompt template is missing'],
  [['trigger-workflow', 'triage', '--metadata', 'x'], 'expected key=value'],
])('rejects %j and changes nothing', async (args, what) => {
  const before = await of('/workflows')
  const { code, stderr } = await stand.agent(['orchestrator', ...args])
  expect(stderr).toContain(what)
  expect(code).toBe(64)
  expect(await of('/workflows')).toEqual(before)
  expect(await of(`/workflows/${(await workflow('triage')).id}/history`)).toEqual([])
})
