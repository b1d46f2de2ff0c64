import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { Approval } from '../../schemas/tools/approval.ts'
import type { StreamFrame } from '../../schemas/agent/stream.ts'
import type { WorkflowRecord } from '../../schemas/workflow.ts'
import type { Result } from '../support/command.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/http.ts'

let stand: DaemonStand
let planner: AgentRecord
beforeEach(async () => {
  stand = await DaemonStand.create()
  await stand.startInside()
  planner = await request<AgentRecord>('POST', `${stand.orchestrator}/agents`, {
    name: 'planner',
    working_dir: stand.home,
    shell: 'bash',
    runtime: 'scripted',
    tool_policy: { mode: 'require_approval' },
  })
  await stand.connected()
})
afterEach(() => stand.close())

/** Starts a stream and waits for a first frame; `stop` sends Ctrl-C. */
async function watching(
  ...args: string[]
): Promise<{ text(): string; ended: Promise<Result>; stop(): Promise<Result> }> {
  let seen = ''
  let over = false
  const until = (stdout: string) => ((seen = stdout), over)
  const ended = stand.agent(['orchestrator', 'stream', ...args], { until })
  const poke = async () => {
    await stand.send(planner.id, 'poke')
    return seen !== ''
  }
  await eventually(poke, 20_000, 100)
  await eventually(idle)
  const stop = async () => {
    over = true
    await stand.send(planner.id, 'the last')
    return ended
  }
  return { text: () => seen, ended, stop }
}
const idle = async () => (await stand.agentNamed('planner')).activity === 'idle'
const pending = () =>
  eventually(async () => (await stand.get<Approval[]>(`${stand.orchestrator}/approvals?status=pending`))[0])

test('shows readable output and how to decide pending approvals', async () => {
  const watch = await watching('planner')
  const shows = (pattern: RegExp) => eventually(() => pattern.test(watch.text()))
  await stand.send(planner.id, 'Hello \u001b[31mthere')
  await shows(/^\d\d:\d\d:\d\d planner: ECHO\(\d+\): Hello \\u001b\[31mthere\n/m)
  await shows(/^\d\d:\d\d:\d\d planner is running, busy\n/m)
  await stand.send(planner.id, 'USE_TOOL Bash ls')
  const { id } = await pending()
  const short = id.slice(0, 8)
  await shows(
    new RegExp(`planner wants Bash\\n  command:\\n  \\| ls\\n(?:  .*\\n)*  .*approve ${short} +or +.*deny ${short}\\n`),
  )
  await request('POST', `${stand.orchestrator}/approvals/${id}/deny`, { reason: 'no' })
  await shows(/planner: Bash was denied by tester: no\n/)
  const workflow = await request<WorkflowRecord>('POST', `${stand.orchestrator}/workflows`, {
    name: 'triage',
    agent_id: planner.id,
    trigger_config: { type: 'manual' },
    prompt_template: 'Look',
  })
  await request('POST', `${stand.orchestrator}/workflows/${workflow.id}/trigger`, {})
  await shows(/planner: task [0-9a-f]{8} of workflow (triage|[0-9a-f]{8}) is completed\n/)
  const { code, stdout } = await watch.stop()
  expect(code).toBe(0)
  expect(stdout).not.toMatch(/keep_alive|\u001b/)
  // The result repeats the last assistant text.
  expect(stdout.match(/Hello/g)).toHaveLength(1)
})

test('replays earlier output first with --since', async () => {
  await stand.send(planner.id, 'said before')
  await eventually(idle)
  const watch = await watching('planner', '--since', '5m')
  await eventually(() => /planner: ECHO\(1\): said before\n[\s\S]*: poke\n/.test(watch.text()))
  const { stdout } = await watch.stop()
  expect(stdout.match(/said before/g)).toHaveLength(1)
  const wrong = await stand.agent(['orchestrator', 'stream', 'planner', '--since', 'yesterday'])
  expect([wrong.code, wrong.stderr]).toEqual([64, expect.stringContaining('expected a time ago such as 10m')])
})

test('prints frames verbatim with --json, of every agent with --all', async () => {
  const watch = await watching('--all', '--json')
  const frames: StreamFrame[] = await stand.listen()
  await stand.send(planner.id, 'Hello \u001b[31mthere')
  await eventually(() => frames.some(({ type }) => type === 'result'))
  await eventually(idle)
  const { code, stdout } = await watch.stop()
  expect(code).toBe(0)
  const printed = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as StreamFrame)
  expect(printed).toEqual(expect.arrayContaining(frames.filter(({ content }) => content.includes('Hello'))))
})

test('ends with an error when the daemon stops', async () => {
  const watch = await watching('planner', '--json')
  await stand.stopBy('SIGTERM')
  const { code, stderr } = await watch.ended
  expect([code, stderr]).toEqual([1, expect.stringMatching(/error: (the stream ended|no daemon is reachable)/)])
})
