// Named tool policies, for manifests to share.
import type { Actor } from '../../platform/actor.ts'
import { isUniqueViolation, write, type Knex } from '../../platform/database.ts'
import { noSuch, type Problem } from '../../platform/problem.ts'
import { changedFields } from '../../platform/store/audit.ts'
import { versionedList } from '../../platform/store/versioned-list.ts'
import type { PolicyInput, PolicyRecord } from '../../schemas/policy.ts'
import { canonicalPolicy } from '../../schemas/tools/policy.ts'
import { now, type ServiceParts } from './parts.ts'
import type { Policies } from './face.ts'
import { checkPolicy } from './tools/policy-input.ts'

export class PoliciesFace implements Policies {
  readonly #service: ServiceParts
  readonly #all: () => Promise<readonly PolicyRecord[]>

  constructor(service: ServiceParts) {
    this.#service = service
    const { policies } = service.tables
    this.#all = versionedList(service.db, {
      table: policies.name,
      key: 'name',
      order: [{ column: 'created_at', order: 'desc' }, { column: 'name' }],
      toRecord: (row) => policies.record(policies.fromColumns(row)),
    })
  }

  async list(): Promise<PolicyRecord[]> {
    return [...(await this.#all())]
  }

  async get(name: string): Promise<PolicyRecord> {
    const found = await this.#service.tables.policies.find(name)
    if (!found) throw await this.#noSuch(name)
    return this.#service.tables.policies.record(found)
  }

  async put(name: string, input: PolicyInput, by: Actor): Promise<{ policy: PolicyRecord; created: boolean }> {
    checkPolicy(input)
    const { mode, tools = [] } = canonicalPolicy(input, 'allow_all')
    const wanted = { mode, tools, description: input.description ?? null }
    const put = () => write(this.#service.db, (transaction) => this.#put(transaction, name, wanted, by))
    // Two that create the same policy at once: the second one changes it.
    const outcome = await put().catch((error: unknown) => (isUniqueViolation(error) ? put() : Promise.reject(error)))
    if (outcome !== 'same') this.#announce(name)
    return { policy: await this.get(name), created: outcome === 'created' }
  }

  async delete(name: string, by: Actor): Promise<void> {
    const isGone = await write(this.#service.db, async (transaction) => {
      if ((await this.#service.tables.policies.delete(name, transaction)) === 0) return false
      await this.#service.audit.record(transaction, 'policies', name, [''], by)
      return true
    })
    if (!isGone) throw await this.#noSuch(name)
    this.#announce(name)
  }

  async #noSuch(name: string): Promise<Problem> {
    return noSuch(
      'policy',
      name,
      (await this.#all()).map((policy) => policy.name),
    )
  }

  async #put(
    transaction: Knex,
    name: string,
    wanted: Pick<PolicyRecord, 'mode' | 'tools' | 'description'>,
    by: Actor,
  ): Promise<'created' | 'changed' | 'same'> {
    const { policies } = this.#service.tables
    const at = now(this.#service)
    const row = await policies.find(name, transaction)
    if (!row) {
      await policies.insert({ name, ...wanted, created_at: at, updated_at: at }, transaction)
      await this.#service.audit.record(transaction, 'policies', name, [''], by)
      return 'created'
    }
    const { mode, tools, description } = row
    const fields = changedFields({ mode, tools, description }, wanted)
    if (fields.length === 0) return 'same'
    await policies.update(name, { ...wanted, updated_at: at }, transaction)
    await this.#service.audit.record(transaction, 'policies', name, fields, by)
    return 'changed'
  }

  #announce(name: string): void {
    this.#service.feed.publish({ kind: 'policies', id: name, name })
  }
}
