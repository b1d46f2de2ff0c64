import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { ask as askAt } from '../../../support/http.ts'
import { SERVED, signIn, startGateway, type GatewayStand } from '../stand.ts'
import { LiveSocket } from './live-client.ts'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const OPERATOR = { 'x-svc-actor': 'operator' }
const sockets: LiveSocket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})

async function openAs(stand: GatewayStand, headers: Record<string, string>): Promise<LiveSocket> {
  const socket = await LiveSocket.open(stand.host.urls.gateway!, headers)
  sockets.push(socket)
  return socket
}

describe('without tokens', () => {
  let stand: GatewayStand
  beforeAll(async () => {
    const env = { SVC_COLLECTION_INTERVAL_SECS: '1' }
    stand = await startGateway({ env, served: [...SERVED, 'monitor', 'ask'] })
  })
  afterAll(() => stand.close())

  const open = (headers = {}) => openAs(stand, { ...OPERATOR, ...headers })
  const ask = (method: string, service: string, path: string, body?: unknown) =>
    askAt(method, stand.host.urls[service]! + path, body, OPERATOR)
  const room = async (name: string): Promise<string> =>
    (await ask('POST', 'communicate', '/rooms', { name, created_by: 'mira' })).body.id

  const apply = async (path: string, content: string): Promise<void> => {
    const response = await fetch(`${stand.host.urls.controller!}/apply`, {
      method: 'POST',
      headers: { ...OPERATOR, 'content-type': 'application/json' },
      body: JSON.stringify({ manifests: [{ path, content }] }),
    })
    await response.text()
  }

  test('sends the messages, participants and fields of a room', async () => {
    const id = await room('team')
    const topic = `room/${id}`
    const socket = await open()
    await socket.subscribe(topic)
    const { body: said } = await ask('POST', 'communicate', '/rooms/team/messages', {
      sender_id: 'mira',
      content: 'Hello',
    })
    await socket.next(topic, (item) => item?.content === 'Hello')
    await ask('DELETE', 'communicate', `/messages/${said.id as string}`)
    await socket.next(topic, (item, of) => item === null && of === `messages/${said.id as string}`)
    await ask('POST', 'communicate', '/rooms/team/participants', { identifier: 'ben', kind: 'human' })
    await socket.next(topic, (item, of) => of === 'participants/ben' && item.role === 'member')
    await ask('PATCH', 'communicate', '/rooms/team', { topic: 'news' })
    await socket.next(topic, (item, of) => of === `rooms/${id}` && item.topic === 'news')
    await ask('DELETE', 'communicate', '/rooms/team')
    await socket.next(topic, (item, of) => of === `rooms/${id}` && item === null)
  })

  test('asks for the id of a room that is named', async () => {
    const id = await room('named')
    const socket = await open()
    const { error } = await socket.subscribe('room/named')
    expect(error).toMatchObject({ code: 'not-found', message: expect.stringContaining(id) })
    expect(await socket.subscribe('room/00000000-0000-4000-8000-000000000000')).toMatchObject({
      error: { code: 'not-found' },
    })
  })

  test('sends an agent, its transcript, and its workflows', async () => {
    const socket = await open()
    for (const topic of ['agents', 'workflows']) await socket.subscribe(topic)
    const spec = { name: 'ann', runtime: 'scripted', working_dir: '/tmp', shell: 'bash' }
    const tool_policy = { mode: 'require_approval' }
    const { id } = (await ask('POST', 'orchestrator', '/agents', { ...spec, tool_policy })).body
    await socket.next('agents', (item, of) => of === id && item.connected)
    const topic = `agent/${id as string}`
    await socket.subscribe(topic)
    const content = 'USE_TOOL Bash true'
    await ask('POST', 'orchestrator', `/agents/${id as string}/message`, { content })
    // Until the decision: a shorter turn may end before the record is read.
    await socket.next('agents', (item, of) => of === id && item.activity === 'busy')
    const { item: turn } = await socket.next(topic, (item) => item?.type === 'turn')
    expect(turn).toMatchObject({ kind: 'message', text: content })
    const { item: asked } = await socket.next(topic, (item) => item?.type === 'approval')
    await ask('POST', 'orchestrator', `/approvals/${(asked as any).approval_id as string}/approve`, {})
    const result = await socket.next(topic, (item) => item?.type === 'result')
    const { items } = (await ask('GET', 'orchestrator', `/agents/${id as string}/transcript`)).body
    expect(items.find((item: any) => item.id === result.id)).toEqual(result.item)
    const trigger = { type: 'manual' }
    const workflow = { name: 'build', agent_id: id, trigger_config: trigger, prompt_template: '{{title}}' }
    const made = await ask('POST', 'orchestrator', '/workflows', workflow)
    expect(made.status).toBe(201)
    await socket.next('workflows', (item, of) => of === made.body.id && item.name === 'build')
    await ask('DELETE', 'orchestrator', `/workflows/${made.body.id as string}`)
    await socket.next('workflows', (item, of) => of === made.body.id && item === null)
    await ask('DELETE', 'orchestrator', `/agents/${id as string}?purge=true`)
    await socket.next('agents', (item, of) => of === id && item === null)
    await eventually(() => socket.frames.some((frame) => frame.topic === topic && frame.error?.code === 'not-found'))
  })

  test('sends the resources, runs and drift of the controller', async () => {
    const socket = await open()
    for (const topic of ['state', 'runs', 'drift', 'inbox']) await socket.subscribe(topic)
    await apply('rooms/plaza.yml', 'name: plaza\ntopic: one\n')
    await socket.next('state', (item, of) => of === 'rooms/plaza' && item.live_id)
    const run = await socket.next('runs', (item, of) => of.startsWith('runs/') && item.status === 'succeeded')
    const step = `steps/${run.id.slice('runs/'.length)}/0`
    await socket.next('runs', (item, of) => of === step && item.action === 'create' && item.status === 'done')
    await ask('PATCH', 'communicate', '/rooms/plaza', { topic: 'two' })
    await socket.next('drift', (item) => item.name === 'plaza' && item.path === 'topic' && item.resolution === null)
    await socket.next('inbox', (item, of) => of === 'drift/rooms/plaza' && item.items.length === 1)
    await ask('PATCH', 'communicate', '/rooms/plaza', { topic: 'one' })
    await socket.next('inbox', (item, of) => of === 'drift/rooms/plaza' && item === null)
  })

  test('names the manifest of an agent', async () => {
    const socket = await open()
    await socket.subscribe('agents')
    const content = 'name: eve\nruntime: scripted\nworking_dir: /tmp\nshell: bash\n'
    await apply('agents/eve.yml', content)
    const { id, item } = await socket.next('agents', (each) => each?.managed_by && each.connected)
    expect(item).toMatchObject({ name: 'eve', managed_by: { file: 'agents/eve.yml', line: 1 } })
    expect((await ask('GET', 'orchestrator', `/agents/${id}`)).body).toMatchObject({
      managed_by: (item as any).managed_by,
    })
    await apply('agents/eve.yml', `# moved\n${content}`)
    await socket.next('agents', (each, of) => of === id && each?.managed_by?.line === 2)
  })

  test('sends the items of the inbox by group', async () => {
    const socket = await open()
    await socket.subscribe('inbox')
    const asked = { source: { AgentHook: { agent_id: 'a', hook_type: 'x' } }, title: 'Go?', message: 'Now?' }
    const made = await ask('POST', 'notify', '/notifications', {
      ...asked,
      priority: 'High',
      lifetime: 'Persistent',
      requires_response: true,
    })
    expect(made.status).toBe(201)
    const group = `notification/${made.body.id as string}`
    const { item } = await socket.next('inbox', (each, of) => of === group && each)
    const { body: inbox } = await ask('GET', 'gateway', '/inbox')
    expect(item).toEqual({ items: inbox.items.filter((each: { id: string }) => each.id === group), missing: [] })
    await ask('PUT', 'notify', `/notifications/${made.body.id as string}`, { response: 'yes' })
    await socket.next('inbox', (each, of) => of === group && each === null)
  })

  test('sends the figures of the machine without a position', async () => {
    const socket = await open()
    await socket.subscribe('machine')
    const { seq, id } = await socket.next('machine', (item) => item.collected_at)
    expect([seq, id]).toEqual([null, 'machine'])
    expect((await socket.subscribe('machine', '000000000000:1:1')).error).toBeUndefined()
  })

  test('ticks every 5 seconds with the position of all topics', async () => {
    const socket = await open()
    await socket.subscribe('runs')
    const tick = await eventually(() => socket.frames.find((frame) => frame.tick && frame.seq))
    expect(tick).toEqual({ tick: expect.any(Number), at: expect.any(String), seq: expect.stringMatching(/:\d+$/) })
  })

  test('closes the socket of a malformed or too large frame', async () => {
    for (const [frame, code] of [
      ['{', 1007],
      ['x'.repeat(5000), 1009],
    ] as const) {
      const socket = await open()
      socket.say(frame)
      expect(await socket.ended()).toBe(code)
    }
    await expect(open({ origin: 'http://evil.example' })).rejects.toThrow('403')
  })

  test('disconnects a slow reader and counts it', async () => {
    const topic = `room/${await room('long')}`
    const [slow, quick] = [await open(), await open()]
    await slow.subscribe(topic)
    await quick.subscribe(topic)
    slow.pause()
    const dropped = async () => {
      const text = await (await fetch(`${stand.host.urls.gateway!}/metrics`)).text()
      return Number(/^stream_readers_dropped_total (\d+)/m.exec(text)![1])
    }
    const content = 'x'.repeat(60_000)
    await eventually(async () => {
      await Promise.all(
        Array.from({ length: 20 }, () =>
          ask('POST', 'communicate', '/rooms/long/messages', { sender_id: 'mira', content }),
        ),
      )
      return (await dropped()) > 0
    })
    expect(await dropped()).toBe(1)
    expect(quick.closed).toBeNull()
  })
})

