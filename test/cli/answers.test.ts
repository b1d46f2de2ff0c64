import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { Message } from '../../schemas/agent/message.ts'
import type { Approval } from '../../schemas/tools/approval.ts'
import type { WorkflowRecord } from '../../schemas/workflow.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/http.ts'

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  await stand.startInside()
  const agents: Record<string, AgentRecord> = {}
  for (const name of ['planner', 'careful'])
    agents[name] = await request<AgentRecord>('POST', `${stand.orchestrator}/agents`, {
      name,
      working_dir: stand.home,
      shell: 'bash',
      runtime: 'scripted',
      tool_policy: { mode: name === 'careful' ? 'require_approval' : 'allow_all' },
    })
  await request<WorkflowRecord>('POST', `${stand.orchestrator}/workflows`, {
    name: 'triage',
    agent_id: agents.planner!.id,
    trigger_config: { type: 'manual' },
    prompt_template: '{{body}}',
  })
  await stand.connected()
})
afterAll(() => stand.close())

const orchestrator = (...args: string[]) => stand.agent(['orchestrator', ...args])
const idle = (name: string) => eventually(async () => (await stand.agentNamed(name)).activity === 'idle')

test('prints the answer of a message and nothing else', async () => {
  const { code, stdout, stderr } = await orchestrator('send-message', 'planner', 'Hello there', '--wait')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^ECHO\(\d+\): Hello there\n$/)
  const json = await orchestrator('send-message', 'planner', 'Again', '--wait', '--json')
  expect(JSON.parse(json.stdout)).toMatchObject({
    status: 'done',
    content: 'Again',
    result: expect.stringMatching(/^ECHO/),
  })
})

test('exits with 1 and the agent’s error, also as JSON', async () => {
  const failed = await orchestrator('send-message', 'planner', 'FAIL the disk is gone', '--wait')
  expect([failed.code, failed.stdout]).toEqual([1, ''])
  expect(failed.stderr).toMatch(/^error: the message to planner has failed \(.*the disk is gone.*\)\nhint: /)
  const json = await orchestrator('send-message', 'planner', 'FAIL again', '--wait', '--json')
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { status: 'failed' }])
})

test('shows pending approvals and continues after the decision', async () => {
  let said = ''
  const words = ['orchestrator', 'send-message', 'careful', 'USE_TOOL Bash echo from the tool', '--wait']
  const waiting = stand.agent(words, { onStderr: (stderr) => (said = stderr) })
  await eventually(() => said.includes('agent approve'), 20_000)
  const [{ id }] = await stand.get<[Approval]>(`${stand.orchestrator}/approvals?status=pending`)
  await request('POST', `${stand.orchestrator}/approvals/${id}/approve`, {})
  const { code, stdout, stderr } = await waiting
  expect([code, stdout]).toEqual([0, 'TOOL_OK: from the tool\n'])
  expect(stderr).toContain('careful wants Bash')
  expect(stderr.match(/agent approve/g)).toHaveLength(1)
})

test('stops waiting at the time-out and shows how to continue', async () => {
  const { code, stdout, stderr } = await orchestrator(
    'send-message',
    'planner',
    'SLOW 600000',
    '--wait',
    '--timeout',
    '1s',
  )
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(
    /^error: the message to planner is sent after 1\.0 s\nhint: it continues; see it with: agent orchestrator messages planner\n$/,
  )
  expect((await orchestrator('messages', 'planner')).stdout).toMatch(/\n[0-9a-f]{8}  sent .* SLOW 600000 /)
  await orchestrator('interrupt', 'planner')
  await idle('planner')
})

test('stops only the waiting on Ctrl-C', async () => {
  const words = ['orchestrator', 'send-message', 'planner', 'SLOW 2000 and on', '--wait']
  const figure = 'route="/agents/{id}/messages/{message_id}"'
  const looks = async () =>
    (await (await fetch(`${stand.orchestrator}/metrics`)).text())
      .split('\n')
      .find((line) => line.startsWith('http_requests_total') && line.includes(figure))
  const before = await looks()
  const interrupt = eventually(async () => (await looks()) !== before, 20_000)
  const { code, stderr } = await stand.agent(words, { interrupt })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^error: interrupted: the message to planner is sent\nhint: it continues; see it with: /)
  await idle('planner')
  expect((await orchestrator('messages', 'planner', '--last', '1')).stdout).toMatch(/done .*SLOW 2000 and on/)
})

test('reports a message as lost when its agent ends', async () => {
  const { code, stderr } = await orchestrator('send-message', 'careful', 'EXIT 3', '--wait')
  expect(code).toBe(1)
  expect(stderr).toMatch(/^error: the message to careful was lost \(.*\)\nhint: it is unknown how far the agent got/)
})

test('prints the result of a triggered workflow', async () => {
  const done = await orchestrator('trigger-workflow', 'triage', '--body', 'look at it', '--wait')
  expect([done.code, done.stderr]).toEqual([0, ''])
  expect(done.stdout).toMatch(/^ECHO\(\d+\): look at it\n$/)
  const failed = await orchestrator('trigger-workflow', 'triage', '--body', 'FAIL out of luck', '--wait')
  expect([failed.code, failed.stdout]).toEqual([1, ''])
  expect(failed.stderr).toMatch(/^error: dispatch [0-9a-f]{8} of workflow triage has failed \(.*out of luck.*\)\n/)
})

test('lists the prompts of an agent, newest first', async () => {
  await orchestrator('send-message', 'planner', 'the first', '--wait')
  await orchestrator('send-message', 'planner', 'the second', '--wait')
  const { stdout } = await orchestrator('messages', 'planner', '--last', '2')
  expect(stdout).toMatch(/^MESSAGE .*STATUS .*KIND .*AGO .*TEXT .*ANSWER\n.* the second .*\n.* the first .*\n$/)
  const listed = JSON.parse((await orchestrator('messages', 'planner', '--last', '2', '--json')).stdout) as Message[]
  expect(listed.map(({ content, status }) => [content, status])).toEqual([
    ['the second', 'done'],
    ['the first', 'done'],
  ])
})
