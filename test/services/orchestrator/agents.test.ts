import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../platform/clock.ts'
import { eventually } from '../../support/eventually.ts'
import { alice, House, World } from './harness.ts'

const world = new World({ clock: new TestClock(), env: { SVC_TOKENS_FILE: '/secret', DATABASE_PASSWORD: 'hush' } })
let house: House
beforeAll(async () => {
  house = await world.open()
})
afterAll(() => world.close())

const agents = () => house.orchestrator.agents
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error as { status: number; message: string },
  )

test('a created agent runs in a session of its own and is on record', async () => {
  const agent = await house.create({ name: 'first', env: { KEY: 'hush-hush' }, prompt: 'hello' })
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
    working_dir: world.work,
    shell: 'bash',
    env: { KEY: '***' },
    tool_policy: { mode: 'allow_all' },
    restart: 'never',
  })
  expect(await world.mux.get(agent.mux_session)).toMatchObject({ dead: false })
  expect(await agents().get(agent.id)).toEqual(agent)
  expect(house.changes).toContainEqual({ kind: 'agents', id: agent.id, name: 'first' })
  expect(house.frame('agent_status', agent.id)).toMatchObject({
    status: 'running',
    activity: 'idle',
    content: 'running, idle',
  })
})

test('secrets of a launch are in a file of mode 0600 and in no argument, session or table', async () => {
  const { id, mux_session } = await house.create({ env: { KEY: 'top-secret-value' } })
  const file = join(world.launchFolder, `${id}.json`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const launch = await world.launchFile(id)
  expect(launch).toMatchObject({
    agent_id: id,
    runtime: 'scripted',
    env: { KEY: 'top-secret-value' },
    orchestrator_url: house.address,
    url: `${house.address.replace('http', 'ws')}/ws/${id}`,
  })
  const session = await world.mux.get(mux_session)
  const [argv, environment] = ['cmdline', 'environ'].map((name) =>
    readFileSync(`/proc/${session!.pid}/${name}`, 'utf8'),
  )
  expect(argv).toContain(file)
  for (const text of [
    argv,
    environment,
    readFileSync(join(world.folder, 'svc.db'), 'latin1'),
    readFileSync(join(world.folder, 'svc.db-wal'), 'latin1'),
  ]) {
    expect(text).not.toContain('top-secret-value')
    expect(text).not.toContain(launch.token)
  }
  expect(environment).not.toContain('hush')
  expect(JSON.stringify(await agents().list())).not.toContain('top-secret-value')
  expect((await agents().spec(id)).env.KEY!.reveal()).toBe('top-secret-value')
})

test('an id that exists returns that agent unchanged, also when asked twice at once', async () => {
  const id = randomUUID()
  const [one, two] = await Promise.all([
    agents().create(house.spec({ name: 'same' }), alice, id),
    agents().create(house.spec({ name: 'other' }), alice, id),
  ])
  expect(two).toEqual(one)
  expect((await house.db('orchestrator_agents').where({ id })).length).toBe(1)
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
  test(`${title} is refused with ${status} and nothing is created`, async () => {
    const before = (await agents().list()).length
    const refused = await refusal(house.create(input as never))
    expect(refused).toMatchObject({ status, message: expect.stringContaining(words) })
    expect((await agents().list()).length).toBe(before)
  })
}

test('a list policy without tools is refused with 400', async () => {
  const spec = { ...house.spec(), tool_policy: { mode: 'allow_list' as const } }
  expect(await refusal(agents().create(spec, alice))).toMatchObject({ status: 400 })
})

test('an unknown id is a 404 everywhere', async () => {
  const id = randomUUID()
  const calls = [
    agents().get(id),
    agents().spec(id),
    agents().patch(id, {}, alice),
    agents().replace(id, house.spec(), alice),
    agents().terminate(id, alice),
    agents().purge(id, alice),
    agents().restart(id, alice),
    agents().message(id, 'x', alice),
  ]
  const more = [
    agents().setPolicy(id, { mode: 'deny_all' }, alice),
    agents().addDirectory(id, world.work, alice),
    agents().removeDirectory(id, '/x', alice),
    agents().clearContext(id, alice),
    agents().interrupt(id, alice),
    agents().usage(id),
    agents().logs(id, 5),
    agents().work(id),
  ]
  for (const call of [...calls, ...more]) expect(await refusal(call)).toMatchObject({ status: 404 })
})

test('a launch that fails leaves the agent failed, with the reason', async () => {
  const broken = new World({
    clock: new TestClock(),
    mux: (real) => ({ ...real, launch: () => Promise.reject(new Error('no room')) }),
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

test('zsh that is not installed is replaced by bash, with a warning, and stays in the record', async () => {
  const bare = join(world.folder, 'bin')
  mkdirSync(bare)
  for (const program of ['bash', 'tmux', 'sh', 'env', 'id']) {
    const { stdout } = await execa('sh', ['-c', `command -v ${program}`])
    writeFileSync(join(bare, program), `#!/bin/sh\nexec ${stdout} "$@"\n`, { mode: 0o755 })
  }
  const small = new World({ clock: new TestClock(), env: { PATH: bare } })
  try {
    const other = await small.open()
    const agent = await other.create({ shell: 'zsh' })
    expect(agent).toMatchObject({
      status: 'running',
      config: { shell: 'zsh' },
      warnings: ['zsh is not installed: bash is used in its place'],
    })
  } finally {
    await small.close()
  }
})

const asRoot = process.getuid?.() === 0
// Only root can start a process as somebody else without being asked for a password.
;(asRoot ? test : () => undefined)(
  'an agent of another OS user runs as that user, with a launch file only it can read',
  async () => {
    const open = new World({ clock: new TestClock() })
    try {
      // The idle bridge must be readable by that user, too.
      await execa('chmod', ['755', open.folder, open.work])
      const other = await open.open()
      const agent = await other.create({ user: 'nobody' })
      expect(agent).toMatchObject({ status: 'running', last_error: null })
      const { pid } = (await open.mux.get(agent.mux_session))!
      const child = await eventually(
        async () =>
          (await execa('pgrep', ['-P', String(pid)], { reject: false })).stdout ||
          (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('idle-bridge') ? String(pid) : undefined),
      )
      await eventually(() => statSync(`/proc/${child.split('\n')[0]}`).uid !== 0)
      const row = await other.db('orchestrator_agents').where({ id: agent.id }).first()
      expect(statSync(row.launch_file)).toMatchObject({ uid: statSync(`/proc/${child.split('\n')[0]}`).uid })
      expect(statSync(row.launch_file).mode & 0o777).toBe(0o600)
      await other.orchestrator.agents.terminate(agent.id, alice)
      expect(existsSync(row.launch_file)).toBe(false)
    } finally {
      await open.close()
    }
  },
)

test('a terminated agent is stopped, its session and launch file gone, its record kept', async () => {
  const { id, mux_session } = await house.create()
  const { pid } = (await world.mux.get(mux_session))!
  expect(await agents().terminate(id, alice)).toMatchObject({ id, status: 'stopped', last_error: null })
  expect(await world.mux.get(mux_session)).toBeNull()
  expect(existsSync(join(world.launchFolder, `${id}.json`))).toBe(false)
  await eventually(() => !existsSync(`/proc/${pid}`))
  expect(await agents().terminate(id, alice)).toMatchObject({ status: 'stopped' })
  expect(await agents().list({ status: 'stopped' })).toEqual(expect.arrayContaining([expect.objectContaining({ id })]))
  expect(await house.orchestrator.audit.latest('agents', id, 'status')).toMatchObject({
    actor: 'alice',
    requestId: 'req-1',
    endpoint: 'TEST',
  })
})

test('a restart keeps the id and takes a new process and a new secret', async () => {
  const { id, agent } = await house.createConnected()
  const before = await world.launchFile(id)
  const { pid } = (await world.mux.get(`svc-orch-${id}`))!
  expect(await agents().restart(id, alice)).toMatchObject({ id, status: 'running', restarts: 1, connected: false })
  expect((await world.mux.get(`svc-orch-${id}`))!.pid).not.toBe(pid)
  const after = await world.launchFile(id)
  expect(after.token).not.toBe(before.token)
  expect(await house.orchestrator.sockets.admit(id, before.token)).toBe(false)
  expect(await house.orchestrator.sockets.admit(id, after.token)).toBe(true)
  await eventually(() => agent.closeCode === 4001)
})

test('only the secret of the current launch opens the agent socket', async () => {
  const { id } = await house.create()
  const { token } = await world.launchFile(id)
  const { sockets } = house.orchestrator
  expect(await sockets.admit(id, token)).toBe(true)
  expect(await sockets.admit(id, `${token}x`)).toBe(false)
  expect(await sockets.admit(id, null)).toBe(false)
  expect(await sockets.admit(randomUUID(), token)).toBe(false)
  await agents().terminate(id, alice)
  expect(await sockets.admit(id, token)).toBe(false)
})

test('a purged agent leaves neither record, launch file nor clean worktree', async () => {
  const repository = join(world.folder, 'repository')
  mkdirSync(repository)
  const git = (...args: string[]) =>
    execa('git', ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args])
  await git('init', '-q', '-b', 'main')
  await git('commit', '-q', '--allow-empty', '-m', 'one')
  const clean = await house.create({ name: 'clean', working_dir: repository, worktree: true })
  const tree = join(world.folder, 'worktrees', `clean-${clean.id.slice(0, 8)}`)
  expect((await world.launchFile(clean.id)).directory).toBe(tree)
  expect(existsSync(tree)).toBe(true)
  await agents().purge(clean.id, alice)
  expect(existsSync(tree)).toBe(false)
  expect(await refusal(agents().get(clean.id))).toMatchObject({ status: 404 })
  expect(await house.orchestrator.audit.latest('agents', clean.id, '')).toMatchObject({ actor: 'alice' })

  const dirty = await house.create({ name: 'dirty', working_dir: repository, worktree: true })
  const kept = join(world.folder, 'worktrees', `dirty-${dirty.id.slice(0, 8)}`)
  writeFileSync(join(kept, 'unsaved'), 'work')
  await agents().purge(dirty.id, alice)
  expect(existsSync(join(kept, 'unsaved'))).toBe(true)
})

test('a patch changes only what it names, says whether a restart is needed, and keeps masked secrets', async () => {
  const { id } = await house.create({ env: { A: 'one', B: 'two' } })
  expect(await agents().patch(id, { prompt: 'again', name: 'renamed' }, alice)).toMatchObject({
    name: 'renamed',
    requires_restart: false,
    config: { prompt: 'again' },
  })
  expect(await agents().patch(id, { config: { env: { A: '***', C: 'three' } } }, alice)).toMatchObject({
    requires_restart: true,
    config: { env: { A: '***', B: '***', C: '***' } },
  })
  const { env } = await agents().spec(id)
  expect(Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.reveal()]))).toEqual({
    A: 'one',
    B: 'two',
    C: 'three',
  })
  expect((await agents().get(id)).warnings).toEqual(['a restart is needed to take up env'])
  expect(await refusal(agents().patch(id, { env: { NEW: '***' } }, alice))).toMatchObject({ status: 400 })
  expect(await refusal(agents().patch(id, { working_dir: '/does/not/exist' }, alice))).toMatchObject({ status: 422 })
  const removal: Record<string, any> = { A: null }
  expect(await refusal(agents().patch(id, { tool_policy: { mode: 'allow_list' } }, alice))).toMatchObject({
    status: 400,
  })
  expect(
    await agents().patch(
      id,
      { tool_policy: { mode: 'allow_list', tools: ['Read'] }, prompt: null, config: { env: removal } },
      alice,
    ),
  ).toMatchObject({
    config: { prompt: null, tool_policy: { mode: 'allow_list', tools: ['Read'] }, env: { B: '***', C: '***' } },
  })
  expect(await agents().patch(id, { tool_policy: { mode: 'deny_list' } }, alice)).toMatchObject({
    config: { tool_policy: { mode: 'deny_list', tools: ['Read'] } },
  })
  expect(await refusal(agents().patch(id, { working_dir: null as never }, alice))).toMatchObject({ status: 400 })
  expect(await agents().restart(id, alice)).toMatchObject({ warnings: [] })
})

test('each changed member has its own row of the audit', async () => {
  const { id } = await house.create({ env: { A: 'one' } })
  const bob = { actor: 'bob', requestId: 'req-2', endpoint: 'PATCH /agents/{id}' }
  await agents().patch(id, { model: 'm', env: { A: 'changed' } }, bob)
  const { audit } = house.orchestrator
  expect(await audit.latest('agents', id, 'model')).toMatchObject({
    actor: 'bob',
    requestId: 'req-2',
    endpoint: 'PATCH /agents/{id}',
  })
  expect(await audit.latest('agents', id, 'env')).toMatchObject({ actor: 'bob' })
  expect(await audit.latest('agents', id, 'env.A')).toMatchObject({ actor: 'bob' })
  expect(await audit.latest('agents', id, 'prompt')).toMatchObject({ actor: 'alice' })
  expect(await audit.latest('agents', id, '')).toMatchObject({ actor: 'bob' })
  expect(await audit.latest('agents', randomUUID(), '')).toBeNull()
})

test('writing what stands there already changes and announces nothing', async () => {
  const { id } = await house.create({ env: { A: 'one' } })
  const before = await agents().get(id)
  house.changes.length = 0
  await agents().replace(id, await agents().spec(id), { ...alice, actor: 'bob' })
  expect(await agents().get(id)).toEqual(before)
  expect(house.changes.filter((change) => change.id === id)).toEqual([])
  expect(await house.orchestrator.audit.latest('agents', id, '')).toMatchObject({ actor: 'alice' })
})

test('directories are added and removed once, take effect with the next start, and must exist', async () => {
  const { id } = await house.create()
  const extra = join(world.folder, 'extra')
  mkdirSync(extra)
  const added = { agent_id: id, additional_dirs: [extra], requires_restart: true }
  expect(await agents().addDirectory(id, extra, alice)).toEqual(added)
  expect(await agents().addDirectory(id, extra, alice)).toEqual(added)
  expect(await refusal(agents().addDirectory(id, '/does/not/exist', alice))).toMatchObject({ status: 422 })
  expect(await refusal(agents().addDirectory(id, '/etc/passwd', alice))).toMatchObject({ status: 422 })
  expect((await world.launchFile(id)).additional_dirs).toEqual([])
  await agents().restart(id, alice)
  expect((await world.launchFile(id)).additional_dirs).toEqual([extra])
  const removed = { agent_id: id, additional_dirs: [], requires_restart: true }
  expect(await agents().removeDirectory(id, extra, alice)).toEqual(removed)
  expect(await agents().removeDirectory(id, extra, alice)).toEqual(removed)
})

test('an interactive agent has a session and takes no messages', async () => {
  const { id } = await house.create({ interactive: true })
  expect(await refusal(agents().message(id, 'hello', alice))).toMatchObject({
    status: 400,
    message: expect.stringContaining('interactive'),
  })
  house.tick(120_000)
  expect(await agents().get(id)).toMatchObject({ status: 'running' })
})

test('the agent command of the configuration takes the place of claude', async () => {
  const other = await world.open({ agentCommand: 'npx claude' })
  const { id } = await other.create({ runtime: 'claude-code' })
  expect((await world.launchFile(id)).command).toEqual(['npx', 'claude'])
  const own = await other.create({ runtime: 'claude-code', command: ['/opt/claude'] })
  expect((await world.launchFile(own.id)).command).toEqual(['/opt/claude'])
  await other.orchestrator.agents.purge(id, alice)
  await other.orchestrator.agents.purge(own.id, alice)
  await other.stop()
})

test('a write that the database refuses changes nothing and starts nothing', async () => {
  const agent = await house.create()
  const sessions = (await world.mux.list()).length
  await house.db.raw('PRAGMA query_only = ON')
  try {
    expect(await refusal(house.create())).toMatchObject({ status: 503 })
    expect(await refusal(agents().setPolicy(agent.id, { mode: 'deny_all' }, alice))).toMatchObject({ status: 503 })
  } finally {
    await house.db.raw('PRAGMA query_only = OFF')
  }
  expect((await world.mux.list()).length).toBe(sessions)
  expect(await agents().get(agent.id)).toEqual(agent)
})

test('figures count agents by status and connections', async () => {
  const figures = await house.orchestrator.figures()
  expect(figures.agents_created_total).toBeGreaterThan(5)
  expect(figures.agents_by_status.pending).toBe(0)
  expect(figures.agents_by_status.failed).toBe((await agents().list({ status: 'failed' })).length)
  expect(figures.agents_by_status.running).toBe((await agents().list({ status: 'running' })).length)
  expect(figures.websocket_connections_active).toBe(house.orchestrator.sockets.connected)
})
