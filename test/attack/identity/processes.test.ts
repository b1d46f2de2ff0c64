// An agent's process is identified whatever it does with its environment, its parents and its connection.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GUARDS } from '../../../schemas/agent/guards.ts'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { root } from '../../support/root.ts'
import { Askers, NOBODY, type Asker } from './asker.ts'

const asRoot = process.getuid!() === 0

let stand: DaemonStand
const askers = new Askers()
let own: Asker
let plain: Asker
let keeper: Asker
let guest: Asker | null = null
let ids: Record<'plain' | 'keeper', string>
let operator: string

beforeAll(async () => {
  stand = await DaemonStand.create()
  await stand.start()
  const made = await stand.svc(['token', 'create', 'ola', '--role', 'operator'])
  expect(made.code, made.stderr).toBe(0)
  operator = made.stdout.trim()
  own = await askers.start()
  const [first, second] = [await inSession('plain'), await inSession('keeper', { may: [...GUARDS] })]
  if (asRoot) guest = (await inSession('guest', { user: 'nobody', working_dir: '/tmp' })).asker
  plain = first.asker
  keeper = second.asker
  ids = { plain: first.id, keeper: second.id }
}, 90_000)
afterAll(async () => {
  await stand.close()
  await askers.close()
})

async function inSession(name: string, more: object = {}, on = stand): Promise<{ id: string; asker: Asker }> {
  const { command, asker } = askers.prepare()
  const body = { name, runtime: 'command', working_dir: on.home, shell: 'bash', command, ...more }
  const made = await on.ask<AgentRecord>('POST', `${on.orchestrator}/agents`, body)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  await asker.ready()
  return { id: made.body.id, asker }
}

/** Detaches the command from its parent's descriptors. */
const APART = '</dev/null >/dev/null 2>&1'
/** Runs a command without the variables of its session. */
const BARE = `env $(env | sed -n 's/^\\(SVC_[A-Z_]*\\)=.*/-u \\1/p')`

