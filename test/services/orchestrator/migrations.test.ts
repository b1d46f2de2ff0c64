// Tables that an earlier version wrote are brought up to date.
import { expect, test } from 'vitest'
import { migrate } from '../../../platform/database.ts'
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

  test('steps that were taken are not taken again', async () => {
    await migrate(database.db, migrations)
    expect(await database.db('orchestrator_migrations').orderBy('id').pluck('name')).toEqual(
      migrations.steps.map((step) => step.name),
    )
  })
})
