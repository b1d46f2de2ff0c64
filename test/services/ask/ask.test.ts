// Runs four services as processes on real ports; failure cases restart a service as a daemon in this process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startDaemon } from '../../../daemon/index.ts'
import { readConfig } from '../../../platform/core/config.ts'
import { noLog } from '../../../platform/core/log/log.ts'
import type { Question } from '../../../schemas/ask/question.ts'
import type { Notification } from '../../../schemas/notify/notification.ts'
import { eventually } from '../../support/eventually.ts'
import { ask as askUrl } from '../../support/http.ts'
import { portsAt } from '../../support/ports.ts'
import { bin } from '../../support/built.ts'
import { tmuxSocket } from '../../support/tmux-server.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const home = mkdtempSync(join(tmpdir(), 'svc-four-'))
const socket = tmuxSocket()
/** By service name: `notify`, `wrap`, `ask`, `monitor`. */
const running = new Map<string, { url: string; stop(): Promise<unknown> }>()

/** Gives each service its own data folder and database. */
function environment(service: string, env: Record<string, string>): Record<string, string> {
  const data = join(home, service)
  mkdirSync(data, { recursive: true })
  return {
    PATH: process.env.PATH!,
    HOME: home,
    SHELL: '/bin/sh',
    SVC_DATA_DIR: data,
    SVC_USER_MUX_SOCKET: socket,
    ...portsAt(0),
    ...Object.fromEntries([...running].map(([each, { url }]) => [`SVC_${each.toUpperCase()}_URL`, url])),
    ...env,
  }
}

