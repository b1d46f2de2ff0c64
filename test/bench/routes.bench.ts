// A read and a write of a running orchestrator, next to bare fastify routes that answer with the same JSON; the write also
// next to one that keeps the same row by the driver alone, as durably.
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as sqlite from '@appthreat/sqlite3'
import fastify from 'fastify'
import { startDaemon } from '../../daemon/index.ts'
import { readConfig } from '../../platform/core/config.ts'
import { noLog } from '../../platform/core/log/log.ts'
import { portsAt } from '../support/ports.ts'
import { compare, conclude, median } from './report.ts'

const REQUESTS = 4000
const CONNECTIONS = 16
const ROUNDS = 7

const BODY = JSON.stringify({ title: 'Look into it', body: 'x'.repeat(200) })

/** Milliseconds for `REQUESTS` requests over kept connections, made by a process of its own. */
async function load(method: string, url: string): Promise<number> {
  const child = fork(fileURLToPath(import.meta.url), [method, url], { execArgv: [] })
  const [took] = (await once(child, 'message')) as [number]
  return took
}

async function generate(method: string, url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const headers = { 'content-type': 'application/json', 'content-length': BODY.length }
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const asking = request(url, { method, agent, ...(method === 'POST' && { headers }) }, (response) => {
        if (!String(response.statusCode).startsWith('2'))
          return reject(new Error(`${url} answered ${response.statusCode}`))
        response.resume().once('end', resolve)
      })
      asking.once('error', reject)
      asking.end(method === 'POST' ? BODY : undefined)
    })
  const some = async (count: number) => {
    let left = count
    const worker = async () => {
      while (left-- > 0) await one()
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  }
  await some(REQUESTS / 4)
  const start = performance.now()
  await some(REQUESTS)
  process.send!(performance.now() - start)
  agent.destroy()
}

interface Route {
  method: 'GET' | 'POST'
  ours: string
  floors: { what: string; url: string; bound: number | null }[]
}

/** Ours and its floors in turns, so that what else goes on meets all of them. */
async function sideBySide({ method, ours, floors }: Route, what: string): Promise<void> {
  const times = new Map<string, number[]>([ours, ...floors.map(({ url }) => url)].map((url) => [url, []]))
  for (let round = 0; round < ROUNDS; round++) for (const [url, taken] of times) taken.push(await load(method, url))
  const perRequest = (url: string) => (median(times.get(url)!) / REQUESTS) * 1000
  for (const floor of floors)
    compare({
      what: `${what}, a request of ${REQUESTS}, next to ${floor.what}`,
      ours: perRequest(ours),
      floor: perRequest(floor.url),
      unit: 'us',
      bound: floor.bound,
    })
}

const post = (url: string, body: string) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

/** Keeps a row a request in a database of its own, each on the disk before it is answered. */
async function bareStore(file: string) {
  const { Database } = (sqlite as unknown as { default: { Database: new (file: string) => any } }).default
  const db = new Database(file)
  const run = (sql: string, values: unknown[] = []) =>
    new Promise<void>((resolve, reject) =>
      db.run(sql, values, (error: Error | null) => (error ? reject(error) : resolve())),
    )
  await run('PRAGMA journal_mode = WAL')
  await run('PRAGMA synchronous = FULL')
  await run('CREATE TABLE tasks (id TEXT PRIMARY KEY, queue_name TEXT, title TEXT, body TEXT, created_at TEXT)')
  return {
    keep: (values: unknown[]) => run('INSERT INTO tasks VALUES (?, ?, ?, ?, ?)', values),
    close: () => new Promise((closed) => db.close(closed)),
  }
}

async function measure(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const env = { PATH: process.env.PATH, HOME: home, SVC_DATA_DIR: home, SVC_MUX_SOCKET: `svc-bench-${process.pid}` }
  const daemon = await startDaemon({
    config: readConfig({ ...env, ...portsAt(0) }),
    manifests: null,
    version: 'bench',
    log: noLog,
    bridge: join(process.cwd(), 'dist', 'svc-agent.js'),
  })
  const { orchestrator } = daemon.urls
  const made = await post(
    `${orchestrator}/agents`,
    JSON.stringify({ name: 'reader', working_dir: home, runtime: 'scripted' }),
  )
  const { id } = (await made.json()) as { id: string }
  const [read, push] = [`/agents/${id}`, '/queues/jobs/push']
  const record: unknown = await (await fetch(`${orchestrator}${read}`)).json()
  const pushed: unknown = await (await post(`${orchestrator}${push}`, BODY)).json()
  const store = await bareStore(join(home, 'bare.db'))
  const bare = fastify()
  bare.get('/agents/:id', async () => record)
  bare.post('/queues/:name/push', async (_request, reply) => reply.code(201).send(pushed))
  bare.post('/kept/:name/push', async ({ params, body }, reply) => {
    const [{ name }, { title, body: text }] = [params as { name: string }, body as { title: string; body: string }]
    await store.keep([randomUUID(), name, title, text, new Date().toISOString()])
    return reply.code(201).send(pushed)
  })
  const address = await bare.listen({ port: 0, host: '127.0.0.1' })
  const reading = [{ what: 'a bare route', url: `${address}${read}`, bound: 1 / 0.75 }]
  await sideBySide({ method: 'GET', ours: `${orchestrator}${read}`, floors: reading }, 'GET /agents/{id}')
  const writing = [
    { what: 'a bare route that keeps nothing', url: `${address}${push}`, bound: null },
    { what: 'a bare route that keeps a row', url: `${address}/kept/jobs/push`, bound: 1 },
  ]
  await sideBySide({ method: 'POST', ours: `${orchestrator}${push}`, floors: writing }, 'POST /queues/{name}/push')
  await bare.close()
  await store.close()
  await daemon.stop({ agents: true })
  rmSync(home, { recursive: true, force: true })
  conclude()
}

const [, , method, url] = process.argv
await (method !== undefined && url !== undefined ? generate(method, url) : measure())