describe('with tokens', () => {
  const ROLES = { olga: 'operator', vera: 'viewer' } as const
  let stand: GatewayStand
  beforeAll(async () => {
    stand = await startGateway({ tokens: ROLES })
  })
  afterEach(() => stand.setTokens(ROLES))
  afterAll(() => stand.close())

  const bearer = (subject: string) => ({ authorization: `Bearer t-${subject}` })
  const open = (headers = {}) => openAs(stand, headers)
  const createRoom = async (name: string, created_by: string): Promise<string> => {
    const made = await stand.send('POST /api/communicate/rooms', bearer('olga'), { name, created_by })
    return made.body.id
  }

  test('refuses a connection without a token', async () => {
    await expect(open()).rejects.toThrow('401')
    await expect(open({ authorization: 'Bearer wrong' })).rejects.toThrow('401')
  })

  test('accepts the cookie of a session only with its key', async () => {
    const { origin, cookie, key } = { ...(await signIn(stand, 'olga')), origin: stand.origin }
    const headers = { origin, cookie }
    const socket = await open(headers)
    socket.say({ key })
    expect(await socket.subscribe('agents')).toMatchObject({ seq: expect.any(String) })
    for (const first of [{ key: 'wrong' }, { subscribe: true, topic: 'agents' }]) {
      const other = await open(headers)
      other.say(first)
      expect(await other.ended()).toBe(4401)
      expect(other.frames).toEqual([])
    }
    await expect(open({ origin })).rejects.toThrow('401')
  })

  test('opens a room to its participants and to operators', async () => {
    const id = await createRoom('kitchen', 'olga')
    const viewer = await open(bearer('vera'))
    expect(await viewer.subscribe('agents')).toMatchObject({ seq: expect.any(String) })
    expect(await viewer.subscribe(`room/${id}`)).toMatchObject({ error: { code: 'forbidden' } })
    const operator = await open(bearer('olga'))
    expect(await operator.subscribe(`room/${id}`)).toMatchObject({ seq: expect.any(String) })
  })

  test('ends a room when the role of the token changes', async () => {
    const topic = `room/${await createRoom('others', 'vera')}`
    const socket = await open(bearer('olga'))
    await socket.subscribe(topic)
    stand.setTokens({ ...ROLES, olga: 'viewer' })
    const ended = await eventually(() => socket.frames.find((frame) => frame.topic === topic && frame.error))
    expect(ended.error.code).toBe('forbidden')
    expect(socket.closed).toBeNull()
  })

  test('closes the sockets of a token that is revoked', async () => {
    const { cookie, key } = await signIn(stand, 'olga')
    const [own, page] = [await open(bearer('olga')), await open({ cookie, origin: stand.origin })]
    page.say({ key })
    await page.subscribe('agents')
    stand.setTokens({ vera: 'viewer' })
    expect([await own.ended(), await page.ended()]).toEqual([4401, 4401])
  })
})
