// Expresses existing tables of the orchestrator and the controller without changing a column.
import { randomUUID } from 'node:crypto'
import * as Type from 'typebox'
import { beforeAll, expect, test } from 'vitest'
import { controllerMigrations } from '../../../controller/migrations.ts'
import { migrate, type Knex } from '../../../platform/database/database.ts'
import { table } from '../../../platform/store/table.ts'
import { Vault } from '../../../platform/secrets/vault.ts'
import { Drift } from '../../../schemas/resource.ts'
import { Run, RunStep } from '../../../schemas/run.ts'
import { Secret } from '../../../schemas/secret.ts'
import { migrations } from '../../../services/orchestrator/migrations.ts'
import { openTables } from '../../../services/orchestrator/record/tables.ts'
import { onEachDatabase } from '../../support/databases.ts'

const vault = Vault.ephemeral()
const at = '2030-01-01T00:00:00.000Z'
const orchestrator = (db: Knex) => openTables({ db, vault })
const workflows = (db: Knex) => orchestrator(db).workflows
const dispatches = (db: Knex) => orchestrator(db).dispatches
const approvals = (db: Knex) => orchestrator(db).approvals
const prompts = (db: Knex) => orchestrator(db).prompts
const policies = (db: Knex) => orchestrator(db).policies
const runs = (db: Knex) =>
  table({ db, vault }, 'controller_runs', Run, { what: 'run', computed: ['steps'], order: ['started_at', 'id'] })
const steps = (db: Knex) =>
  table({ db, vault }, 'controller_steps', RunStep, {
    what: 'step',
    private: { run_id: Type.String(), seq: Type.Integer() },
    key: ['run_id', 'seq'],
    order: [{ column: 'seq', order: 'asc' }],
  })
const drifts = (db: Knex) =>
  table({ db, vault }, 'controller_drift', Drift, {
    what: 'drift record',
    private: { id: Type.String() },
    order: ['last_seen'],
  })

onEachDatabase((database) => {
  beforeAll(async () => {
    await migrate(database.db, migrations)
    await migrate(database.db, controllerMigrations)
  })

  test('expresses workflows and their dispatches', async () => {
    const workflow = await workflows(database.db).insert({
      id: randomUUID(),
      name: 'build',
      agent_id: randomUUID(),
      trigger_config: { type: 'webhook', secret: new Secret('s') },
      prompt_template: 'do {{title}}',
      poll_interval_secs: 60,
      enabled: true,
      tool_policy: { mode: 'auto' },
      created_at: at,
      updated_at: at,
    })
    const stored = await workflows(database.db).get({ name: 'build' })
    expect(workflows(database.db).record(stored)).toMatchObject({ trigger_config: { secret: '***' }, enabled: true })
    expect(stored.trigger_config.secret?.reveal()).toBe('s')
    const table = dispatches(database.db)
    const dispatch = await table.insert({
      id: randomUUID(),
      workflow_id: workflow.id,
      source_id: 'x',
      agent_id: workflow.agent_id,
      prompt_sent: 'do it',
      status: 'pending',
      trigger_type: 'manual',
      attempt: 1,
      created_at: at,
    })
    await table.update({ id: dispatch.id, status: ['pending', 'dispatched'] }, { status: 'completed', usage: { n: 1 } })
    expect(await table.page({ where: { workflow_id: workflow.id }, limit: 50, offset: 0 })).toEqual({
      items: [{ ...dispatch, status: 'completed', usage: { n: 1 } }],
      total: 1,
    })
  })

  test('expresses approvals', async () => {
    const row = await approvals(database.db).insert({
      id: randomUUID(),
      agent_id: randomUUID(),
      request_id: 'r1',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      input_digest: 'd',
      launch: 1,
      session_number: 1,
      status: 'pending',
      created_at: at,
      expires_at: at,
    })
    const approval = approvals(database.db).record(await approvals(database.db).get(row.id))
    expect(approval).toMatchObject({ tool_input: { command: 'ls' }, decided_by: null })
    expect(approval).not.toHaveProperty('input_digest')
  })

  test('expresses prompts, the initial one first', async () => {
    const base = { agent_id: 'a', content: 'hi', status: 'queued' as const, created_at: at }
    await prompts(database.db).insert({ ...base, id: '1', kind: 'message', rank: 1 })
    await prompts(database.db).insert({ ...base, id: '2', kind: 'initial', rank: 0, policy: { mode: 'deny_all' } })
    expect(
      await prompts(database.db).list({
        where: { agent_id: 'a', status: 'queued' },
        order: [{ column: 'rank', order: 'asc' }],
      }),
    ).toMatchObject([
      { id: '2', dispatch_id: null, policy: { mode: 'deny_all' } },
      { id: '1', policy: null },
    ])
  })

  test('expresses policies with their name as key', async () => {
    await policies(database.db).insert({
      name: 'p',
      mode: 'allow_all',
      tools: ['Bash'],
      created_at: at,
      updated_at: at,
    })
    await policies(database.db).update('p', { tools: [] })
    expect(await policies(database.db).get('p')).toMatchObject({ tools: [], description: null })
    expect((await database.db('orchestrator_policies').first()).version).toBe(2)
  })

  test('expresses runs, their steps and drift', async () => {
    const summary = { create: 1, update: 0, restart: 0, replace: 0, adopt: 0, delete: 0, unchanged: 0 }
    const run = await runs(database.db).insert({
      id: 'run',
      source: 'default',
      status: 'running',
      actor: 'me',
      started_at: at,
      summary,
      diagnostics: [],
    })
    await steps(database.db).insertAll(
      [1, 0].map((seq) => ({ run_id: run.id, seq, kind: 'k', name: `n${seq}`, action: 'create', status: 'intended' })),
    )
    await steps(database.db).update({ run_id: run.id, seq: 1 }, { status: 'done' })
    expect((await steps(database.db).list({ where: { run_id: run.id } })).map((step) => step.status)).toEqual([
      'intended',
      'done',
    ])
    expect((await runs(database.db).page({ limit: 5, offset: 0 })).items).toMatchObject([{ id: 'run', summary }])
    const drift = {
      id: 'd',
      kind: 'k',
      name: 'n',
      path: 'a.b',
      desired: [1],
      live: null,
      last_applied: 'x',
      writers: [],
    }
    await drifts(database.db).put([{ ...drift, first_seen: at, last_seen: at }])
    await drifts(database.db).put([{ ...drift, live: 2, first_seen: at, last_seen: at }])
    expect(await drifts(database.db).list({ where: { resolution: null } })).toMatchObject([{ live: 2, desired: [1] }])
  })
})
