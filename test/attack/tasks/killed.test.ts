import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../../../platform/database/database.ts'
import type { InFlight } from '../../../schemas/agent/in-flight.ts'
import type { QueueStats } from '../../../schemas/queue.ts'
import type { WorkflowRecord } from '../../../schemas/workflow.ts'
import { times } from '../campaign.ts'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { Random } from '../../support/random.ts'
import { root } from '../../support/root.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 })

const KILLS = times(10, 2)
const UNDER_WAY = 1000
const AGENTS = 4
const HOOKS = 4 * AGENTS
const SENDERS = 16

let stage: DaemonStand
let notes: string
beforeEach(async () => {
  stage = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'warn' } })
  // In the working directory, where the agents' sandboxes let them write.
  notes = join(stage.project, 'notes')
  for (let at = 0; at < AGENTS; at++) writeAgent(`a${at}`)
  for (let at = 0; at < HOOKS; at++) writeWorkflow(`hook-${at}`, at, '{type: webhook}')
  for (let at = 0; at < AGENTS; at++) {
    writeWorkflow(`queue-${at}`, at, `{type: queue, queue_name: q${at}, poll_interval_secs: 1}`)
    writeWorkflow(`cron-${at}`, at, '{type: cron, expression: "* * * * * *"}')
  }
})
afterEach(() => stage.close())

function writeAgent(name: string): void {
  const program = join(root, 'test', 'attack', 'tasks', 'noting-agent.mjs')
  stage.write(
    `agents/${name}.yml`,
    [
      `name: ${name}`,
      'runtime: command',
      `command: [${process.execPath}, ${program}]`,
      'working_dir: .',
      'shell: bash',
      `env: {NOTES: ${notes}}`,
    ].join('\n'),
  )
}

function writeWorkflow(name: string, at: number, trigger: string): void {
  const text = `name: ${name}\nagent: a${at % AGENTS}\ntrigger_config: ${trigger}\non_restart: fail\n`
  stage.write(`workflows/${name}.yml`, `${text}prompt_template: "${name} {{source_id}}"\n`)
}

class Sender {
  readonly hooks = { accepted: new Set<string>(), refused: new Set<string>() }
  readonly pushed = new Set<string>()
  #ids: string[] = []
  #stopped = true
  #sending: Promise<unknown> = Promise.resolve()
  #at = 0

  start(ids: string[]): void {
    this.#ids = ids
    this.#stopped = false
    this.#sending = Promise.all(Array.from({ length: SENDERS }, () => this.#send()))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#sending
  }

  async #send(): Promise<void> {
    while (!this.#stopped) {
      const at = this.#at++
      // Without an answer the result is unknown.
      await (at % 3 === 0 ? this.#push(at) : this.#deliver(at)).catch(() => sleep(20))
    }
  }

  async #push(at: number): Promise<void> {
    const { status, body } = await stage.ask('POST', `${stage.orchestrator}/queues/q${at % AGENTS}/push`, {
      title: `task ${at}`,
      priority: at % 5,
    })
    if (status === 201) this.pushed.add(body.id as string)
  }

  async #deliver(at: number): Promise<void> {
    const delivery = randomUUID()
    const { status } = await fetch(`${stage.orchestrator}/webhooks/${this.#ids[at % this.#ids.length]}`, {
      method: 'POST',
      headers: { 'x-forge-delivery': delivery },
      body: '{"title": "pushed"}',
    })
    if (status === 202) this.hooks.accepted.add(delivery)
    if (status === 503) {
      this.hooks.refused.add(delivery)
      await sleep(20)
    }
  }
}

const workflows = () => stage.get<WorkflowRecord[]>(`${stage.orchestrator}/workflows`)

const inFlight = async () => (await stage.get<InFlight[]>(`${stage.orchestrator}/in-flight`)).length

async function countOpen(): Promise<number> {
  const [metrics, queues] = await Promise.all([
    fetch(`${stage.orchestrator}/metrics`).then((response) => response.text()),
    stage.get<QueueStats[]>(`${stage.orchestrator}/queues`),
  ])
  const waiting = Number(/^dispatches_waiting(?:\{[^}]*\})? (\d+)/m.exec(metrics)?.[1])
  return waiting + queues.reduce((sum, { pending }) => sum + pending, 0)
}

