import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentRecord } from '../../schemas/agent.ts'
import type { AgentUsage, UsageHistory } from '../../schemas/agent/usage.ts'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/http.ts'

let stand: DaemonStand
let planner: AgentRecord
beforeAll(async () => {
  stand = await DaemonStand.create()
  await stand.startInside()
  planner = await newAgent('planner')
})
afterAll(() => stand.close())

/** Creates a connected scripted agent. */
async function newAgent(name: string, members: object = {}): Promise<AgentRecord> {
  const body = { name, working_dir: stand.project, shell: 'bash', runtime: 'scripted', ...members }
  const { id } = await request<AgentRecord>('POST', `${stand.orchestrator}/agents`, body)
  return eventually(async () => {
    const agent = await of<AgentRecord>(`/agents/${id}`)
    return agent.connected && agent
  })
}
const of = <T = any>(path: string) => stand.get<T>(`${stand.orchestrator}${path}`)
const activity = async (id: string) => (await of<AgentRecord>(`/agents/${id}`)).activity
const turns = async (id: string) => (await of<AgentUsage>(`/agents/${id}/usage`)).cumulative.num_turns
/** Sends a prompt and waits for the end of the turn. */
async function turn(id: string, content: string): Promise<void> {
  const before = await turns(id)
  await stand.send(id, content)
  await eventually(async () => (await turns(id)) > before && (await activity(id)) === 'idle')
}

/** Standard output of a successful command. */
async function shown(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await stand.agent(['orchestrator', ...args])
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}
const json = async (...args: string[]) => JSON.parse(await shown(...args, '--json')) as unknown

describe('inspecting agents', () => {
  test('lists the agents of a status, one per line', async () => {
    expect(await shown('list-agents', '--status', 'running')).toMatch(/planner\s+running\s+idle\s+scripted\s+allow_all/)
    expect(await shown('list-agents', '--status', 'stopped')).not.toContain('planner')
    expect(await json('list-agents', '--status', 'running')).toEqual(await of('/agents?status=running'))
  })

  test('shows an agent by id, with the reason of a failure', async () => {
    const { id } = await newAgent('crasher')
    await stand.send(id, 'EXIT 3')
    const failed = await eventually(async () => {
      const agent = await of<AgentRecord>(`/agents/${id}`)
      return agent.status === 'failed' && agent
    })
    expect(failed.last_error).toContain('exit code 3')
    const text = await shown('get-agent', id)
    expect(text).toMatch(new RegExp(`name: crasher[\\s\\S]*working_dir: ${stand.project}[\\s\\S]*last_error: .*code 3`))
    expect(await json('get-agent', id)).toEqual(failed)
  })

  test('prints the last lines of the terminal', async () => {
    await turn(planner.id, 'into the terminal')
    const lines = (await of<{ lines: string }>(`/agents/${planner.id}/logs?lines=5`)).lines
    expect(lines.trim()).not.toBe('')
    expect(await shown('logs', 'planner', '--lines', '5')).toBe(`${lines.trimEnd()}\n`)
    expect(await json('logs', 'planner', '--lines', '5')).toEqual({ agent_id: planner.id, lines })
  })

  test('shows session and total usage, and starts a session with clear-context', async () => {
    const { id } = await newAgent('counted')
    await turn(id, 'something to count')
    const usage = await of<AgentUsage>(`/agents/${id}/usage`)
    const { input_tokens, output_tokens } = usage.current_session
    expect(await shown('usage', 'counted')).toMatch(
      new RegExp(`SESSION 1\\s+ALL\\ninput tokens\\s+${input_tokens}\\s+${input_tokens}\\n[\\s\\S]*\\$0\\.00`),
    )
    expect(await json('usage', 'counted')).toEqual(usage)
    // Two hours: the current one may have just begun.
    const counted = { agent_id: id, hours: [{}, {}], total: { input_tokens, output_tokens } }
    expect(await of<UsageHistory>(`/usage?hours=2&agent=${id}`)).toMatchObject(counted)
    expect(await json('usage', 'counted', '--hours', '2')).toMatchObject(counted)
    expect(await shown('usage', 'counted', '--hours', '2')).toMatch(
      new RegExp(
        `^HOUR \\(UTC\\).*\\n[-0-9]{10} [0-9]{2}:00 +${input_tokens} +${output_tokens} .*\\n2 hours .*\\ntoday `,
      ),
    )
    expect(await json('usage')).toMatchObject({ agent_id: null, hours: Array.from({ length: 24 }, () => ({})) })
    await newAgent('unused')
    expect(await shown('usage', 'unused', '--hours', '3')).toBe('No usage in 3 hours.\n')
    expect(await shown('clear-context', 'counted')).toContain(
      `counted started session 2; the previous one used ${input_tokens} input and ${output_tokens} output tokens`,
    )
    expect(await json('clear-context', 'counted')).toMatchObject({ agent_id: id, new_session_number: 3 })
  })

  test('shows the health of the orchestrator', async () => {
    expect(await shown('health')).toMatch(/agents_active: \d+/)
    expect(await json('health')).toMatchObject({ status: 'ok', service: 'svc-orchestrator' })
  })
})

