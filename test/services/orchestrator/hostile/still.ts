// An orchestrator on which nothing moves by itself, and what is on record of it: what a request changed shows.
import { createHash } from 'node:crypto'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { TestClock } from '../../../../platform/clock.ts'
import { isPostgres, type Knex } from '../../../../platform/database.ts'
import { orchestratorOperations } from '../../../../schemas/operations/orchestrator/index.ts'
import type { Operation } from '../../../../schemas/operations/operation.ts'
import { Random } from '../../../support/random.ts'
import { alice, TestMachine, type TestOrchestrator, workflow } from '../harness.ts'
import { fuzzed, type Fuzzed, type Known } from './requests.ts'

/** Any operation may answer these beside its own. */
const ANYWHERE = [400, 401, 403, 404, 405, 413, 414, 415, 421, 503]
/** One answer to one request; a daemon that drains would refuse the rest. */
const operations = Object.values<Operation>(orchestratorOperations.operations).filter(
  ({ kind, path }) => (kind === 'call' || kind === 'list') && path !== '/drain',
)

export interface Hurt {
  refused: number
  taken: number
  /** What is wrong, in words. */
  faults: string[]
}

/** Some records of every kind, and the names and ids that stand for them. */
async function filled(daemon: TestOrchestrator): Promise<Known> {
  const { orchestrator } = daemon
  const { id, agent } = await daemon.createCautious()
  await daemon.held(agent, 'Bash', { command: 'ls' })
  await orchestrator.policies.put('careful', { mode: 'deny_all' }, alice)
  const flow = await orchestrator.workflows.create(workflow(id, { enabled: false }), alice)
  const hooked = await orchestrator.workflows.create(workflow(id, { trigger_config: { type: 'webhook' } }), alice)
  await orchestrator.queues.push('jobs', { title: 'a' }, alice)
  const approvals = (await orchestrator.approvals.list()).items
  return {
    agents: [id],
    workflows: [flow.id, hooked.id],
    webhooks: [hooked.id],
    policies: ['careful'],
    queues: ['jobs'],
    approvals: approvals.map((approval) => approval.id),
  }
}

/** All rows of the service, as one word for each table. */
export async function rowsOf(db: Knex): Promise<Record<string, string>> {
  const names: string[] = isPostgres(db)
    ? await db('information_schema.tables').where({ table_schema: 'public' }).pluck('table_name')
    : await db('sqlite_master').where({ type: 'table' }).pluck('name')
  const tables = names.filter((name) => name.startsWith('orchestrator_')).toSorted()
  const words: Record<string, string> = {}
  for (const table of tables) {
    const rows: object[] = await db(table).select('*')
    const lines = rows.map((row) => JSON.stringify(row)).toSorted()
    words[table] = createHash('sha1').update(lines.join('\n')).digest('hex')
  }
  return words
}

/** What is on record once nothing moves any more. */
async function settled(daemon: TestOrchestrator): Promise<Record<string, string>> {
  for (let before = await rowsOf(daemon.db); ;) {
    for (let turn = 0; turn < 10; turn++) await turnOfTheLoop()
    const after = await rowsOf(daemon.db)
    if (differing(before, after).length === 0) return after
    before = after
  }
}

function differing(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(after).filter((table) => before[table] !== after[table])
}

/** Sends so many requests of a seed, one after the other, to a daemon of its own. */
export async function attack(seed: number, count: number, url?: string): Promise<Hurt> {
  const machine = new TestMachine({ clock: new TestClock(), ...(url === undefined ? {} : { url }) })
  const hurt: Hurt = { refused: 0, taken: 0, faults: [] }
  try {
    const daemon = await machine.open()
    const known = await filled(daemon)
    const random = new Random(seed)
    let present = await settled(daemon)
    for (let at = 0; at < count; at++) {
      const request = fuzzed(random, operations, known)
      const answer = await send(daemon, request)
      const { operation, path, body = '' } = request
      const where = `seed ${seed}, request ${at}: ${operation.method} ${path.slice(0, 100)} ${body.slice(0, 300)}`
      const fault = faultOf(operation, answer)
      if (fault) hurt.faults.push(`${where}: ${fault}`)
      if (answer.status < 400) {
        hurt.taken++
        present = await settled(daemon)
        continue
      }
      hurt.refused++
      const after = await rowsOf(daemon.db)
      const changed = differing(present, after)
      if (changed.length > 0) hurt.faults.push(`${where}: refused with ${answer.status}, and changed ${changed.join()}`)
      present = after
    }
    if (!(await fetch(`${daemon.address}/health`)).ok) hurt.faults.push(`seed ${seed}: it is not well afterwards`)
    if ('polluted' in {}) hurt.faults.push(`seed ${seed}: every object has a member more`)
  } finally {
    await machine.close()
  }
  return hurt
}

interface Answer {
  status: number
  text: string
}

async function send(daemon: TestOrchestrator, { operation, path, body }: Fuzzed): Promise<Answer> {
  const headers = new Headers({ 'x-svc-actor': 'operator' })
  if (body !== undefined) headers.set('content-type', 'application/json')
  const sent = operation.method === 'GET' ? {} : { body }
  const response = await fetch(daemon.address + path, { method: operation.method, headers, ...sent })
  return { status: response.status, text: await response.text() }
}

/** Why an answer is none that is documented; null where it is. */
function faultOf(operation: Operation, { status, text }: Answer): string | null {
  const own = operation.kind === 'call' ? Object.keys(operation.reply).map(Number) : [200]
  const allowed = [...ANYWHERE, ...own, ...(operation.errors ?? [])]
  if (!allowed.includes(status)) return `answered ${status}: ${text.slice(0, 200)}`
  if (status < 400) return null
  try {
    return typeof JSON.parse(text).code === 'string' ? null : `says no code: ${text.slice(0, 200)}`
  } catch {
    return `refused without JSON: ${text.slice(0, 200)}`
  }
}
