import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, refusal, TestMachine, type TestOrchestrator } from '../harness.ts'

const OTHER_ADDRESS = 'http://127.0.0.1:9'
const machine = new TestMachine({
  clock: new TestClock(),
  env: {
    SVC_TOKENS_FILE: '/secret',
    DATABASE_PASSWORD: 'hush',
    SVC_MONITOR_URL: OTHER_ADDRESS,
    SVC_ASK_URL: OTHER_ADDRESS,
  },
})
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

const agents = () => daemon.orchestrator.agents

test('creates a record and starts the agent in a separate session', async () => {
  const agent = await daemon.create({ name: 'first', env: { KEY: 'hush-hush' }, prompt: 'hello' })
  expect(agent).toMatchObject({
    name: 'first',
    status: 'running',
    connected: false,
    activity: 'idle',
    restarts: 0,
    last_error: null,
    warnings: [],
    managed_by: null,
    mux_session: `svc-orch-${agent.id}`,
  })
  expect(agent.config).toMatchObject({
    working_dir: machine.work,
    shell: 'bash',
    env: { KEY: '***' },
    tool_policy: { mode: 'allow_all' },
    restart: 'never',
  })
  expect(await machine.mux.get(agent.mux_session)).toMatchObject({ dead: false })
  expect(await agents().get(agent.id)).toEqual(agent)
  await daemon.awaitChanges()
  expect(daemon.changes).toContainEqual({ kind: 'agents', id: agent.id, name: 'first' })
  expect(daemon.frame('agent_status', agent.id)).toMatchObject({
    status: 'running',
    activity: 'idle',
    content: 'running, idle',
  })
})

