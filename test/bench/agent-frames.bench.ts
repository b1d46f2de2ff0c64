// What an agent says, on its way to readers: to a hundred of them next to a loop over bare sockets, and how late at a
// thousand frames a second. And a webhook, on its way to the agent.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket, WebSocketServer } from 'ws'
import { alice, TestMachine, workflow } from '../services/orchestrator/harness.ts'
import { eventually } from '../support/eventually.ts'
import { compare, conclude, median, quantile, within } from './report.ts'

const READERS = 100
const FRAMES = 500
const ROUNDS = 7
const PER_SECOND = 1000
const SECONDS = 3
const WEBHOOKS = 300

const frameOf = (text: string) => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
  session_id: 'bench',
  uuid: randomUUID(),
})

/** Readers of an address, and what each frame that comes is told to. */
async function readers(url: string, count: number, onFrame: (text: string) => void): Promise<WebSocket[]> {
  const all = Array.from({ length: count }, () => new WebSocket(url))
  for (const reader of all) reader.on('message', (data: Buffer) => onFrame(String(data)))
  await Promise.all(all.map((reader) => once(reader, 'open')))
  return all
}

/** Milliseconds until every reader has got as many frames as the agent has sent. */
function rounds(url: string, send: (frame: object) => void) {
  let left = 0
  let done: () => void = () => undefined
  const opened = readers(url, READERS, (text) => {
    if (text.includes('"assistant"') && --left === 0) done()
  })
  return {
    round: async () => {
      await opened
      left = READERS * FRAMES
      const all = new Promise<void>((resolve) => (done = resolve))
      const start = performance.now()
      for (let at = 0; at < FRAMES; at++) send(frameOf('A word of the agent. '.repeat(20)))
      await all
      return performance.now() - start
    },
    close: async () => {
      for (const reader of await opened) reader.terminate()
    },
  }
}

/** The least that a relay does that says the same: each reader gets who said it, what it is and the text, and the frame. */
async function bareRelay() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  const watching = new Set<WebSocket>()
  server.on('connection', (socket, { url }) => {
    if (url === '/stream') return void watching.add(socket)
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(String(data)) as ReturnType<typeof frameOf>
      const said = { agent_id: id, type: message.type, content: message.message.content[0]!.text }
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
const stream = `${daemon.address.replace('http', 'ws')}/stream`

const bare = await bareRelay()
const [ours, floor] = [rounds(stream, (frame) => agent.send(frame)), rounds(bare.url, bare.send)]
const times = { ours: [] as number[], floor: [] as number[] }
await Promise.all([ours.round(), floor.round()])
for (let round = 0; round < ROUNDS; round++) {
  times.floor.push(await floor.round())
  times.ours.push(await ours.round())
}
compare({
  what: `${FRAMES} frames of an agent to ${READERS} readers, next to a loop over bare sockets`,
  ours: median(times.ours),
  floor: median(times.floor),
  unit: 'ms',
  bound: 1 / 0.8,
})
await Promise.all([ours.close(), floor.close()])
bare.close()

const late: number[] = []
const [watcher] = await readers(stream, 1, (text) => {
  const sent = /"text":"at (\d+\.?\d*)"/.exec(text)?.[1]
  if (sent) late.push(performance.now() - Number(sent))
})
const begun = performance.now()
for (let sent = 0; sent < PER_SECOND * SECONDS;) {
  const due = Math.min(((performance.now() - begun) / 1000) * PER_SECOND, PER_SECOND * SECONDS)
  for (; sent < due; sent++) agent.send(frameOf(`at ${performance.now()}`))
  await sleep(1)
}
await eventually(() => late.length === PER_SECOND * SECONDS)
watcher!.terminate()
within(`a frame to a reader at ${PER_SECOND} a second, p99`, quantile(late, 0.99), 20, 'ms')

const flow = await daemon.orchestrator.workflows.create(workflow(id, { trigger_config: { type: 'webhook' } }), alice)
const hook = `${daemon.address}/webhooks/${flow.id}`
await eventually(async () => (await fetch(hook, { method: 'POST' })).status === 202)
const waits: number[] = []
for (let at = 1; at <= WEBHOOKS; at++) {
  await agent.prompt(at)
  agent.result({ uuid: randomUUID() })
  await eventually(async () => (await daemon.orchestrator.agents.get(id)).activity === 'idle', 10_000, 1)
  const prompted = new Promise<number>((resolve) => {
    const look = (data: Buffer) => {
      if (!String(data).includes('"type":"user"')) return
      agent.socket.off('message', look)
      resolve(performance.now())
    }
    agent.socket.on('message', look)
  })
  await fetch(hook, { method: 'POST' })
  const answered = performance.now()
  // It may come before the answer has been read.
  waits.push(Math.max(0, (await prompted) - answered))
}
within('from the answer to a webhook to the prompt at an idle agent, p99', quantile(waits, 0.99), 50, 'ms')
await machine.close()
conclude()
