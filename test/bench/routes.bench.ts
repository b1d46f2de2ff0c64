// A read and a write of the orchestrator. Floor: plain Fastify routes that return the same JSON; the write stores the
// same row through the driver, equally durable.
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
import { compare, medians } from './report.ts'

const REQUESTS = 4000
const CONNECTIONS = 16
const ROUNDS = 7

const BODY = JSON.stringify({ title: 'Look into it', body: 'x'.repeat(200) })

/** Requests per second, sent by a child process. */
async function load(method: string, url: string): Promise<number> {
  const child = fork(fileURLToPath(import.meta.url), [method, url], { execArgv: [] })
  const [took] = (await once(child, 'message')) as [number]
  return (REQUESTS * 1000) / took
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

const post = (url: string, body: string) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

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
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    SVC_DATA_DIR: `${home}/data`,
    SVC_MUX_SOCKET: `svc-bench-${process.pid}`,
  }
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
  bare.post('/queues/:name/push', async ({ params, body }, reply) => {
    const [{ name }, { title, body: text }] = [params as { name: string }, body as { title: string; body: string }]
    await store.keep([randomUUID(), name, title, text, new Date().toISOString()])
    return reply.code(201).send(pushed)
  })
  const address = await bare.listen({ port: 0, host: '127.0.0.1' })
  const reads = await medians(ROUNDS, {
    ours: () => load('GET', `${orchestrator}${read}`),
    floor: () => load('GET', `${address}${read}`),
  })
  compare({ what: 'GET /agents/{id}, vs a plain Fastify route', ...reads, unit: '/s', least: 0.5 })
  const writes = await medians(ROUNDS, {
    ours: () => load('POST', `${orchestrator}${push}`),
    floor: () => load('POST', `${address}${push}`),
  })
  compare({ what: 'POST /queues/{name}/push, vs a plain durable write', ...writes, unit: '/s', least: 0.33 })
  await bare.close()
  await store.close()
  await daemon.stop({ agents: true })
  rmSync(home, { recursive: true, force: true })
}

const [, , method, url] = process.argv
await (method !== undefined && url !== undefined ? generate(method, url) : measure())
