// Named tool policies, for manifests to share.
import { isUniqueViolation, write } from '../../platform/database.ts'
import { notFound } from '../../platform/problem.ts'
import type { PolicyRecord } from '../../schemas/policy.ts'
import { canonicalPolicy } from '../../schemas/tool-policy.ts'
import { checkPolicy } from './agent-input.ts'
import { changedFields, record } from './audit.ts'
import { now, type Core } from './core.ts'
import type { Policies } from './face.ts'
import { versionedList } from './versioned-list.ts'

const TABLE = 'orchestrator_policies'

export function createPolicies(core: Core): Policies {
  const get = async (name: string, on = core.db): Promise<PolicyRecord> => {
    const row = await on(TABLE).where({ name }).first()
    if (!row) throw notFound('policy', name)
    return toRecord(row)
  }
  const list = versionedList(core, {
    table: TABLE,
    key: 'name',
    order: [{ column: 'created_at', order: 'desc' }, { column: 'name' }],
    toRecord,
  })
  const announce = (name: string) => core.feed.publish({ kind: 'policies', id: name, name })
  return {
    list: async () => [...(await list())],
    get: (name) => get(name),
    put: async (name, input, by) => {
      checkPolicy(input)
      const { mode, tools = [] } = canonicalPolicy(input, 'allow_all')
      const wanted = { mode, tools, description: input.description ?? null }
      const put = () =>
        write(core.db, async (transaction): Promise<'created' | 'changed' | 'same'> => {
          const row = await transaction(TABLE).where({ name }).forUpdate().first()
          const columns = { mode, tools: JSON.stringify(tools), description: wanted.description, updated_at: now(core) }
          if (!row) {
            await transaction(TABLE).insert({ name, ...columns, created_at: now(core) })
            await record(core, transaction, 'policies', name, [''], by)
            return 'created'
          }
          const present = toRecord(row)
          const fields = changedFields(
            { mode: present.mode, tools: present.tools, description: present.description },
            wanted,
          )
          if (fields.length === 0) return 'same'
          await transaction(TABLE)
            .where({ name })
            .update({ ...columns, version: transaction.raw('version + 1') })
          await record(core, transaction, 'policies', name, fields, by)
          return 'changed'
        })
      // Two that create the same policy at once: the second one changes it.
      const outcome = await put().catch((error: unknown) => (isUniqueViolation(error) ? put() : Promise.reject(error)))
      if (outcome !== 'same') announce(name)
      return { policy: await get(name), created: outcome === 'created' }
    },
    delete: async (name, by) => {
      await write(core.db, async (transaction) => {
        if ((await transaction(TABLE).where({ name }).delete()) === 0) throw notFound('policy', name)
        await record(core, transaction, 'policies', name, [''], by)
      })
      announce(name)
    },
  }
}

function toRecord(row: Record<string, any>): PolicyRecord {
  return {
    name: row.name,
    mode: row.mode,
    tools: JSON.parse(row.tools),
    description: row.description,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