describe('an agent without permission', () => {
  const policy = (headers: Record<string, string> = {}) => ({
    method: 'PUT',
    url: `${stand.orchestrator}/policies/of-an-agent`,
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"mode":"allow_all"}',
  })

  test('is identified through its commands, which explain the refusal', async () => {
    for (const command of [
      [join(root, 'bin', 'svc'), 'down'],
      [join(root, 'bin', 'agent'), 'orchestrator', 'delete-agent', 'keeper'],
    ]) {
      const { code, stderr } = await plain.run([process.execPath, ...command, '--url', urlFor(command)])
      expect(code, stderr).toBe(1)
      expect(stderr).toMatch(/agent:plain may not .*(may: \[shutdown\]|may: \[agent\])/)
    }
    const token = await plain.run([
      process.execPath,
      join(root, 'bin', 'svc'),
      'token',
      'create',
      'sly',
      '--role',
      'admin',
    ])
    expect([token.code, token.stderr]).toEqual([1, expect.stringContaining('agent plain may not manage tokens')])
  })

  test('is identified by the claims of its commands outside its session', async () => {
    const env = { SVC_AGENT_ID: ids.plain, SVC_AGENT_NAME: 'plain' }
    const { code, stderr } = await stand.svc(['down'], { env })
    expect([code, stderr]).toEqual([1, expect.stringContaining('agent:plain may not POST /shutdown')])
  })

  test.each([
    ['has no variables', (command: string[]) => `exec env -i ${words(command)}`],
    ['has no variables of its session', (command: string[]) => `exec ${BARE} ${words(command)}`],
    ['has no variables and a session of its own', (command: string[]) => `exec env -i setsid ${words(command)}`],
    ['has left its parent', (command: string[]) => `unset SVC_AGENT_ID; (${words(command)} ${APART} &)`],
    ['has left its parent with nohup', (command: string[]) => `${BARE} nohup ${words(command)} ${APART} &`],
    ['was forked twice', (command: string[]) => `( (${BARE} ${words(command)} ${APART} &) & )`],
    ['has left its parent and session', (command: string[]) => `setsid -f ${words(command)} ${APART}`],
    ['runs in a separate terminal', (command: string[]) => `tmux new-window -d ${words(command)}`],
    [
      'runs in a new session',
      (command: string[]) => `tmux new-session -d -s aside ${words(['env', '-u', 'SVC_AGENT_ID', ...command])}`,
    ],
  ])('is identified when it %s', async (_how, line) => {
    const { command, asker } = askers.prepare()
    // Some stay below the shell.
    void plain.run(['sh', '-c', line(command)])
    await asker.ready()
    // A terminal that the agent opened has no name.
    expectRefused(await asker.http(policy({ 'x-svc-actor': 'operator' })), '(plain|\\?)')
  })

  test.each([
    ['another loopback address', (port: string) => ({ url: `http://127.0.0.1:${port}`, localAddress: '127.0.0.2' })],
    ['an IPv4-mapped address', (port: string) => ({ url: `http://[::ffff:127.0.0.1]:${port}` })],
  ])('is identified over %s', async (_how, over) => {
    const { host, port } = new URL(stand.orchestrator)
    const { url, ...more } = over(port)
    const asked = { ...policy({ host, 'x-svc-actor': 'operator' }), url: `${url}/policies/of-an-agent`, ...more }
    expectRefused(await plain.http(asked))
    expect((await own.http(asked)).status).toBeLessThan(300)
  })

  test('is identified over IPv6', async () => {
    const sixth = await DaemonStand.create({ env: { SVC_BIND: '::1' } })
    try {
      await sixth.start()
      const { asker } = await inSession('plain', {}, sixth)
      expect(sixth.orchestrator).toContain('[::1]')
      const asked = { ...policy({ 'x-svc-actor': 'operator' }), url: `${sixth.orchestrator}/policies/of-an-agent` }
      expectRefused(await asker.http(asked))
      expect((await own.http(asked)).status).toBeLessThan(300)
    } finally {
      await sixth.close()
    }
  }, 60_000)

  test('is identified over a connection that it opened before a fork', async () => {
    const { port } = new URL(stand.orchestrator)
    const head = `PUT /policies/of-an-agent HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Svc-Actor: operator\r\n`
    const text = `${head}Content-Type: application/json\r\nContent-Length: 20\r\nConnection: close\r\n\r\n{"mode":"allow_all"}`
    const send = `env -i sh -c 'printf %s "$0" >&3; cat <&3' "$0"`
    const line = `exec 3<>/dev/tcp/127.0.0.1/${port}; ${send} & exec 3>&-; wait`
    const { stdout, stderr } = await plain.run(['bash', '-c', line, text])
    expect(stdout, stderr).toMatch(/^HTTP\/1.1 403 /)
    expect(stdout).toContain('agent:plain may not')
  })

  test('is identified with the id and the token of an agent that has the permission', async () => {
    const token = (await keeper.env()).SVC_TOOLS_TOKEN!
    const claimed = { 'x-svc-agent': ids.keeper, authorization: `Bearer ${token}` }
    expect((await keeper.http(policy(claimed))).status).toBeLessThan(300)
    expectRefused(await plain.http(policy({ 'x-svc-agent': ids.keeper })))
    expectRefused(await plain.http(policy({ authorization: `Bearer ${token}` })))
    expectRefused(await plain.http(policy(claimed)))
    if (guest) expectRefused(await guest.http(policy(claimed)), 'guest')
  })

  test('is treated as its user after leaving terminal, session and environment', async () => {
    const { command, asker } = askers.prepare()
    await plain.run(['sh', '-c', `env -i setsid -f ${words(command)} ${APART}`])
    await asker.ready()
    expect([200, 201]).toContain((await asker.http(policy())).status)
  })

  test('needs a token for changes when it runs as another user', async () => {
    if (!asRoot) return
    const { asker } = await inSession('of-nobody', { user: 'nobody', working_dir: '/tmp', may: [...GUARDS] })
    const { status, text } = await asker.http(policy())
    expect([status, text]).toEqual([401, expect.stringContaining(`not from uid ${NOBODY}`)])
    const create = { ...policy(), method: 'POST', url: `${stand.orchestrator}/agents`, body: '{"name":"as-root"}' }
    expect((await asker.http(create)).status).toBe(401)
    for (const [service, path, body] of [
      ['orchestrator', `/agents/${ids.plain}/message`, { content: 'hello' }],
      ['docstore', '/memories', { content: 'mine', created_by: 'operator' }],
      ['docstore', '/memories/search', { query: 'mine' }],
      ['docstore', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    ] as const) {
      const url = stand.urls[service]! + path
      const asked = { ...policy({ 'x-svc-actor': 'operator' }), method: 'POST', url, body: JSON.stringify(body) }
      expect((await asker.http(asked)).status, path).toBe(401)
    }
    expect((await asker.http(policy({ authorization: `Bearer ${operator}` }))).status).toBeLessThan(300)
  }, 60_000)

  test('is accepted from the next request after it gets the permission', async () => {
    const agent = `${stand.orchestrator}/agents/${ids.plain}`
    expect((await plain.http(policy())).status).toBe(403)
    expect((await stand.ask('PATCH', agent, { may: ['policy'] })).body).toMatchObject({ requires_restart: false })
    expect([200, 201]).toContain((await plain.http(policy())).status)
    expect((await plain.http({ method: 'DELETE', url: agent })).status).toBe(403)
    expect((await stand.ask('PATCH', agent, { may: null })).body).toMatchObject({ config: { may: [] } })
    expect((await plain.http(policy())).status).toBe(403)
  })
})

function expectRefused({ status, text }: { status: number; text: string }, by = 'plain'): void {
  expect([status, JSON.parse(text)]).toEqual([403, expect.objectContaining({ code: 'agent-may-not' })])
  expect(text).toMatch(new RegExp(`agent:${by} may not`))
}

const words = (command: readonly string[]): string => command.map((word) => `'${word}'`).join(' ')
const urlFor = ([program]: string[]): string => (program!.endsWith('svc') ? stand.controller : stand.orchestrator)
