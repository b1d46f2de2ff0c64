// The orchestrator has no background activity, so that any changed row comes from a request.
import { createHash } from 'node:crypto'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { TestClock } from '../../../../platform/core/clock.ts'
import { isPostgres, type Knex } from '../../../../platform/database/database.ts'
import { orchestratorOperations } from '../../../../schemas/operations/orchestrator/index.ts'
import type { Operation } from '../../../../schemas/operations/operation.ts'
import { alice, TestMachine, type TestOrchestrator, workflow } from '../harness.ts'
import { addressOf, requestsTo, type Fuzzed, type Known } from './requests.ts'
import { searchFault, type Start } from './search.ts'

/** Statuses that any operation may return. */
const ANYWHERE = [400, 401, 403, 404, 405, 413, 414, 415, 421, 503]
/** Draining would refuse the other requests. */
const operations = Object.values<Operation>(orchestratorOperations.operations).filter(
  ({ kind, path }) => (kind === 'call' || kind === 'list') && path !== '/drain',
)

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

/** Returns a hash per table. */
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

/** Waits for writes that a request leaves to the background. */
async function settled(daemon: TestOrchestrator): Promise<Record<string, string>> {
  for (let before = await rowsOf(daemon.db); ;) {
    for (let turn = 0; turn < 10; turn++) await turnOfTheLoop()
    const isBusy = await hasTransactions(daemon.db)
    const after = await rowsOf(daemon.db)
    if (!isBusy && differing(before, after).length === 0) return after
    before = after
  }
}

/** A transaction of PostgreSQL may take longer than the turns of the event loop. */
async function hasTransactions(db: Knex): Promise<boolean> {
  if (!isPostgres(db)) return false
  const others = await db('pg_stat_activity')
    .whereRaw("datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()")
    .whereNot({ state: 'idle' })
  return others.length > 0
}

function differing(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(after).filter((table) => before[table] !== after[table])
}

/** Sends `count` requests; throws the first fault. */
export async function attack(start: Start, count: number, url: string): Promise<{ refused: number; taken: number }> {
  const machine = new TestMachine({ clock: new TestClock(), url })
  const sent = { refused: 0, taken: 0 }
  try {
    const daemon = await machine.open()
    const known = await filled(daemon)
    let present = await settled(daemon)
    await searchFault(requestsTo(operations), start, count, async (request) => {
      const answer = await send(daemon, request, known)
      const wrong = faultOf(request.operation, answer) ?? pollution()
      const isTaken = answer.status < 400
      sent[isTaken ? 'taken' : 'refused']++
      const before = present
      present = isTaken ? await settled(daemon) : await rowsOf(daemon.db)
      if (wrong !== null || isTaken) return wrong
      const changed = differing(before, present)
      return changed.length === 0 ? null : `refused with ${answer.status} but changed ${changed.join()}`
    })
    if (!(await fetch(`${daemon.address}/health`)).ok)
      throw new Error(`seed ${start.seed}: unhealthy after the requests`)
  } finally {
    await machine.close()
  }
  return sent
}

interface Answer {
  status: number
  text: string
}

async function send(daemon: TestOrchestrator, request: Fuzzed, known: Known): Promise<Answer> {
  const { operation, body } = request
  const headers = new Headers({ 'x-svc-actor': 'operator' })
  if (body !== undefined) headers.set('content-type', 'application/json')
  const sent = operation.method === 'GET' ? {} : { body }
  const response = await fetch(daemon.address + addressOf(request, known), {
    method: operation.method,
    headers,
    ...sent,
  })
  return { status: response.status, text: await response.text() }
}

/** Detects a polluted prototype and cleans it for the next request. */
function pollution(): string | null {
  if (!('polluted' in {})) return null
  Reflect.deleteProperty(Object.prototype, 'polluted')
  return 'every object has an additional property'
}

function faultOf(operation: Operation, { status, text }: Answer): string | null {
  const own = operation.kind === 'call' ? Object.keys(operation.reply).map(Number) : [200]
  const allowed = [...ANYWHERE, ...own, ...(operation.errors ?? [])]
  if (!allowed.includes(status)) return `undocumented status ${status}: ${text.slice(0, 200)}`
  if (status < 400) return null
  try {
    return typeof JSON.parse(text).code === 'string' ? null : `error without a code: ${text.slice(0, 200)}`
  } catch {
    return `error without JSON: ${text.slice(0, 200)}`
  }
}
