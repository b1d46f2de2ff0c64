import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Knex } from '../../../../platform/database/database.ts'
import { onPostgres, postgresDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, TestMachine, type TestOrchestrator, workflow } from '../harness.ts'

onPostgres('that deletes a workflow', () => {
  let database: Awaited<ReturnType<typeof postgresDatabase>>
  let db: Knex
  let machine: TestMachine
  let daemon: TestOrchestrator
  beforeAll(async () => {
    database = await postgresDatabase()
    db = openDatabase(database.url)
    machine = new TestMachine({ url: database.url })
    daemon = await machine.open()
  })
  afterAll(async () => {
    await machine.close()
    await db.destroy()
    await database.remove()
  })

  const waitsForLock = async (): Promise<boolean> => {
    const waiting = db('pg_stat_activity').where({ wait_event_type: 'Lock' }).whereRaw('datname = current_database()')
    return (await waiting.select('pid')).length > 0
  }

  test('waits for a task that is being accepted, without a deadlock', async () => {
    const { id: agentId } = await daemon.createConnected({ name: 'worker' })
    const { id } = await daemon.orchestrator.workflows.create(workflow(agentId), alice)
    const cursor = { workflow_id: id, cursor: 'first', updated_at: new Date().toISOString() }
    await db('orchestrator_trigger_cursors').insert(cursor)
    const deletion = await db.transaction(async (transaction) => {
      await transaction('orchestrator_workflows').where({ id }).forUpdate()
      const deleted = daemon.orchestrator.workflows.delete(id, alice).catch((error: unknown) => error)
      await eventually(waitsForLock)
      await transaction('orchestrator_trigger_cursors').where({ workflow_id: id }).update({ cursor: 'second' })
      return { deleted }
    })
    expect(await deletion.deleted).toBeUndefined()
    expect(await db('orchestrator_trigger_cursors').where({ workflow_id: id })).toEqual([])
    await expect(daemon.orchestrator.workflows.delete(id, alice)).rejects.toMatchObject({ status: 404 })
  })
})
