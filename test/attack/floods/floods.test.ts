// One agent adds as much as it can of one kind. Rows and disk stay bounded, others can read, and the flood costs
// nothing once the agent has ended.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Approval } from '../../../schemas/tools/approval.ts'
import { times } from '../campaign.ts'
import { FloodedDaemon } from './flooded-daemon.ts'

const SECS = times(10, 3)
const PATIENCE = { timeout: 120_000 }
const READ_MS = 750
const IDLE_MS = 2000
const MOST = { approvals: 100, messages: 200, memories: 500, documents: 100, notifications: 500, rooms: 50 }
const PUSHES_PER_SEC = 60

let daemon: FloodedDaemon
/** Waits for approvals and receives messages. */
let victim: string
beforeAll(async () => {
  daemon = await FloodedDaemon.start({
    SVC_LIMIT_MEMORIES: String(MOST.memories),
    SVC_LIMIT_DOCUMENTS: String(MOST.documents),
  })
  victim = await daemon.create('victim', ['sh', '-c', ASKS_ONCE])
}, 60_000)
afterAll(() => daemon.close())

const question = { type: 'control_request', request_id: 'one', request: { subtype: 'can_use_tool', tool_name: 'Bash' } }
const ASKS_ONCE = `echo '${JSON.stringify(question)}'; exec cat > /dev/null`

const json = (value: object) => JSON.stringify(value)
const message = 'x'.repeat(1000)
const note = { lifetime: 'Persistent', priority: 'Normal', title: '%', message, requires_response: false }

interface Flood {
  service?: string
  path?: (victim: string) => string
  body?: string
  /** List of the added rows. */
  list: (flooder: string) => [service: string, path: string]
  most: number
  /** MiB that the flood may add to the data folder. */
  disk: number
}

const floods: Record<string, Flood> = {
  approvals: { list: (id) => ['orchestrator', `/agents/${id}/approvals?`], most: MOST.approvals, disk: 20 },
  messages: {
    service: 'orchestrator',
    path: (id) => `/agents/${id}/message`,
    body: json({ content: `% ${message}` }),
    list: () => ['orchestrator', `/agents/${victim}/messages?`],
    // One is sent at once.
    most: MOST.messages + 1,
    disk: 20,
  },
  'queue pushes': {
    service: 'orchestrator',
    path: () => '/queues/flooded/push',
    body: json({ title: '%', body: message }),
    list: () => ['orchestrator', '/queues/flooded/peek?'],
    // The burst is two seconds; the flood may last a little longer than planned.
    most: PUSHES_PER_SEC * (SECS + 4),
    disk: 30,
  },
  memories: {
    service: 'docstore',
    path: () => '/memories',
    body: json({ content: `% ${message}`, created_by: 'flooding-memories' }),
    list: () => ['docstore', '/memories?created_by=flooding-memories&'],
    most: MOST.memories,
    disk: 30,
  },
  documents: {
    service: 'docstore',
    path: () => '/v1/documents',
    body: json({ title: '%', content: 'x'.repeat(100_000), created_by: 'nobody' }),
    list: () => ['docstore', '/v1/documents?created_by=nobody&'],
    most: MOST.documents,
    disk: 100,
  },
  notifications: {
    service: 'notify',
    path: () => '/notifications',
    body: json({ source: 'System', ...note }),
    list: () => ['notify', '/notifications?status=Pending&'],
    // The daemon has some of its own.
    most: MOST.notifications + 5,
    disk: 30,
  },
  rooms: {
    service: 'communicate',
    path: () => '/rooms',
    body: json({ name: '%', created_by: 'flooding-rooms' }),
    list: () => ['communicate', '/rooms?'],
    most: MOST.rooms,
    disk: 20,
  },
}

describe.each(Object.entries(floods))('a flood of %s by one agent', (kind, flood) => {
  test('is bounded, does not delay others, and ends with the agent', PATIENCE, async () => {
    const before = daemon.disk()
    const url = flood.service === undefined ? '' : daemon.at(flood.service, flood.path!(victim))
    const flooder = await daemon.flood(`flooding-${kind.replace(' ', '-')}`, SECS, kind, url, flood.body)
    const [service, path] = flood.list(flooder)
    const reads = ['/agents', '/approvals?status=pending&limit=50', `/agents/${victim}/approvals`]
    const took = await daemon.read(
      SECS,
      reads.map((each) => daemon.at('orchestrator', each)).concat(daemon.at(service, `${path}limit=50`)),
    )
    const [total, disk] = [await daemon.total(service, path), daemon.disk() - before]
    const asked = await daemon.stand.get<Approval[]>(daemon.at('orchestrator', `/agents/${victim}/approvals`))
    const idle = await daemon.end(flooder)
    console.log(
      `${kind}: ${total} rows, ${disk.toFixed(1)} MiB, reads p99 ${took.during.toFixed(0)} ms (before: ${took.before.toFixed(0)} ms), idle after ${idle.toFixed(0)} ms`,
    )
    expect(asked).toMatchObject([{ status: 'pending', tool_name: 'Bash' }])
    expect(total).toBeLessThanOrEqual(flood.most)
    expect(total).toBeGreaterThan(0)
    expect(disk).toBeLessThan(flood.disk)
    expect(took.during).toBeLessThanOrEqual(READ_MS)
    expect(idle).toBeLessThanOrEqual(IDLE_MS)
  })
})