interface Dispatch {
  workflow_id: string
  source_id: string
  prompt_sent: string
  status: string
  error: string | null
  result: string | null
}

/** Reads the database; no daemon may run. */
async function readRecords(): Promise<{ dispatches: Dispatch[]; tasks: { id: string; status: string }[] }> {
  const db = openDatabase(`sqlite:${join(stage.dataDir, 'svc.db')}`)
  try {
    const dispatches: Dispatch[] = await db('orchestrator_dispatches').orderBy('seq')
    return { dispatches, tasks: await db('orchestrator_queue_tasks').select('id', 'status') }
  } finally {
    await db.destroy()
  }
}

const given = () => (existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').slice(0, -1) : [])

function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter((name) => seen.size === seen.add(name).size)
}

test(`loses or duplicates no task over ${KILLS} kills with ${UNDER_WAY} in progress`, async () => {
  const random = new Random(17)
  const sender = new Sender()
  await stage.startReady()
  const ids = (await workflows()).filter(({ name }) => name.startsWith('hook-')).map(({ id }) => id)
  let most = 0
  for (let kill = 0; kill < KILLS; kill++) {
    sender.start(ids)
    most = await eventually(async () => {
      const count = await countOpen()
      return count >= UNDER_WAY && count
    }, 60_000)
    await stage.connected()
    await eventually(async () => (await inFlight()) === AGENTS, 60_000)
    await sleep(random.whole(300))
    await stage.stopBy('SIGKILL')
    await sender.stop()
    await stage.start()
  }
  await stage.connected()
  // Running tasks end; no others are sent.
  await stage.ask('POST', `${stage.orchestrator}/drain`, { for_secs: 300 })
  await eventually(async () => (await inFlight()) === 0, 20_000)
  await stage.stopBy('SIGKILL')

  const { dispatches, tasks } = await readRecords()
  const lines = given()
  expect(most).toBeGreaterThanOrEqual(UNDER_WAY)

  const deliveries = dispatches.flatMap(({ source_id }) => /^webhook:([^:]+):/.exec(source_id)?.[1] ?? [])
  const delivered = new Set(deliveries)
  expect(repeated(deliveries)).toEqual([])
  expect([...sender.hooks.accepted].filter((id) => !delivered.has(id))).toEqual([])
  expect([...sender.hooks.refused].filter((id) => delivered.has(id))).toEqual([])
  const queued = new Set(tasks.map(({ id }) => id))
  expect([...sender.pushed].filter((id) => !queued.has(id))).toEqual([])

  const odd = dispatches.filter(({ status, error }) => !isOver(status, error))
  expect(odd).toEqual([])
  expect(tasks.filter(({ status }) => !['pending', 'completed', 'dead'].includes(status))).toEqual([])

  expect(repeated(lines)).toEqual([])
  expect(repeated(lines.flatMap((line) => /queue:[^:]+:([^:]+):/.exec(line)?.[1] ?? []))).toEqual([])
  expect(repeated(dispatches.map(({ workflow_id, source_id }) => `${workflow_id} ${source_id}`))).toEqual([])
  const got = new Set(lines)
  const completed = dispatches.filter(({ status }) => status === 'completed')
  expect(completed.filter(({ prompt_sent, result }) => !got.has(prompt_sent) || result !== prompt_sent)).toEqual([])
  expect(dispatches.filter(({ status, prompt_sent }) => status === 'pending' && got.has(prompt_sent))).toEqual([])
  const cron = dispatches.filter(({ source_id }) => source_id.startsWith('cron:'))
  expect([completed.length > KILLS, cron.length > KILLS]).toEqual([true, true])

  counted('tasks: kills of the daemon', KILLS)
  counted('tasks: accepted by webhook', sender.hooks.accepted.size)
  counted('tasks: refused by a full channel', sender.hooks.refused.size)
  counted('tasks: accepted by queue', sender.pushed.size)
  counted('tasks: fired by cron', cron.length)
  counted('tasks: minimum in progress at a kill', UNDER_WAY)
  counted('tasks: completed', completed.length)
  counted('tasks: failed by a kill', dispatches.filter(({ status }) => status === 'failed').length)
})

function isOver(status: string, error: string | null): boolean {
  if (status === 'failed') return /restarted|connection closed|ended/.test(error ?? '')
  return status === 'completed' || status === 'pending'
}
