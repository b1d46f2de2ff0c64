import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { StreamFrame } from '../../../schemas/agent/stream.ts'
import { eventually } from '../../support/eventually.ts'
import { ask, ID, listen } from '../stand.ts'
import { frames, OTHER, serveOrchestratorRoutes } from './stand.ts'

serveOrchestratorRoutes()

describe('sockets', () => {
  const sockets: WebSocket[] = []
  let base: string
  beforeEach(async () => {
    base = `ws://127.0.0.1:${await listen()}`
  })
  afterEach(() => sockets.splice(0).forEach((socket) => socket.terminate()))
  const dial = (path: string, headers: Record<string, string> = {}) => {
    const socket = new WebSocket(base + path, { headers })
    sockets.push(socket.on('error', () => undefined))
    return socket
  }
  const refused = async (socket: WebSocket) =>
    ((await once(socket, 'unexpected-response')) as [unknown, IncomingMessage])[1].statusCode
  const frame = (agent: string): StreamFrame => ({
    agent_id: agent,
    type: 'assistant',
    content: 'hi',
    timestamp: '',
    message: null,
  })

  test('sends frames of every agent at /stream, of one at /stream/{agent_id}', async () => {
    const [all, one] = [dial('/stream'), dial(`/stream/${ID}`)]
    const seen: Record<string, string[]> = { all: [], one: [] }
    all.on('message', (data: Buffer) => seen.all!.push(JSON.parse(data.toString()).agent_id))
    one.on('message', (data: Buffer) => seen.one!.push(JSON.parse(data.toString()).agent_id))
    await Promise.all([once(all, 'open'), once(one, 'open')])
    frames.publish(frame(OTHER))
    frames.publish(frame(ID))
    await eventually(() => seen.all!.length === 2 && seen.one!.length === 1)
    expect(seen).toEqual({ all: [OTHER, ID], one: [ID] })
  })

  test('refuses an unknown agent or malformed id at /stream before the upgrade', async () => {
    expect(await refused(dial(`/stream/${OTHER}`))).toBe(404)
    expect(await refused(dial('/stream/7'))).toBe(400)
    expect(await refused(dial('/stream?since=yesterday'))).toBe(400)
  })

  test('opens /ws for the agent’s own secret, as bearer or query parameter', async () => {
    for (const socket of [dial(`/ws/${ID}`, { authorization: 'Bearer right' }), dial(`/ws/${ID}?token=right`)]) {
      const [data] = await once(socket, 'message')
      expect(String(data)).toBe(`hello ${ID}`)
    }
  })

  test('refuses a wrong secret or agent at /ws before the upgrade', async () => {
    for (const socket of [
      dial(`/ws/${ID}`),
      dial(`/ws/${ID}?token=wrong`),
      dial(`/ws/${OTHER}?token=right`),
      dial('/ws/7?token=right'),
    ])
      expect(await refused(socket)).toBe(401)
  })

  test('answers a plain GET with 400 and the reason', async () => {
    expect(await ask('GET /stream')).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('WebSocket') },
    })
  })
})