describe('the lifecycle of an agent', () => {
  test('launches an agent with every option', { timeout: 30_000 }, async () => {
    const author = ['-c', 'user.name=t', '-c', 'user.email=t@example.org']
    await promisify(execFile)('git', [
      '-C',
      stand.project,
      ...author,
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'one',
    ])
    const words = `create-agent --name helper --working-dir ${stand.project} --runtime scripted --shell bash`.split(' ')
    const rules = ['--policy', 'allow_list', '--tools', 'Read', 'Bash(printenv *)', '--env', 'A=b=c']
    const text = await shown(...words, ...rules, '--add-dir', '/usr', '--worktree', '--prompt', 'Hi')
    expect(text).toMatch(/^agent helper is running \([0-9a-f-]{36}\)\n/)
    const helper = await stand.agentNamed('helper')
    expect(helper.config).toMatchObject({
      prompt: 'Hi',
      worktree: true,
      additional_dirs: ['/usr'],
      env: { A: '***' },
      tool_policy: { mode: 'allow_list', tools: ['Bash(printenv *)', 'Read'] },
    })
    await eventually(async () => (await turns(helper.id)) === 1)
    const frames = await stand.listen(helper.id)
    await stand.send(helper.id, 'USE_TOOL Bash printenv A')
    expect((await eventually(() => frames.find(({ type }) => type === 'result'))).content).toBe('TOOL_OK: b=c')
  })

  test('prints the created record as JSON', async () => {
    const words = ['create-agent', '--name', 'as-json', '--working-dir', '/tmp', '--runtime', 'scripted']
    const record = (await json(...words)) as AgentRecord
    expect(record).toMatchObject({ name: 'as-json', status: 'running' })
    expect((await stand.agentNamed('as-json')).id).toBe(record.id)
  })

  test('restarts the same agent in a new process', async () => {
    const before = await newAgent('restarted')
    const panes = await stand.panes()
    expect(await shown('restart-agent', 'restarted')).toMatch(/agent restarted is running/)
    expect((await stand.panes())[before.mux_session]).not.toBe(panes[before.mux_session])
    expect(await json('restart-agent', 'restarted')).toMatchObject({ id: before.id, status: 'running' })
  })

  test('stops an agent, and deletes its record with --purge', async () => {
    const { id } = await newAgent('leaver')
    expect(await shown('delete-agent', 'leaver')).toMatch(/agent leaver is stopped/)
    expect((await of<AgentRecord>(`/agents/${id}`)).status).toBe('stopped')
    expect(await shown('delete-agent', id, '--purge')).toMatch(/agent leaver purged/)
    expect((await stand.ask('GET', `${stand.orchestrator}/agents/${id}`)).status).toBe(404)
  })
})

