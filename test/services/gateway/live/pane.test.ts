// The live topic of an agent's terminal, in a real tmux.
import { execFile } from 'node:child_process'
import { appendFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { startGateway, type GatewayStand } from '../stand.ts'
import { LiveSocket } from './live-client.ts'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const run = promisify(execFile)
const AGENTS = '/api/orchestrator/agents'
let stand: GatewayStand
let socket: LiveSocket
beforeAll(async () => {
  stand = await startGateway({ tokens: { olga: 'operator', vera: 'viewer' } })
  socket = await LiveSocket.open(stand.host.urls.gateway!, bearer('vera'))
})
afterAll(async () => {
  socket.close()
  await stand.close()
})

const bearer = (subject: string) => ({ authorization: `Bearer t-${subject}` })
const ask = (request: string, body?: unknown) => stand.send(request, bearer('olga'), body)

async function create(): Promise<{ id: string; topic: string }> {
  const spec = { name: 'ann', runtime: 'scripted', working_dir: '/tmp', shell: 'bash', env: { KEY: 'hunter2hunter2' } }
  const { id } = (await ask(`POST ${AGENTS}`, spec)).body
  return { id, topic: `pane/${id as string}` }
}

/** Writes to the terminal of an agent, as its program does. */
async function show(id: string, text: string): Promise<void> {
  const asked = ['display-message', '-p', '-t', `=svc-orch-${id}:`, '#{pane_tty}']
  const { stdout } = await run('tmux', ['-L', stand.muxSocket, ...asked])
  await appendFile(stdout.trim(), `${text}\r\n`)
}

let made: { id: string; topic: string }
afterEach(() => ask(`DELETE ${AGENTS}/${made.id}?purge=true`))

test('sends the terminal of a running agent as its logs, redacted, and then each change', async () => {
  made = await create()
  const { id, topic } = made
  const [first] = (await socket.subscribe(topic)).items
  expect(first).toMatchObject({ seq: null, id, item: { status: 'running', lines: expect.any(String) } })
  await show(id, 'begin with hunter2hunter2')
  const { item } = await socket.next(topic, ({ lines }) => lines.includes('begin with'))
  expect((item as any).lines).toContain('begin with ***')
  expect((await stand.send(`GET ${AGENTS}/${id}/logs`, bearer('vera'))).body.lines).toBe((item as any).lines)
  await show(id, 'and end')
  await socket.next(topic, ({ lines }) => lines.includes('and end'))
  expect(JSON.stringify(socket.frames)).not.toContain('hunter2')
})

test('sends the last 200 lines', async () => {
  made = await create()
  const { id, topic } = made
  await show(id, Array.from({ length: 300 }, (_, at) => `line ${at}.`).join('\r\n'))
  await socket.subscribe(topic)
  const { item } = await socket.next(topic, ({ lines }) => lines.includes('line 299.'))
  expect((item as any).lines.split('\n')).toHaveLength(200)
})

test('says that an agent has stopped, and ends with a purge', async () => {
  made = await create()
  const { id, topic } = made
  await socket.subscribe(topic)
  await ask(`DELETE ${AGENTS}/${id}`)
  expect(await socket.next(topic, ({ status }) => status === 'stopped')).toEqual({
    seq: null,
    id,
    item: { status: 'stopped', lines: '' },
  })
  await ask(`DELETE ${AGENTS}/${id}?purge=true`)
  const ended = await eventually(() => socket.frames.find((frame) => frame.topic === topic && frame.error))
  expect(ended.error.code).toBe('not-found')
})

test('refuses an unknown agent', async () => {
  for (const id of ['00000000-0000-4000-8000-000000000000', 'ann', ''])
    expect(await socket.subscribe(`pane/${id}`)).toMatchObject({ error: { code: 'not-found' } })
  expect((await socket.subscribe('pane')).error.message).toContain('pane/<id>')
})
