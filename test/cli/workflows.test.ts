// Each verb of `agent orchestrator` on workflows and approvals: what it shows, what the daemon has afterwards, and
// its JSON.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { Approval } from '../../schemas/approval.ts'
import type { DispatchRecord, WorkflowRecord } from '../../schemas/workflow.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/http.ts'

let stand: DaemonStand
let planner: AgentRecord
beforeAll(async () => {
  stand = await DaemonStand.create()
  await stand.start()
  planner = await newAgent('planner', 'allow_all')
  await newAgent('careful', 'require_approval')
  await stand.connected()
  await newWorkflow('triage')
})
afterAll(() => stand.close())

const newAgent = (name: string, mode: string) =>
  request<AgentRecord>('POST', `${stand.orchestrator}/agents`, {
    name,
    working_dir: stand.home,
    shell: 'bash',
    runtime: 'scripted',
    tool_policy: { mode },
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

/** Standard output of a verb that goes well. */
async function shown(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await stand.agent(['orchestrator', ...args])
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}
const json = async (...args: string[]) => JSON.parse(await shown(...args, '--json')) as unknown

describe('workflows', () => {
  test('create-workflow pairs an agent with a trigger and a template', async () => {
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

  test('list-workflows and get-workflow show them with the name of their agent', async () => {
    expect(await shown('list-workflows')).toMatch(/triage\s+planner\s+manual\s+yes\s+auto/)
    expect(await json('list-workflows')).toEqual(await of('/workflows'))
    expect(await shown('get-workflow', 'triage')).toMatch(/prompt_template: Look at \{\{title\}\}/)
    expect(await json('get-workflow', 'triage')).toEqual(await workflow('triage'))
  })

  test('update-workflow changes what was said and nothing else', async () => {
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

  test('delete-workflow removes it', async () => {
    const { id } = await newWorkflow('short-lived')
    expect(await shown('delete-workflow', 'short-lived')).toMatch(/workflow short-lived is gone/)
    expect((await stand.ask('GET', `${stand.orchestrator}/workflows/${id}`)).status).toBe(404)
  })

  test('trigger-workflow gives it a task by hand, and its history tells how that went', async () => {
    const { id } = await newWorkflow('called')
    expect(await shown('dispatch-history', 'called')).toMatch(/No dispatch yet\./)
    const text = await shown('trigger-workflow', 'called', '--title', 'T', '--metadata', 'area=auth')
    const dispatch = await eventually(async () =>
      (await of<DispatchRecord[]>(`/workflows/${id}/history`)).find(({ status }) => status === 'completed'),
    )
    expect(text).toMatch(new RegExp(`dispatch ${dispatch.id}.* is (pending|dispatched)`))
    expect(dispatch).toMatchObject({ prompt_sent: 'Look at T', result: expect.stringContaining('Look at T') })
    expect(await shown('workflow-history', 'called')).toMatch(
      new RegExp(`${dispatch.id.slice(0, 8)}\\s+completed\\s+manual:\\S+\\s+1\\s`),
    )
    expect(await json('workflow-history', 'called')).toEqual([dispatch])
    expect(await json('trigger-workflow', 'called')).toMatchObject({ workflow_id: id, trigger_type: 'manual' })
  })

  test('workflow-history tells why a dispatch failed', async () => {
    await newWorkflow('unlucky')
    await shown('trigger-workflow', 'unlucky', '--title', 'FAIL the task is impossible')
    await eventually(async () => (await shown('workflow-history', 'unlucky')).match(/failed\s.*the task is impossible/))
  })
})

describe('approvals', () => {
  /** A tool request that waits for a person. */
  async function held(command: string): Promise<Approval> {
    const { id } = await stand.agentNamed('careful')
    await eventually(async () => (await stand.agentNamed('careful')).activity === 'idle')
    await stand.send(id, `USE_TOOL Bash ${command}`)
    return eventually(async () => (await of<Approval[]>('/approvals?status=pending'))[0])
  }

  test('are listed, of an agent and by status', async () => {
    const approval = await held('echo listed')
    const words = ['list-approvals', '--agent-id', 'careful', '--status', 'pending']
    expect(await shown(...words)).toMatch(/careful\s+Bash\s+\{"command":"echo listed".*\}?\s+pending/)
    expect(await json(...words)).toEqual([approval])
    expect(await shown('list-approvals', '--agent-id', 'planner')).not.toContain('Bash')
    await shown('deny', approval.id)
  })

  test('are refused with a reason, which the record keeps', async () => {
    const approval = await held('echo denied')
    const record = await json('deny', approval.id, '--reason', 'not today')
    expect(record).toMatchObject({ id: approval.id, status: 'denied', reason: 'not today', decided_by: 'tester' })
    expect(await of(`/approvals/${approval.id}`)).toEqual(record)
    const again = await held('echo denied again')
    expect(await shown('deny', again.id)).toMatch(/Bash is denied/)
  })

  test('are given by their first characters, for a session when that is said', async () => {
    const approval = await held('echo approved')
    expect(await shown('approve', approval.id.slice(0, 8), '--scope', 'session')).toMatch(/Bash is approved/)
    expect(await of(`/approvals/${approval.id}`)).toMatchObject({ status: 'approved', decided_by: 'tester' })
    const { id } = await stand.agentNamed('careful')
    const frames = await stand.listen(id)
    await eventually(async () => (await stand.agentNamed('careful')).activity === 'idle')
    await stand.send(id, 'USE_TOOL Bash echo approved')
    await eventually(() => frames.some(({ type, content }) => type === 'result' && content === 'TOOL_OK: approved'))
  })
})

test.each([
  [['update-workflow', 'triage'], 'nothing to change'],
  [['update-workflow', 'triage', '--enable', '--disable'], 'exclude each other'],
  [['create-workflow', '--name', 'x', '--agent', 'planner'], 'the prompt template is missing'],
  [['trigger-workflow', 'triage', '--metadata', 'x'], 'has no key and value'],
])('%j is wrong use and changes nothing', async (args, what) => {
  const before = await of('/workflows')
  const { code, stderr } = await stand.agent(['orchestrator', ...args])
  expect(stderr).toContain(what)
  expect(code).toBe(64)
  expect(await of('/workflows')).toEqual(before)
  expect(await of(`/workflows/${(await workflow('triage')).id}/history`)).toEqual([])
})
