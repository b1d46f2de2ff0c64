// Triggers that are stored under the names they had before: `source_type`, and `source_config` without its type.
import type { Knex } from '../../../platform/database/database.ts'

type Stored = Record<string, unknown> & { trigger_config: string }

/** As a column of the row, or as a member of what is stored. */
export async function triggerNames(db: Knex): Promise<void> {
  const name = 'orchestrator_workflows'
  const before = ['source_type', 'source_config']
  const columns = await Promise.all(before.map((column) => db.schema.hasColumn(name, column)))
  const rows: Stored[] = await db(name).select('id', 'trigger_config', ...before.filter((_, at) => columns[at]))
  for (const { id, trigger_config, ...old } of rows) {
    const stored = JSON.parse(trigger_config) as Record<string, unknown>
    const renamed = withPresentNames({ ...stored, ...dropNull(old) })
    if (renamed)
      await db(name)
        .where({ id })
        .update({ trigger_config: JSON.stringify(renamed) })
  }
  for (const [at, column] of before.entries())
    if (columns[at]) await db.schema.alterTable(name, (table) => table.dropColumn(column))
}

/** Null where it has them already. */
function withPresentNames(stored: Record<string, unknown>): Record<string, unknown> | null {
  const { source_type, source_config, ...rest } = stored
  if (source_type === undefined && source_config === undefined) return null
  const config: object = typeof source_config === 'string' ? JSON.parse(source_config) : (source_config ?? {})
  return { ...rest, ...config, ...(source_type === undefined ? {} : { type: source_type }) }
}

const dropNull = (members: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
