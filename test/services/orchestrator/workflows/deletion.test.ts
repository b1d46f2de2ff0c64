import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPostgres } from '../../../../platform/database/database.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, TestMachine, type TestOrchestrator, workflow } from '../harness.ts'

onEachDatabase((database) => {
  let machine: TestMachine
  let daemon: TestOrchestrator
  beforeAll(async () => {
    machine = new TestMachine({ url: database.url })
    daemon = await machine.open()
  })
  afterAll(() => machine.close())

  const waitsForLock = async (): Promise<boolean> => {
    const activity = database.db('pg_stat_activity').where({ wait_event_type: 'Lock' })
    return (await activity.whereRaw('datname = current_database()').select('pid')).length > 0
  }

  test('waits for a task that is being accepted, without a deadlock', async () => {
    const { db } = database
    const { id: agentId } = await daemon.createConnected({ name: 'worker' })
    const { id } = await daemon.orchestrator.workflows.create(workflow(agentId), alice)
    const remove = () => daemon.orchestrator.workflows.delete(id, alice)
    const cursors = () => db('orchestrator_trigger_cursors').where({ workflow_id: id })
    await cursors().insert({ workflow_id: id, cursor: 'first', updated_at: new Date().toISOString() })
    const deletion = await db.transaction(async (transaction) => {
      if (!isPostgres(transaction)) return { deleted: null }
      await transaction('orchestrator_workflows').where({ id }).forUpdate()
      const deleted = remove().catch((error: unknown) => error)
      await eventually(waitsForLock)
      await transaction('orchestrator_trigger_cursors').where({ workflow_id: id }).update({ cursor: 'second' })
      return { deleted }
    })
    // SQLite writes one transaction at a time.
    expect(await (deletion.deleted ?? remove())).toBeUndefined()
    expect(await cursors()).toEqual([])
    await expect(remove()).rejects.toMatchObject({ status: 404 })
  })
})
