import type { Knex } from '../../../platform/database/database.ts'
import type { TriggeredTask } from '../record/triggered-task.ts'
import type { Reading } from '../record/world.ts'

/** Returns new tasks and marks them as seen. Call in the transaction that stores them. */
export async function dropSeenTasks(
  { tables }: Reading,
  transaction: Knex,
  workflow_id: string,
  tasks: readonly TriggeredTask[],
): Promise<TriggeredTask[]> {
  const names = new Set(tasks.flatMap(({ seenAs }) => seenAs ?? []))
  if (names.size === 0) return [...tasks]
  const where = { workflow_id, name: [...names] }
  for (const { name } of await tables.seenTasks.list({ where }, transaction)) names.delete(name)
  const added = [...names].map((name) => ({ workflow_id, name }))
  await tables.seenTasks.insertAll(added, transaction)
  // A list may contain a name twice.
  return tasks.filter(({ seenAs }) => seenAs === undefined || names.delete(seenAs))
}

/** Deduplication keys of a workflow. */
export async function listSeenTasks({ tables }: Reading, workflow_id: string): Promise<string[]> {
  return (await tables.seenTasks.list({ where: { workflow_id } })).map(({ name }) => name)
}

/** Lets tasks with these keys be accepted again. */
export async function forgetSeenTasks(
  { tables }: Reading,
  transaction: Knex,
  workflow_id: string,
  names: readonly string[],
): Promise<void> {
  if (names.length > 0) await tables.seenTasks.delete({ workflow_id, name: [...names] }, transaction)
}

export async function forgetProgress({ tables }: Reading, transaction: Knex, workflow_id: string): Promise<void> {
  await tables.cursors.delete(workflow_id, transaction)
  await tables.seenTasks.delete({ workflow_id }, transaction)
  await tables.chainEnds.delete({ workflow_id }, transaction)
}
