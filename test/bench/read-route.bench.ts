// GET /agents/{id} of a running orchestrator, next to a bare fastify route that sends the same JSON.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastify from 'fastify'
import { startDaemon } from '../../daemon/index.ts'
import { readConfig } from '../../platform/config.ts'
import { noLog } from '../../platform/log.ts'
import { portsAt } from '../support/ports.ts'
import { compare, conclude, median } from './report.ts'

const REQUESTS = 4000
const CONNECTIONS = 16
const ROUNDS = 7

/** Milliseconds for `REQUESTS` requests over kept connections, made by a process of its own. */
async function load(url: string): Promise<number> {
  const child = fork(fileURLToPath(import.meta.url), [url], { execArgv: [] })
  const [took] = (await once(child, 'message')) as [number]
  return took
}

async function generate(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const one = () =>
    new Promise<void>((resolve, reject) => {
      get(url, { agent }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`${url} answered ${response.statusCode}`))
        response.resume().once('end', resolve)
      }).once('error', reject)
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
  const made = await fetch(`${daemon.urls.orchestrator}/agents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'reader', working_dir: home, runtime: 'scripted' }),
  })
  const { id } = (await made.json()) as { id: string }
  const ours = `${daemon.urls.orchestrator}/agents/${id}`
  const record: unknown = await (await fetch(ours)).json()
  const bare = fastify()
  bare.get('/agents/:id', async () => record)
  const floor = `${await bare.listen({ port: 0, host: '127.0.0.1' })}/agents/${id}`
  const rounds = { ours: [] as number[], floor: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    rounds.floor.push(await load(floor))
    rounds.ours.push(await load(ours))
  }
  const perRequest = (times: number[]) => (median(times) / REQUESTS) * 1000
  compare({
    what: `GET /agents/{id}, a request of ${REQUESTS}`,
    ours: perRequest(rounds.ours),
    floor: perRequest(rounds.floor),
    unit: 'us',
    bound: 1 / 0.75,
  })
  await bare.close()
  await daemon.stop({ agents: true })
  rmSync(home, { recursive: true, force: true })
  conclude()
}

await (process.argv[2] ? generate(process.argv[2]) : measure())
