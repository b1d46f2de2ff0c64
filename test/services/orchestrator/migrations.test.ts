// Tables that an earlier version wrote are brought up to date.
import { expect, test } from 'vitest'
import { migrate } from '../../../platform/database/database.ts'
import { triggerNames } from '../../../services/orchestrator/migrations/triggers.ts'
import { migrations } from '../../../services/orchestrator/migrations.ts'
import { onEachDatabase } from '../../support/databases.ts'

onEachDatabase((database) => {
  test('approvals that timed out before there was a cause get the one their reason names', async () => {
    const { db } = database
    await migrate(db, { ...migrations, steps: migrations.steps.slice(0, 1) })
    const row = (id: string, status: string, reason: string | null) => ({
      id,
      agent_id: 'agent',
      request_id: `request-${id}`,
      tool_name: 'Bash',
      tool_input: '{}',
      input_digest: 'digest',
      launch: 1,
      session_number: 1,
      status,
      reason,
      created_at: '2030-01-01T00:00:00.000Z',
      expires_at: '2030-01-01T00:05:00.000Z',
    })
    await db('orchestrator_approvals').insert([
      row('expired', 'timed_out', 'no human decision came within 5 minutes'),
      row('withdrawn', 'timed_out', 'the agent withdrew the request'),
      row('silent', 'timed_out', null),
      row('denied', 'denied', 'no human decision came within 5 minutes'),
      row('open', 'pending', null),
    ])
    await migrate(db, migrations)
    const causes = await db('orchestrator_approvals').orderBy('seq').select('id', 'cause')
    expect(causes).toEqual([
      { id: 'expired', cause: 'expired' },
      { id: 'withdrawn', cause: 'abandoned' },
      { id: 'silent', cause: 'abandoned' },
      { id: 'denied', cause: null },
      { id: 'open', cause: null },
    ])
  })

  test('a trigger that is stored under the older names gets its present ones', async () => {
    const { db } = database
    await migrate(db, migrations)
    await db.schema.alterTable('orchestrator_workflows', (table) => {
      table.string('source_type', 32)
      table.text('source_config')
    })
    const row = (id: string, trigger_config: object, more: object = {}) => ({
      id,
      name: id,
      agent_id: 'agent',
      trigger_config: JSON.stringify(trigger_config),
      prompt_template: 'Go',
      poll_interval_secs: 60,
      enabled: true,
      tool_policy: '{"mode":"auto"}',
      created_at: '2030-01-01T00:00:00.000Z',
      updated_at: '2030-01-01T00:00:00.000Z',
      ...more,
    })
    const queue = { source_type: 'queue', source_config: '{"queue_name":"jobs"}' }
    await db('orchestrator_workflows').insert([
      row('columns', {}, queue),
      row('members', { source_type: 'webhook', source_config: { secret: null } }),
      row('present', { type: 'manual' }),
    ])
    await triggerNames(db)
    const stored = await db('orchestrator_workflows').orderBy('seq').pluck('trigger_config')
    expect(stored.map((text: string) => JSON.parse(text))).toEqual([
      { type: 'queue', queue_name: 'jobs' },
      { type: 'webhook', secret: null },
      { type: 'manual' },
    ])
    expect(await db.schema.hasColumn('orchestrator_workflows', 'source_type')).toBe(false)
  })

  test('steps that were taken are not taken again', async () => {
    await migrate(database.db, migrations)
    expect(await database.db('orchestrator_migrations').orderBy('id').pluck('name')).toEqual(
      migrations.steps.map((step) => step.name),
    )
  })
})
