import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../../platform/database/database.ts'
import type { AgentRecord } from '../../../schemas/agent.ts'
import type { Message } from '../../../schemas/communicate/message.ts'
import type { Participant } from '../../../schemas/communicate/room.ts'
import { times } from '../campaign.ts'
import { eventually } from '../../support/eventually.ts'
import { ask } from '../../support/http.ts'
import { bin } from '../../support/built.ts'
import { tmuxSocket } from '../../support/tmux-server.ts'
import { ownPorts } from '../../support/ports.ts'

type Name = 'communicate' | 'orchestrator'

const MESSAGES = times(1000)
const PATIENCE_MS = 60_000
const ANSWERS_MS = 240_000

let home: string
let muxSocket: string
let ports: Record<Name, number>
const running = new Map<Name, ChildProcess>()

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'svc-kill-'))
  muxSocket = tmuxSocket()
  const [communicate, orchestrator] = (await ownPorts(2)) as [number, number]
  ports = { communicate, orchestrator }
  for (const name of ['communicate', 'orchestrator'] as const) await start(name)
})
afterEach(async () => {
  for (const name of running.keys()) await kill(name)
  await execa('tmux', ['-L', muxSocket, 'kill-server'], { reject: false })
  rmSync(home, { recursive: true, force: true })
})

const urlOf = (name: Name) => `http://127.0.0.1:${ports[name]}`

async function start(name: Name): Promise<void> {
  const child = spawn(bin('svc'), ['serve', name], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: home,
      SVC_DATA_DIR: join(home, name),
      SVC_MUX_SOCKET: muxSocket,
      [`SVC_${name.toUpperCase()}_PORT`]: String(ports[name]),
      SVC_COMMUNICATE_URL: urlOf('communicate'),
      // Shared, so that the daemons know each other as services.
      SVC_SERVICE_TOKEN_FILE: join(home, 'service-token'),
      SVC_COMMUNICATE_SENDS_PER_SEC: '10000',
    },
  })
  running.set(name, child)
  await eventually(async () => (await fetch(`${urlOf(name)}/health`)).ok, PATIENCE_MS, 50)
}

async function kill(name: Name): Promise<void> {
  const child = running.get(name)!
  running.delete(name)
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function request<T = any>(name: Name, method: string, path: string, body?: unknown): Promise<T> {
  const reply = await ask<T>(method, urlOf(name) + path, body, { 'x-svc-actor': 'operator' })
  if (reply.status > 299) throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply.body
}

async function say(content: string): Promise<void> {
  const body = { sender_id: 'mira', content, message_id: randomUUID() }
  await eventually(() => request<Message>('communicate', 'POST', '/rooms/team/messages', body), PATIENCE_MS, 20)
}

async function agentInRoom(): Promise<AgentRecord> {
  await request('communicate', 'POST', '/rooms', { name: 'team', created_by: 'mira' })
  const spec = { name: 'ann', runtime: 'scripted', working_dir: '/tmp', shell: 'bash', rooms: ['team'] }
  const agent = await request<AgentRecord>('orchestrator', 'POST', '/agents', spec)
  await eventually(async () => {
    const there = await request<Participant[]>('communicate', 'GET', '/rooms/team/participants')
    return there.some(({ identifier }) => identifier === agent.id)
  }, PATIENCE_MS)
  return agent
}

async function storedMessages(): Promise<Message[]> {
  const all: Message[] = []
  for (;;) {
    const after = all.length === 0 ? '' : `?after=${all.at(-1)!.id}`
    const page = await request<Message[]>('communicate', 'GET', `/rooms/team/messages${after}`)
    if (page.length === 0) return all
    all.push(...page)
  }
}

async function promptsOf(id: string): Promise<string[]> {
  const db = openDatabase(`sqlite:${join(home, 'orchestrator', 'svc.db')}`, { readOnly: true })
  try {
    return await db('orchestrator_prompts').where({ agent_id: id }).orderBy('seq').pluck('content')
  } finally {
    await db.destroy()
  }
}

test.each([[['communicate']], [['orchestrator']], [['orchestrator', 'communicate']]] as [Name[]][])(
  'delivers and answers each message once over kills of %j',
  async (victims) => {
    const agent = await agentInRoom()
    const texts = Array.from({ length: MESSAGES }, (_each, at) => `m${at}`)
    let said = 0
    const saying = (async () => {
      for (const text of texts) {
        await say(text)
        said++
      }
    })()
    for (const share of [0.3, 0.6]) {
      await eventually(() => said >= MESSAGES * share, PATIENCE_MS)
      await Promise.all(victims.map(kill))
      await Promise.all(victims.map(start))
    }
    await saying
    const people = (await storedMessages())
      .filter(({ sender_kind }) => sender_kind === 'human')
      .map(({ content }) => content)
    expect(people).toEqual(texts)
    await eventually(async () => (await promptsOf(agent.id)).length >= MESSAGES, ANSWERS_MS, 200)
    expect(await promptsOf(agent.id)).toEqual(texts.map((text) => `[Room: team] mira (human): ${text}`))
    await eventually(async () => (await storedMessages()).length >= 2 * MESSAGES, ANSWERS_MS, 500)
    expect(await storedMessages()).toHaveLength(2 * MESSAGES)
    const answered = (await storedMessages()).flatMap(({ reply_to }) => reply_to ?? [])
    expect(new Set(answered).size).toBe(MESSAGES)
  },
  420_000,
)
