// Event-loop blocking by lists without a limit. The minimum of several rounds counts: other programs only lengthen it.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { startDaemon } from '../../daemon/index.ts'
import { readConfig } from '../../platform/core/config.ts'
import { noLog } from '../../platform/core/log/log.ts'
import { openDatabase, write } from '../../platform/database/database.ts'
import { portsAt } from '../support/ports.ts'
import { within } from './report.ts'

const ROWS = 20_000
const ROUNDS = 5

const home = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const env = {
  PATH: process.env.PATH,
  HOME: home,
  SVC_DATA_DIR: `${home}/data`,
  SVC_MUX_SOCKET: `svc-bench-${process.pid}`,
}
const config = readConfig({ ...env, ...portsAt(0) })
const start = () =>
  startDaemon({
    config,
    manifests: null,
    version: 'bench',
    log: noLog,
    bridge: join(process.cwd(), 'dist', 'svc-agent.js'),
  })

/** Creates one record of each type and copies its row `ROWS` times. */
async function fill(): Promise<void> {
  const daemon = await start()
  const { orchestrator, notify } = daemon.urls
  const post = async (url: string, body: object): Promise<any> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const agent = await post(`${orchestrator}/agents`, { name: 'agent', working_dir: home, runtime: 'scripted' })
  await post(`${orchestrator}/workflows`, {
    name: 'workflow',
    agent_id: agent.id,
    trigger_config: { type: 'manual' },
    prompt_template: 'Look into it.',
  })
  await post(`${orchestrator}/queues/queue/push`, { title: 'Look into it', body: 'x'.repeat(200) })
  await post(`${notify}/notifications`, {
    source: 'System',
    lifetime: 'Persistent',
    title: 'Look into it',
    message: 'x'.repeat(200),
    priority: 'Normal',
    requires_response: false,
  })
  await daemon.stop({ agents: true })
  const db = openDatabase(config.databaseUrl)
  await write(db, async (transaction) => {
    for (const [name, unique] of [
      ['orchestrator_agents', 'name'],
      ['orchestrator_workflows', 'name'],
      ['orchestrator_queue_tasks', 'queue_name'],
      ['notify_notifications', 'title'],
    ] as const) {
      const { seq: _seq, ...row } = await transaction(name).first()
      const copy = (index: number) => ({
        ...row,
        id: crypto.randomUUID(),
        [unique]: `${row[unique]}-${index}`,
      })
      for (let at = 1; at < ROWS; at += 25)
        await transaction(name).insert(
          Array.from({ length: Math.min(25, ROWS - at) }, (_each, index) => copy(at + index)),
        )
    }
  })
  await db.destroy()
}

function readElsewhere(url: string): Promise<unknown> {
  const program = `fetch(${JSON.stringify(url)}).then(async (response) => {
    const text = await response.text()
    if (!response.ok || text.length < ${ROWS * 100}) throw new Error(response.status + ' ' + text.slice(0, 200))
  })`
  return once(new Worker(program, { eval: true }), 'exit')
}

/** Returns milliseconds. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  await work()
  delays.disable()
  return delays.max / 1e6
}

await fill()
const daemon = await start()
const { orchestrator, notify } = daemon.urls
await sleep(3000)
for (const url of [
  `${orchestrator}/agents`,
  `${orchestrator}/workflows`,
  `${orchestrator}/queues`,
  `${orchestrator}/metrics`,
  `${notify}/notifications`,
]) {
  const blocks: number[] = []
  for (let round = 0; round < ROUNDS; round++) blocks.push(await longestBlock(() => readElsewhere(url)))
  within(`longest event-loop block, GET ${new URL(url).pathname} of ${ROWS}`, Math.min(...blocks), 100, 'ms')
}
await daemon.stop()
rmSync(home, { recursive: true, force: true })
