// A daemon with thousands of resources, many agents and one long conversation, and the changes of a working day.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Knex } from '../../../platform/database/database.ts'
import type { Draft } from '../../../services/orchestrator/transcript/drafts.ts'
import { EntryIds } from '../../../services/orchestrator/transcript/entry-ids.ts'
import { rowOf, type EntryRow } from '../../../services/orchestrator/transcript/rows.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { agentManifest } from './team.ts'

export interface TeamSize {
  resources: number
  agents: number
  /** Entries of the conversation of `greeter`. */
  frames: number
}

const PATIENCE_MS = 600_000
/** Unit of the CPU times of Linux. */
const TICK_MS = 10
/** SQLite limits the values of a statement. */
const AT_ONCE = 50
const TEXT = 'The build is green again; I continue with the tests of the parser, then with its documentation.'

const policy = (index: number) =>
  `name: p${index}\ndescription: Tools of team ${index}\nmode: allow_list\ntools: [Read, Grep, "Bash(git log *)"]\n`

export class LargeTeam {
  readonly stand: DaemonStand
  readonly size: TeamSize
  /** Of the agent with the long conversation. */
  readonly agentId: string
  readonly pid: number
  readonly #db: Knex
  readonly #ids = new EntryIds({ now: Date.now })
  #entries = 0
  #changes = 0

  private constructor({ stand, size, agentId, pid }: Pick<LargeTeam, 'stand' | 'size' | 'agentId' | 'pid'>, db: Knex) {
    this.stand = stand
    this.size = size
    this.agentId = agentId
    this.pid = pid
    this.#db = db
  }

  /** Milliseconds of CPU that the daemon has taken. */
  daemonTime(): number {
    const [, figures] = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')
    const [user, system] = figures!.split(' ').slice(11, 13).map(Number)
    return (user! + system!) * TICK_MS
  }