describe('talking to an agent', () => {
  test('sends words or standard input, and reports queueing', async () => {
    const { id } = await newAgent('listener')
    const frames = await stand.listen(id)
    const heard = (text: string) =>
      eventually(() => frames.some(({ type, content }) => type === 'result' && content.includes(text)))
    expect(await shown('send-message', 'listener', 'What', 'is next?')).toBe(
      'sent to listener; watch the answer with: agent orchestrator stream listener\n',
    )
    await heard(': What is next?')
    await eventually(async () => (await activity(id)) === 'idle')
    const input = await stand.agent(['orchestrator', 'send-message', 'listener', '--stdin'], { input: 'two\nlines\n' })
    expect([input.code, input.stderr]).toEqual([0, ''])
    await heard(': two\nlines\n')

    await stand.send(id, 'SLOW 600000')
    await eventually(async () => (await activity(id)) === 'busy')
    expect(await shown('send-message', 'listener', 'later')).toMatch(/queued: listener is busy/)
    expect(await json('send-message', 'listener', 'later still')).toMatchObject({ status: 'queued', agent_id: id })
    expect(await shown('interrupt', 'listener')).toMatch(/sent an interrupt to listener/)
    await heard(': later still')
  })

  test('adds and removes directories from the next start', async () => {
    expect(await shown('add-dir', 'planner', '/usr')).toMatch(/planner may use \/usr from its next start/)
    expect((await stand.agentNamed('planner')).config.additional_dirs).toEqual(['/usr'])
    expect(await json('add-dir', 'planner', '/var')).toEqual({
      agent_id: planner.id,
      additional_dirs: ['/usr', '/var'],
      requires_restart: true,
    })
    await shown('remove-dir', 'planner', '/var')
    expect(await shown('remove-dir', 'planner', '/usr')).toMatch(/only its working directory/)
  })

  test('shows the policy and sets it immediately', async () => {
    const { id } = await newAgent('ruled', { tool_policy: { mode: 'allow_list', tools: ['Read'] } })
    expect(await shown('get-policy', 'ruled')).toMatch(/mode: allow_list\ntools: Read/)
    expect(await json('get-policy', 'ruled')).toEqual({ mode: 'allow_list', tools: ['Read'] })
    expect(await shown('set-policy', 'ruled', 'deny_list', 'Bash')).toMatch(/ruled now has the policy deny_list Bash/)
    expect(await of(`/agents/${id}/policy`)).toEqual({ mode: 'deny_list', tools: ['Bash'] })
    expect(await shown('set-policy', 'ruled', 'allow_list')).toMatch(/allow_list \(empty\)/)
    expect(await json('set-policy', 'ruled', 'allow_all')).toEqual({ mode: 'allow_all' })
  })
})

test.each([
  [['create-agent'], "required option '--name <name>' not specified"],
  [['create-agent', '--name', 'x', '--tools', 'Read'], '--tools needs a list mode'],
  [['create-agent', '--name', 'x', '--env', 'A'], 'expected name=value'],
  [['send-message', 'planner'], 'the message is empty'],
  [['send-message', 'planner', 'x', '--stdin'], 'mutually exclusive'],
  [['stream'], 'no agent given'],
  [['stream', 'planner', '--all'], 'mutually exclusive'],
  [['set-policy', 'planner', 'allow'], 'Allowed choices are allow_all'],
])('rejects %j and changes nothing', async (args, what) => {
  const before = [await of('/agents'), await turns(planner.id)]
  const { code, stderr } = await stand.agent(['orchestrator', ...args])
  expect(stderr).toContain(what)
  expect(code).toBe(64)
  expect([await of('/agents'), await turns(planner.id)]).toEqual(before)
})

test('hides env values in errors', async () => {
  const { stderr } = await stand.agent(['orchestrator', 'create-agent', '--name', 'x', '--env', '=hush'])
  expect(stderr).toContain('error: ')
  expect(stderr).not.toContain('hush')
})
