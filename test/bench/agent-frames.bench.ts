// Streams agent output to many readers. Floor: a loop over plain sockets.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { TestMachine } from '../services/orchestrator/harness.ts'
import { compare, medians } from './report.ts'

const READERS = 100
const FRAMES = 500
const ROUNDS = 7

const frameOf = (text: string) => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
  session_id: 'bench',
  uuid: randomUUID(),
})

/** `round` returns the milliseconds until every reader has received every frame. */
async function readersOf(url: string, send: (frame: object) => void) {
  let left = 0
  let done: () => void = () => undefined
  const readers = Array.from({ length: READERS }, () => new WebSocket(url))
  for (const reader of readers)
    reader.on('message', (data: Buffer) => {
      if (String(data).includes('"assistant"') && --left === 0) done()
    })
  await Promise.all(readers.map((reader) => once(reader, 'open')))
  return {
    round: async () => {
      left = READERS * FRAMES
      const all = new Promise<void>((resolve) => (done = resolve))
      const start = performance.now()
      for (let at = 0; at < FRAMES; at++) send(frameOf('Output of the agent. '.repeat(20)))
      await all
      return performance.now() - start
    },
    close: () => {
      for (const reader of readers) reader.terminate()
    },
  }
}

async function bareRelay(agentId: string) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  const watching = new Set<WebSocket>()
  server.on('connection', (socket, { url }) => {
    if (url === '/stream') return void watching.add(socket)
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(String(data)) as ReturnType<typeof frameOf>
      const said = { agent_id: agentId, type: message.type, content: message.message.content[0]!.text }
      const text = `${JSON.stringify({ ...said, timestamp: new Date().toISOString(), message })}\n`
      for (const reader of watching) reader.send(text)
    })
  })
  await once(server, 'listening')
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  const agent = new WebSocket(`${url}/ws`)
  await once(agent, 'open')
  const close = () => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  }
  return { url: `${url}/stream`, send: (frame: object) => agent.send(`${JSON.stringify(frame)}\n`), close }
}

const machine = new TestMachine()
const daemon = await machine.open()
const { id, agent } = await daemon.createConnected()
const bare = await bareRelay(id)
const ours = await readersOf(`${daemon.address.replace('http', 'ws')}/stream`, (frame) => agent.send(frame))
const floor = await readersOf(bare.url, bare.send)
const figures = await medians(ROUNDS, { ours: ours.round, floor: floor.round })
compare({ what: `${FRAMES} agent frames to ${READERS} readers`, ...figures, unit: 'ms', bound: 3 })
ours.close()
floor.close()
bare.close()
await machine.close()