test('stores launch secrets only in a file of mode 0600', async () => {
  const { id, mux_session } = await daemon.create({ env: { KEY: 'top-secret-value' } })
  const file = join(machine.launchFolder, `${id}.json`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const launch = await machine.launchFile(id)
  expect(launch).toMatchObject({
    agent_id: id,
    runtime: 'scripted',
    env: { KEY: 'top-secret-value' },
    orchestrator_url: daemon.address,
    tools_url: expect.stringMatching(/^http:.*\/mcp$/),
    url: `${daemon.address.replace('http', 'ws')}/ws/${id}`,
  })
  const session = await machine.mux.get(mux_session)
  const read = (name: string) => readFileSync(`/proc/${session!.pid}/${name}`, 'utf8')
  // The forked process exists before it has executed the program.
  const argv = await eventually(() => read('cmdline').includes(file) && read('cmdline'))
  const environment = read('environ')
  for (const text of [
    argv,
    environment,
    readFileSync(join(machine.folder, 'svc.db'), 'latin1'),
    readFileSync(join(machine.folder, 'svc.db-wal'), 'latin1'),
  ]) {
    expect(text).not.toContain('top-secret-value')
    expect(text).not.toContain(launch.token)
  }
  expect(environment).not.toContain('hush')
  expect(JSON.stringify(await agents().list())).not.toContain('top-secret-value')
  expect((await agents().spec(id)).env.KEY!.reveal()).toBe('top-secret-value')
})

test('gives the program the addresses of services that are not at the default ones, and its own first', async () => {
  const { id } = await daemon.create({ env: { SVC_ASK_URL: 'http://127.0.0.1:8' } })
  const { env } = await machine.launchFile(id)
  expect(env).toMatchObject({ SVC_MONITOR_URL: OTHER_ADDRESS, SVC_ASK_URL: 'http://127.0.0.1:8' })
  expect(env).not.toHaveProperty('SVC_NOTIFY_URL')
})

test('returns the existing agent for a known id, also for concurrent requests', async () => {
  const id = randomUUID()
  const [one, two] = await Promise.all([
    agents().create(daemon.spec({ name: 'same' }), alice, id),
    agents().create(daemon.spec({ name: 'other' }), alice, id),
  ])
  expect(two).toEqual(one)
  expect((await daemon.db('orchestrator_agents').where({ id })).length).toBe(1)
})

for (const [title, input, status, words] of [
  ['a working directory that does not exist', { working_dir: '/does/not/exist' }, 422, 'does not exist'],
  ['a working directory that is a file', { working_dir: '/etc/passwd' }, 422, 'is not a directory'],
  ['a relative working directory', { working_dir: 'here' }, 422, 'absolute'],
  ['an additional directory that does not exist', { additional_dirs: ['/does/not/exist'] }, 422, 'additional_dirs'],
  [
    'an OS user that does not exist',
    { user: 'nobody-of-that-name' },
    422,
    'OS user "nobody-of-that-name" does not exist',
  ],
  ['an OS user that is an option', { user: '-x' }, 422, 'does not exist'],
  ['a worktree outside a repository', { worktree: true }, 422, 'git repository'],
  ['a command runtime without a command', { runtime: 'command' as const }, 400, 'needs "command"'],
] as const) {
  test(`refuses ${title} with ${status} and creates nothing`, async () => {
    const before = (await agents().list()).length
    const refused = await refusal(daemon.create(input as never))
    expect(refused).toMatchObject({ status, message: expect.stringContaining(words) })
    expect((await agents().list()).length).toBe(before)
  })
}

test('refuses a list policy without tools with 400', async () => {
  const spec = { ...daemon.spec(), tool_policy: { mode: 'allow_list' as const } }
  expect(await refusal(agents().create(spec, alice))).toMatchObject({ status: 400 })
})

test('records the reason when a launch fails', async () => {
  const broken = new TestMachine({
    clock: new TestClock(),
    mux: (real) => Object.assign(real, { launch: () => Promise.reject(new Error('no room')) }),
  })
  try {
    const other = await broken.open()
    const agent = await other.create()
    expect(agent).toMatchObject({ status: 'failed', last_error: 'the launch failed: no room' })
    expect(existsSync(join(broken.launchFolder, `${agent.id}.json`))).toBe(false)
  } finally {
    await broken.close()
  }
})

test('runs bash for a missing zsh with a warning, keeping the record', async () => {
  const bare = join(machine.folder, 'bin')
  mkdirSync(bare)
  for (const program of ['bash', 'tmux', 'sh', 'env', 'id']) {
    const { stdout } = await execa('sh', ['-c', `command -v ${program}`])
    writeFileSync(join(bare, program), `#!/bin/sh\nexec ${stdout} "$@"\n`, { mode: 0o755 })
  }
  const small = new TestMachine({ clock: new TestClock(), env: { PATH: bare } })
  try {
    const other = await small.open()
    const agent = await other.create({ shell: 'zsh' })
    expect(agent).toMatchObject({
      status: 'running',
      config: { shell: 'zsh' },
      warnings: ['zsh is not installed: using bash'],
    })
  } finally {
    await small.close()
  }
})

const asRoot = process.getuid?.() === 0
// Only root can start a process as another user without a password.
;(asRoot ? test : () => undefined)('runs an agent as another OS user with a private launch file', async () => {
  const open = new TestMachine({ clock: new TestClock() })
  try {
    // That user must be able to read the idle bridge.
    await execa('chmod', ['755', open.folder, open.work])
    const other = await open.open()
    const agent = await other.create({ user: 'nobody' })
    expect(agent).toMatchObject({ status: 'running', last_error: null })
    const { pid } = (await open.mux.get(agent.mux_session))!
    // Short-lived processes come before the bridge in the pane.
    const uid = await eventually(async () => {
      const { stdout } = await execa('pgrep', ['-P', String(pid)], { reject: false })
      const pids = [String(pid), ...stdout.split('\n').filter(Boolean)]
      return pids.map((each) => statSync(`/proc/${each}`).uid).find((owner) => owner !== 0)
    })
    const row = await other.db('orchestrator_agents').where({ id: agent.id }).first()
    expect(statSync(row.launch_file)).toMatchObject({ uid })
    expect(statSync(row.launch_file).mode & 0o777).toBe(0o600)
    await other.orchestrator.agents.terminate(agent.id, alice)
    expect(existsSync(row.launch_file)).toBe(false)
  } finally {
    await open.close()
  }
})

test('gives an interactive agent a session and rejects messages to it', async () => {
  const { id } = await daemon.create({ interactive: true })
  expect(await refusal(agents().message(id, 'hello', alice))).toMatchObject({
    status: 400,
    code: 'agent-interactive',
    message: expect.stringContaining('agent attach worker'),
  })
  daemon.tick(120_000)
  expect(await agents().get(id)).toMatchObject({ status: 'running' })
})

test('refuses settings that an interactive agent cannot enforce, at creation and later', async () => {
  const policy = { tool_policy: { mode: 'deny_all' } } as const
  const refused = async (call: Promise<unknown>, paths: string[]) => {
    const problem = await refusal(call)
    expect(problem).toMatchObject({ status: 400 })
    expect((problem as unknown as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual(paths)
    return problem!.message
  }
  expect(await refused(daemon.create({ interactive: true, ...policy }), ['tool_policy'])).toContain(
    "policy 'deny_all' cannot be enforced: the program asks the person at its terminal",
  )
  const settings = { system_prompt: 'Be brief.', model: 'haiku', additional_dirs: [machine.work] }
  await refused(daemon.create({ interactive: true, ...settings }), ['system_prompt', 'model', 'additional_dirs'])
  await refused(daemon.create({ interactive: true, runtime: 'claude-code', max_cost_usd: 1 }), ['max_cost_usd'])
  const { id } = await daemon.create({ interactive: true })
  await refused(agents().setPolicy(id, { mode: 'require_approval' }, alice), ['tool_policy'])
  await refused(agents().addDirectory(id, machine.work, alice), ['additional_dirs'])
  await refused(agents().patch(id, { model: 'haiku' }, alice), ['model'])
  expect((await agents().get(id)).config).toMatchObject({ tool_policy: { mode: 'allow_all' }, additional_dirs: [] })
  const spoken = await daemon.create(policy)
  await refused(agents().patch(spoken.id, { interactive: true }, alice), ['tool_policy'])
})

test('reports why an interactive agent with unenforceable settings does not start', async () => {
  const { id } = await daemon.create({ interactive: true, restart: 'on-failure' })
  const spec = await agents().spec(id)
  const config = JSON.stringify({ ...spec, tool_policy: { mode: 'deny_all' } })
  await machine.killAgent(id)
  await daemon.db('orchestrator_agents').where({ id }).update({ config })
  await eventually(
    async () => {
      daemon.tick(2000)
      return (await agents().get(id)).last_error?.includes("policy 'deny_all' cannot be enforced")
    },
    20_000,
    100,
  )
  expect(await agents().get(id)).toMatchObject({ status: 'failed' })
})

for (const interactive of [false, true])
  test(`starts ${interactive ? 'an interactive' : 'a'} claude with its directories, model and system prompt`, async () => {
    const settings = { system_prompt: 'Be brief.', model: 'haiku', additional_dirs: [machine.work] }
    const { id } = await daemon.create({ interactive, runtime: 'claude-code', command: ['claude'], ...settings })
    expect(await machine.launchFile(id)).toMatchObject({ interactive, ...settings })
  })

test('runs the agent command of the configuration instead of claude', async () => {
  await daemon.stop()
  const other = await machine.open({ agentCommand: 'npx claude' })
  const { id } = await other.create({ runtime: 'claude-code' })
  expect((await machine.launchFile(id)).command).toEqual(['npx', 'claude'])
  const own = await other.create({ runtime: 'claude-code', command: ['/opt/claude'] })
  expect((await machine.launchFile(own.id)).command).toEqual(['/opt/claude'])
  await other.orchestrator.agents.purge(id, alice)
  await other.orchestrator.agents.purge(own.id, alice)
  await other.stop()
})
