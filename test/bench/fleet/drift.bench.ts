// Time until a manual change is visible as drift. Floor: a plain server that stores and publishes the change.
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastify from 'fastify'
import { openDatabase, write } from '../../../platform/database/database.ts'
import { request } from '../../support/http.ts'
import { compare, medians, within } from '../report.ts'
import { eventsOf, fleet, longestBlock, remembers, workflowsOf } from './large-fleet.ts'

interface DriftEvent {
  drift: { name: string }
}

const COUNT = 5000
const CHANGES = 200

async function bareServer(file: string): Promise<void> {
  const db = openDatabase(`sqlite:${file}`)
  await db.schema.createTable('changes', (table) => void table.text('id').primary())
  const changes = new EventEmitter()
  const server = fastify()
  server.patch<{ Params: { id: string } }>('/workflows/:id', async ({ params: { id } }) => {
    await write(db, (transaction) => transaction('changes').insert({ id }))
    changes.emit('change', id)
    return { id }
  })
  server.get('/events', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    changes.on('change', (name: string) =>
      reply.raw.write(`data: ${JSON.stringify({ type: 'drift', drift: { name } })}\n\n`),
    )
  })
  process.send!(await server.listen({ port: 0, host: '127.0.0.1' }))
}

async function measure(): Promise<void> {
  const of = await fleet(COUNT)
  const { daemon } = of
  const child = fork(fileURLToPath(import.meta.url), [join(daemon.home, 'bare.db')], { execArgv: [] })
  const [bare] = (await once(child, 'message')) as [string]
  const untouched = [...(await workflowsOf(of)).values()]
  const [events, bareEvents] = [
    await eventsOf<DriftEvent>(daemon, 'drift'),
    await eventsOf<DriftEvent>({ controller: bare }, 'drift'),
  ]
  await longestBlock(of)
  const visible = async (from: typeof events, name: string, url: string) => {
    const start = performance.now()
    const seen = from.next(({ drift }) => drift.name === name)
    await request('PATCH', url, { poll_interval_secs: 61 })
    await seen
    return performance.now() - start
  }
  const figures = await medians(CHANGES, {
    ours: () => {
      const { name, id } = untouched.pop()!
      return visible(events, name, `${daemon.orchestrator}/workflows/${id}`)
    },
    floor: () => {
      const id = randomUUID()
      return visible(bareEvents, id, `${bare}/workflows/${id}`)
    },
  })
  const { total } = await daemon.get(`${daemon.controller}/drift?open=true&limit=1`)
  if (total < CHANGES) throw new Error(`expected ${CHANGES} open drift records, got ${total}`)
  compare({ what: `manual change until visible drift, of ${COUNT} resources`, ...figures, unit: 'ms', bound: 5 })
  within(`longest event-loop block, ${CHANGES} manual changes`, await longestBlock(of), 100, 'ms')
  await remembers(of, 320)
  events.close()
  bareEvents.close()
  child.kill()
  await daemon.close()
}

const [, , file] = process.argv
await (file === undefined ? measure() : bareServer(file))
