// Changes sent to the sockets of many pages: blocks of the event loop, and memory.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { services } from '../../daemon/services.ts'
import { communicate } from '../../services/communicate/service.ts'
import { noLog } from '../../platform/core/log/log.ts'
import { eventually } from '../support/eventually.ts'
import { startServices } from '../support/services.ts'
import { print, within } from './report.ts'

const SOCKETS = 50
const PER_SEC = 500
const SECONDS = 20
const WARM_SECONDS = 5
const EVERY_MS = 20
const TEXT = 'The build is green again; everyone can continue working.  '.repeat(3)
const MIB = 1024 * 1024

/** Counts the changes of each socket, and those out of order, outside the measured event loop. */
const CLIENTS = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { WebSocket } = require('ws')
  const counts = [], lasts = []
  let disorder = 0
  for (let at = 0; at < workerData.sockets; at++) {
    counts.push(0), lasts.push(0)
    const socket = new WebSocket(workerData.url, { headers: { 'x-svc-actor': 'operator' } })
    socket.on('open', () => socket.send(JSON.stringify({ subscribe: true, topic: workerData.topic })))
    socket.on('message', (bytes) => {
      const frame = JSON.parse(bytes)
      if (frame.topic && frame.seq) parentPort.postMessage('subscribed')
      for (const { seq, id } of frame.items ?? []) {
        const number = Number(seq.split(':')[1])
        if (number <= lasts[at]) disorder++
        lasts[at] = number
        if (id.startsWith('messages/')) counts[at]++
      }
    })
  }
  parentPort.on('message', () => parentPort.postMessage({ counts, disorder }))
`

const home = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const stand = await startServices(services({ sources: [] }), {
  url: `sqlite:${join(home, 'svc.db')}`,
  log: noLog,
  env: { SVC_COMMUNICATE_SENDS_PER_SEC: '100000' },
})
const rooms = stand.host.find(communicate)!
const operator = { names: ['operator'], isTrusted: true, isCertain: false, isAgent: false, isViewer: false }
const { id } = await rooms.rooms.create(operator, { name: 'crowd', created_by: 'mira' })
const url = `${stand.host.urls.gateway!.replace('http', 'ws')}/live`
const worker = new Worker(CLIENTS, { eval: true, workerData: { url, topic: `room/${id}`, sockets: SOCKETS } })
let subscribed = 0
let counted: ((counts: { counts: number[]; disorder: number }) => void) | null = null
worker.on('message', (message) => (message === 'subscribed' ? subscribed++ : counted?.(message)))
await eventually(() => subscribed === SOCKETS)

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
let posted = 0
await change(WARM_SECONDS)
const before = heap()
const delays = monitorEventLoopDelay({ resolution: 5 })
delays.enable()
await change(SECONDS)
delays.disable()
const after = heap()
await sleep(1000)
const { counts, disorder } = await new Promise<{ counts: number[]; disorder: number }>((resolve) => {
  counted = resolve
  worker.postMessage('counts', [])
})
within(`longest block, ${SOCKETS} sockets at ${PER_SEC} changes a second`, delays.max / 1e6, 100, 'ms')
within('growth of the heap', (after - before) / MIB, 20, 'MiB')
within('changes that a socket lacks', Math.max(...counts.map((count: number) => posted - count)), 0, '')
within('changes out of order', disorder, 0, '')
print('changes', posted, '')
await worker.terminate()
await stand.close()
rmSync(home, { recursive: true, force: true })

/** Posts messages at an even rate. */
async function change(seconds: number): Promise<void> {
  const began = performance.now()
  const writing: Promise<unknown>[] = []
  for (let due = 0; due < seconds * PER_SEC; await sleep(EVERY_MS)) {
    for (const until = ((performance.now() - began) / 1000) * PER_SEC; due < until && due < seconds * PER_SEC; due++) {
      posted++
      writing.push(rooms.post(operator, id, { sender_id: 'mira', content: TEXT }))
    }
  }
  await Promise.all(writing)
}

function heap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
