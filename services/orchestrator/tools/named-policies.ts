import type { Actor } from '../../../platform/core/actor.ts'
import { isUniqueViolation, write, type Knex } from '../../../platform/database/database.ts'
import { noSuch, type Problem } from '../../../platform/core/problem.ts'
import { changedFields } from '../../../platform/store/audit.ts'
import { refuseMoved, type Seen } from '../../../platform/store/write-preconditions.ts'
import { versionedList } from '../../../platform/store/versioned-list.ts'
import { canonical } from '../../../schemas/members.ts'
import { policyKind, type PolicyInput, type PolicyRecord } from '../../../schemas/policy.ts'
import { policyMembers } from '../../../schemas/tools/named-policy.ts'
import { canonicalPolicy } from '../../../schemas/tools/policy.ts'
import type { EventsWorld } from '../events/world.ts'
import { now, type RecordWorld } from '../record/world.ts'
import type { InspectedPolicy, Policies, PolicyMembers } from '../face.ts'
import type { PolicyRow } from '../record/tables.ts'
import { checkPolicy } from '../policy/validation.ts'

export class PoliciesFace implements Policies {
  readonly #record: RecordWorld
  readonly #feed: EventsWorld['feed']
  readonly #all: () => Promise<readonly InspectedPolicy[]>

  constructor(record: RecordWorld, feed: EventsWorld['feed']) {
    this.#record = record
    this.#feed = feed
    const { policies } = record.tables
    this.#all = versionedList(record.db, {
      table: policies.name,
      key: 'name',
      order: [{ column: 'created_at', order: 'desc' }, { column: 'name' }],
      toRecord: (row) => this.#inspect(policies.fromColumns(row)),
    })
  }

  async list(): Promise<PolicyRecord[]> {
    return (await this.#all()).map(({ record }) => record)
  }

  async get(name: string): Promise<PolicyRecord> {
    const found = await this.find(name)
    if (!found) throw await this.#noSuch(name)
    return found.record
  }

  async find(name: string): Promise<InspectedPolicy | null> {
    const found = await this.#record.tables.policies.find(name)
    return found ? this.#inspect(found) : null
  }

  async inspectAll(): Promise<InspectedPolicy[]> {
    return [...(await this.#all())]
  }

  async put(name: string, input: PolicyInput, by: Actor): Promise<{ policy: PolicyRecord; created: boolean }> {
    checkPolicy(input)
    const wanted = canonical(policyMembers, input)
    const put = () => write(this.#record.db, (transaction) => this.#put(transaction, name, wanted, by))
    // The second of two concurrent creations becomes an update.
    const outcome = await put().catch((error: unknown) => (isUniqueViolation(error) ? put() : Promise.reject(error)))
    if (outcome !== 'same') this.#announce(name)
    return { policy: await this.get(name), created: outcome === 'created' }
  }

  async assign(
    name: string,
    members: Partial<PolicyMembers>,
    by: Actor,
    seen?: Seen<PolicyMembers>,
  ): Promise<PolicyRecord> {
    const isChanged = await write(this.#record.db, async (transaction) => {
      const present = await this.#record.tables.policies.find(name, transaction)
      if (!present) return null
      refuseMoved<PolicyMembers>(`policy ${name}`, present, seen)
      // Fields that a changed mode does not take are dropped.
      const wanted = canonical(policyMembers, { ...membersOf(present), ...members })
      checkPolicy(wanted)
      return this.#change(transaction, present, wanted, by)
    })
    if (isChanged === null) throw await this.#noSuch(name)
    if (isChanged) this.#announce(name)
    return this.get(name)
  }

  async delete(name: string, by: Actor): Promise<void> {
    const isGone = await write(this.#record.db, async (transaction) => {
      if ((await this.#record.tables.policies.delete(name, transaction)) === 0) return false
      await this.#record.audit.record(transaction, 'policies', name, [''], by)
      return true
    })
    if (!isGone) throw await this.#noSuch(name)
    this.#announce(name)
  }

  async #noSuch(name: string): Promise<Problem> {
    return noSuch(
      'policy',
      name,
      (await this.#all()).map(({ record }) => record.name),
    )
  }

  async #put(
    transaction: Knex,
    name: string,
    wanted: PolicyMembers,
    by: Actor,
  ): Promise<'created' | 'changed' | 'same'> {
    const { policies } = this.#record.tables
    const row = await policies.find(name, transaction)
    if (!row) {
      const at = now(this.#record)
      await policies.insert({ name, ...wanted, created_at: at, updated_at: at }, transaction)
      await this.#record.audit.record(transaction, 'policies', name, [''], by)
      return 'created'
    }
    return (await this.#change(transaction, row, wanted, by)) ? 'changed' : 'same'
  }

  async #change(transaction: Knex, row: PolicyRow, wanted: PolicyMembers, by: Actor): Promise<boolean> {
    const fields = changedFields(membersOf(row), wanted, policyKind.keyed)
    if (fields.length === 0) return false
    const changed = { ...wanted, updated_at: now(this.#record) }
    await this.#record.tables.policies.update(row.name, changed, transaction)
    await this.#record.audit.record(transaction, 'policies', row.name, fields, by)
    return true
  }

  #inspect(row: PolicyRow): InspectedPolicy {
    return { record: recordOf(row), version: row.version }
  }

  #announce(name: string): void {
    this.#feed.publish({ kind: 'policies', id: name, name })
  }
}

function membersOf(row: PolicyMembers): PolicyMembers {
  const { mode, tools, ask, deny, otherwise, sandbox, description } = row
  return { mode, tools, ask, deny, otherwise, sandbox, description }
}

/** Without the fields that have their default. */
function recordOf(row: PolicyRow): PolicyRecord {
  const { name, sandbox, description, created_at, updated_at } = row
  const policy = canonicalPolicy(row, row.mode)
  return {
    name,
    ...policy,
    tools: policy.tools ?? [],
    ...(sandbox === null ? {} : { sandbox }),
    description,
    created_at,
    updated_at,
  }
}