  /** Resources come from manifests. Stopped agents and entries are written as the services write them. */
  static async start(size: TeamSize): Promise<LargeTeam> {
    const stand = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'warn' } })
    stand.write('agents/greeter.yml', agentManifest('greeter', 'say hello').replace(/policy: .*\n/, ''))
    for (let index = 1; index < size.resources; index++) stand.write(`policies/p${index}.yml`, policy(index))
    const { pid } = await stand.start()
    const ready = `${stand.controller}/resources?status=Ready&limit=1`
    await eventually(async () => (await stand.get<{ total: number }>(ready)).total === size.resources, PATIENCE_MS, 500)
    await stand.connected()
    const { id } = await stand.agentNamed('greeter')
    const db = openDatabase(`sqlite:${join(stand.dataDir, 'svc.db')}`)
    // Its changes need not survive a loss of power.
    await db.raw('PRAGMA synchronous = OFF')
    const team = new LargeTeam({ stand, size, agentId: id, pid: pid! }, db)
    await team.#addAgents()
    await team.#addEntries(size.frames)
    return team
  }

  async close(): Promise<void> {
    await this.#db.destroy()
    await this.stand.close()
  }

  /**
   * Writes changes of all topics at an even rate, in at least `seconds`: resources, agents, entries, drift and runs.
   * `eachSecond` is called between them. Returns the seconds that it took.
   */
  async change(
    count: number,
    seconds: number,
    eachSecond: () => Promise<void> = async () => undefined,
  ): Promise<number> {
    const began = Date.now()
    const steps = Math.ceil(seconds * STEPS_PER_SEC)
    for (let step = 0, written = 0; step < steps; step++) {
      const due = Math.floor((count * (step + 1)) / steps) - written
      await this.#db.transaction((transaction) => this.#write(transaction, due))
      written += due
      if (step % STEPS_PER_SEC === 0) await eachSecond()
      await sleep(Math.max(began + ((step + 1) * 1000) / STEPS_PER_SEC - Date.now(), 0))
    }
    return (Date.now() - began) / 1000
  }

  async #write(db: Knex, count: number): Promise<void> {
    for (let written = 0; written < count; written++) await this.#changeOne(db, this.#changes++)
  }

  async #changeOne(db: Knex, index: number): Promise<void> {
    const now = new Date().toISOString()
    const kind = index % 20
    if (kind < 12) {
      const name = `p${1 + (index % (this.size.resources - 1))}`
      await db('controller_inventory')
        .where({ kind: 'policies', name })
        .update({ revision: db.ref('revision') })
    } else if (kind < 15)
      await db('orchestrator_agents')
        .where({ name: `agent-${index % this.size.agents}` })
        .update({ updated_at: now })
    else if (kind < 17) await db('orchestrator_entries').insert(this.#entry(now))
    else if (kind === 17) await db('controller_drift').insert(driftAt(index, now))
    else if (kind === 18)
      await db('controller_drift')
        .where({ id: driftAt(index - 1, now).id })
        .update({ resolution: 'reverted', last_seen: now })
    else await db('controller_runs').insert(runAt(now))
  }

  async #addAgents(): Promise<void> {
    const row: Record<string, unknown> = await this.#db('orchestrator_agents').where({ id: this.agentId }).first()
    const { seq: _, ...columns } = row
    const rows = Array.from({ length: this.size.agents - 1 }, (_each, index) => ({
      ...columns,
      id: randomUUID(),
      name: `agent-${index}`,
      status: 'stopped',
      token_hash: null,
    }))
    await this.#insert('orchestrator_agents', rows)
  }

  async #addEntries(count: number): Promise<void> {
    const at = new Date().toISOString()
    await this.#insert(
      'orchestrator_entries',
      Array.from({ length: count }, () => this.#entry(at)),
    )
  }

  async #insert(table: string, rows: readonly object[]): Promise<void> {
    await this.#db.transaction(async (transaction) => {
      for (let at = 0; at < rows.length; at += AT_ONCE) await transaction(table).insert(rows.slice(at, at + AT_ONCE))
    })
  }

  #entry(at: string): EntryRow {
    const index = this.#entries++
    const named = { id: this.#ids.next(), agent_id: this.agentId, turn_id: null, at, origin: `scale-${index}` }
    return rowOf(named, draftAt(index))
  }
}

/** Steps of `change` a second. */
const STEPS_PER_SEC = 20

/** Of 20 entries, one is a note, four are calls, four their results, and the others texts. */
function draftAt(index: number): Draft {
  const text = `${index}: ${TEXT.repeat(1 + (index % 4))}`
  const place = index % 20
  if (place === 0) return { type: 'notice', fields: { code: 'api_retry' }, text }
  const call = { call_id: `call-${index - (index % 2)}`, parent_call_id: null }
  if (place > 8) return { type: 'text', fields: { from: 'assistant', parent_call_id: null }, text }
  if (place % 2 === 1) return { type: 'tool_result', fields: { ...call, is_error: false }, text }
  return {
    type: 'tool_call',
    fields: { ...call, tool_name: 'Bash' },
    text: JSON.stringify({ command: `make ${index}` }),
  }
}

const driftAt = (index: number, at: string) => ({
  id: `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
  kind: 'policies',
  name: `p${1 + (index % 50)}`,
  path: 'description',
  desired: '"as declared"',
  live: '"by hand"',
  last_applied: '"as declared"',
  actor: 'mia',
  request_id: randomUUID(),
  endpoint: 'PATCH /policies/{name}',
  first_seen: at,
  last_seen: at,
  resolution: null,
})

const runAt = (at: string) => ({
  id: randomUUID(),
  source: 'default',
  revision: 'a1b2c3d4',
  status: 'succeeded',
  actor: 'svc',
  started_at: at,
  ended_at: at,
  summary: JSON.stringify({ create: 0, update: 1, restart: 0, replace: 0, adopt: 0, delete: 0, unchanged: 0 }),
  has_steps: false,
})