/** Runs `svc serve NAME` as a separate process. */
async function serveAsProcess(service: string): Promise<void> {
  const env = environment(service, {})
  const child = spawn(bin('svc'), ['serve', service], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const file = join(env.SVC_DATA_DIR!, 'runtime.json')
  const runtime = await eventually(() => {
    if (child.exitCode !== null) throw new Error(`${service} ended: ${said}`)
    const found = existsSync(file) && JSON.parse(readFileSync(file, 'utf8'))
    return found && found.pid === child.pid && found
  }, 30_000)
  const end = async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  running.set(service, { url: runtime.services[service] as string, stop: end })
}

async function serve(service: string, env: Record<string, string> = {}): Promise<void> {
  const config = readConfig(environment(service, env))
  const daemon = await startDaemon({ config, services: [service], manifests: null, version: '9.9.9', log: noLog })
  running.set(service, { url: daemon.urls[service]!, stop: () => daemon.stop() })
}

async function stop(name: string): Promise<void> {
  const { stop: end } = running.get(name)!
  running.delete(name)
  await end()
}
const url = (name: string) => running.get(name)!.url
const send = <T = any>(name: string, request: string, body?: unknown) => {
  const [method, path] = request.split(' ') as [string, string]
  return askUrl<T>(method, url(name) + path, body)
}
const tmux = (...args: string[]) => execa('tmux', ['-L', socket, ...args], { reject: false })

beforeAll(async () => {
  for (const service of ['notify', 'wrap', 'monitor', 'ask']) await serveAsProcess(service)
})
afterEach(() => tmux('kill-server'))
afterAll(async () => {
  for (const name of running.keys()) await stop(name)
  await tmux('kill-server')
  rmSync(home, { recursive: true, force: true })
})

/** Restarts `ask`, which clears its cooldown. */
async function restartAsk(env: Record<string, string> = {}): Promise<void> {
  if (running.has('ask')) await stop('ask')
  await serve('ask', env)
}

const notification = async (id: string) => (await send<Notification>('notify', `GET /notifications/${id}`)).body
const pending = async () => (await send<Question[]>('ask', 'GET /questions?status=Pending')).body

test('asks by notification and starts a session on a yes', async () => {
  expect((await send('ask', 'GET /health')).body).toMatchObject({
    status: 'ok',
    service: 'svc-ask',
    version: expect.any(String),
    notification_service_url: url('notify'),
  })
  const { status, body } = await send('ask', 'POST /trigger')
  expect([status, body]).toEqual([
    200,
    {
      checks_run: ['mux_sessions'],
      notifications_sent: [expect.any(String)],
      results: { mux_sessions: { running: false, session_count: 0 } },
    },
  ])
  const [question] = await pending()
  const asked = await notification(body.notifications_sent[0])
  expect(asked).toMatchObject({
    source: { AskService: { request_id: question!.question_id } },
    lifetime: { Ephemeral: { expires_at: question!.expires_at } },
    priority: 'Normal',
    status: 'Pending',
    title: 'Start a mux session?',
    requires_response: true,
  })
  expect(question).toEqual({
    question_id: expect.any(String),
    notification_id: asked.id,
    check_type: 'mux_sessions',
    question: asked.message,
    status: 'Pending',
    asked_at: expect.any(String),
    expires_at: expect.any(String),
    answer: null,
  })
  expect(Date.parse(question!.expires_at) - Date.parse(question!.asked_at)).toBeLessThanOrEqual(30 * 60_000)

  const answer = { question_id: question!.question_id, answer: 'yes' }
  expect(await send('ask', 'POST /answer', answer)).toEqual({
    status: 200,
    body: { success: true, message: expect.stringContaining('main'), question_id: question!.question_id },
  })
  expect(await notification(asked.id)).toMatchObject({ status: 'Responded', response: 'yes' })
  expect((await tmux('list-sessions', '-F', '#{session_name}')).stdout).toBe('main')
  expect((await send('wrap', 'GET /sessions/main')).body).toMatchObject({ launched: true, agent_type: 'general' })
  expect((await send('ask', `GET /questions/${question!.question_id}`)).body).toMatchObject({
    status: 'Answered',
    answer: 'yes',
  })

  expect(await send('ask', 'POST /answer', answer)).toMatchObject({ status: 410, body: { title: 'Gone' } })
  expect((await send('ask', 'POST /trigger')).body).toEqual({
    checks_run: ['mux_sessions'],
    notifications_sent: [],
    results: { mux_sessions: { running: true, session_count: 1, sessions: ['main'] } },
  })
})

test('asks once per cooldown, which a restart clears', async () => {
  await restartAsk()
  expect((await send('ask', 'POST /trigger')).body.notifications_sent).toHaveLength(1)
  expect((await send('ask', 'POST /trigger')).body).toMatchObject({
    notifications_sent: [],
    results: { mux_sessions: { running: false } },
  })
  await restartAsk()
  expect((await send('ask', 'POST /trigger')).body.notifications_sent).toHaveLength(1)
})

test('asks once for concurrent triggers', async () => {
  await restartAsk()
  const replies = await Promise.all(Array.from({ length: 5 }, () => send('ask', 'POST /trigger')))
  expect(replies.flatMap(({ body }) => body.notifications_sent)).toHaveLength(1)
})

test('expires the question after the cooldown, rejects its answer, asks again', async () => {
  await restartAsk({ SVC_ASK_COOLDOWN_SECS: '1' })
  await send('ask', 'POST /trigger')
  const question = (await pending())[0]!
  await eventually(async () => (await send('ask', `GET /questions/${question.question_id}`)).body.status === 'Expired')
  const answer = { question_id: question.question_id, answer: 'yes' }
  expect((await send('ask', 'POST /answer', answer)).status).toBe(410)
  expect((await tmux('list-sessions')).stdout).toBe('')
  expect((await send('ask', 'POST /trigger')).body.notifications_sent).toHaveLength(1)
})

test('records a no and starts nothing', async () => {
  await restartAsk()
  const { body } = await send('ask', 'POST /trigger')
  const { question_id } = (await pending()).find((each) => each.notification_id === body.notifications_sent[0])!
  expect((await send('ask', 'POST /answer', { question_id, answer: 'no' })).body).toMatchObject({ success: true })
  expect(await notification(body.notifications_sent[0])).toMatchObject({ status: 'Responded', response: 'no' })
  expect((await tmux('list-sessions')).stdout).toBe('')
})

test('returns 500 without a notification service and asks on the next trigger', async () => {
  await restartAsk()
  const before = url('notify')
  await stop('notify')
  const { status, body } = await send('ask', 'POST /trigger')
  expect([status, body.title]).toEqual([500, 'Internal Error'])
  expect(body.detail).toContain(`the notify service does not answer at ${before}`)
  await serve('notify', { SVC_NOTIFY_PORT: new URL(before).port })
  expect((await send('ask', 'POST /trigger')).body.notifications_sent).toHaveLength(1)
})

test('returns 500 for an answer that cannot be forwarded, accepts it later', async () => {
  await restartAsk()
  const { body } = await send('ask', 'POST /trigger')
  const { question_id } = (await pending()).find((each) => each.notification_id === body.notifications_sent[0])!
  const port = new URL(url('notify')).port
  await stop('notify')
  expect((await send('ask', 'POST /answer', { question_id, answer: 'no' })).status).toBe(500)
  await serve('notify', { SVC_NOTIFY_PORT: port })
  expect((await send('ask', 'POST /answer', { question_id, answer: 'no' })).status).toBe(200)
})

test('returns 500 with an install hint if tmux is missing', async () => {
  const tools = join(home, 'tools')
  mkdirSync(tools)
  symlinkSync(process.execPath, join(tools, 'node'))
  symlinkSync('/bin/sh', join(tools, 'sh'))
  await restartAsk({ PATH: tools })
  const { status, body } = await send('ask', 'POST /trigger')
  expect([status, body.code]).toEqual([500, 'program-missing'])
  expect(body.detail).toContain('apt-get install tmux')
})

test('records a yes whose action fails and reports the reason', async () => {
  await restartAsk()
  const { body } = await send('ask', 'POST /trigger')
  const { question_id } = (await pending()).find((each) => each.notification_id === body.notifications_sent[0])!
  const port = new URL(url('wrap')).port
  await stop('wrap')
  const reply = await send('ask', 'POST /answer', { question_id, answer: 'yes' })
  await serve('wrap', { SVC_WRAP_PORT: port })
  expect(reply).toMatchObject({ status: 200, body: { success: false, question_id } })
  expect(reply.body.message).toContain('the wrap service does not answer')
  expect((await send('ask', `GET /questions/${question_id}`)).body.status).toBe('Answered')
})

test('returns 404 for an unknown question, 400 for a missing one', async () => {
  const question_id = '5f0c1c1e-8f0d-4b8e-9d5c-0f2b6f3f9a11'
  expect((await send('ask', 'POST /answer', { question_id, answer: 'yes' })).status).toBe(404)
  expect((await send('ask', 'POST /answer', { answer: 'yes' })).status).toBe(400)
  expect((await send('ask', 'POST /answer', { question_id: 'x', answer: 'yes' })).status).toBe(400)
  expect((await send('ask', `GET /questions/${question_id}`)).status).toBe(404)
})

test('accepts an answer after the notification was deleted', async () => {
  await restartAsk()
  const { body } = await send('ask', 'POST /trigger')
  const { question_id } = (await pending()).find((each) => each.notification_id === body.notifications_sent[0])!
  await send('notify', `DELETE /notifications/${body.notifications_sent[0]}`)
  expect((await send('ask', 'POST /answer', { question_id, answer: 'no' })).body).toMatchObject({ success: true })
})
