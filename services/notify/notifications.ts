import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import * as Type from 'typebox'
import { currentActor } from '../../platform/core/actor.ts'
import { timestamp } from '../../platform/core/clock.ts'
import { ownerOf, refuseAbove, type Limit, type Owner } from '../../platform/core/limits.ts'
import { write, type Knex } from '../../platform/database/database.ts'
import { conflict, invalid } from '../../platform/core/problem.ts'
import type { World } from '../../platform/service/world.ts'
import type { Listed, Page, PageLimits, Part } from '../../platform/store/page.ts'
import { table, type TableWorld } from '../../platform/store/table.ts'
import {
  expiryOf,
  Notification,
  NOTIFICATION_STATUSES,
  OPEN_STATUSES,
  PRIORITIES,
  type NotificationCount,
  type NotificationInput,
  type NotificationLifetime,
  type NotificationStatus,
  type NotificationUpdate,
} from '../../schemas/notify/notification.ts'

/** Rows per transaction; bounds how long requests wait. */
const PIECE = 50
const URGENT_FIRST = [{ column: 'urgency', order: 'desc' as const }, 'seq']

/** Called inside the writing transaction. */
export type Announce = (ids: readonly string[], transaction: Knex) => Promise<void>

type NotificationWorld = TableWorld & Pick<World, 'clock' | 'ids' | 'config'>

const rowsOf = (world: TableWorld) =>
  table(world, 'notify_notifications', Notification, {
    what: 'notification',
    private: {
      urgency: Type.Integer(),
      /** 1 while pending or viewed. */
      open: Type.Integer(),
      /** When the cleanup marks it expired; null if never, or already marked. */
      due_at: Type.Union([Type.String(), Type.Null()]),
    },
  })

export class Notifications {
  readonly #world: NotificationWorld
  readonly #announce: Announce
  readonly #limit: Limit
  readonly #rows: ReturnType<typeof rowsOf>

  constructor(world: NotificationWorld, limit: Limit, announce: Announce) {
    this.#world = world
    this.#limit = limit
    this.#announce = announce
    this.#rows = rowsOf(world)
  }

  /** Runs `more` in the same transaction. Throws 429 if the caller would have too many open ones. */
  async create(
    input: NotificationInput,
    more: (made: Notification, transaction: Knex) => Promise<void>,
  ): Promise<Notification> {
    const at = timestamp(this.#world.clock)
    const lifetime = this.#lifetime(input.lifetime)
    const owner = ownerOf(currentActor(), this.#world.config)
    return write(this.#world.db, async (transaction) => {
      if (owner !== null) await this.#refuseTooMany(owner, transaction)
      const row = await this.#rows.insert(
        {
          ...input,
          lifetime,
          id: this.#world.ids(),
          status: 'Pending',
          urgency: PRIORITIES.indexOf(input.priority),
          open: 1,
          owner: owner?.id ?? null,
          due_at: expiryOf(lifetime),
          created_at: at,
          updated_at: at,
        },
        transaction,
      )
      const made = this.#rows.record(row)
      await more(made, transaction)
      await this.#announce([made.id], transaction)
      return made
    })
  }

  async #refuseTooMany(owner: Owner, on: Knex): Promise<void> {
    refuseAbove(owner, this.#limit, (await this.#rows.count({ owner: owner.id, open: 1 }, on)) + 1)
  }

  /** Newest first. */
  async list<P extends Part>(filter: { status?: NotificationStatus }, part: P): Promise<Listed<Notification, P>> {
    return this.#rows.listed({ where: filter }, part)
  }

  /** Most urgent first, then newest. */
  async listActionable(part: Partial<PageLimits>): Promise<Page<Notification>> {
    const now = timestamp(this.#world.clock)
    const where = (query: Knex.QueryBuilder) =>
      void query
        .where('open', 1)
        .where((either: Knex.QueryBuilder) => void either.whereNull('due_at').orWhere('due_at', '>', now))
    return this.#rows.listed({ where, order: URGENT_FIRST }, part)
  }

  /** Newest first. */
  async listHistory<P extends Part>(part: P): Promise<Listed<Notification, P>> {
    return this.#rows.listed({ where: { open: 0 } }, part)
  }

  async count(): Promise<NotificationCount> {
    const rows: { status: NotificationStatus; many: number | string }[] = await this.#world
      .db(this.#rows.name)
      .groupBy('status')
      .select('status')
      .count({ many: '*' })
    const found = new Map(rows.map(({ status, many }) => [status, Number(many)]))
    const by_status = Object.fromEntries(
      NOTIFICATION_STATUSES.map((status) => [status, found.get(status) ?? 0]),
    ) as NotificationCount['by_status']
    return { total: [...found.values()].reduce((sum, many) => sum + many, 0), by_status }
  }

  async get(id: string): Promise<Notification> {
    return this.#rows.record(await this.#rows.get(id))
  }

  async some(ids: readonly string[]): Promise<Notification[]> {
    const rows = await this.#rows.list({ where: { id: ids }, order: [{ column: 'seq', order: 'asc' }] })
    return rows.map((row) => this.#rows.record(row))
  }

  /** Throws 400 for an unrequested response, 409 after the expiry. */
  async update(id: string, { status, response }: NotificationUpdate): Promise<Notification> {
    return write(this.#world.db, async (transaction) => {
      const row = await this.#rows.get(id, transaction)
      if (response !== undefined) this.#mayAnswer(row)
      const next = status ?? (response === undefined ? row.status : 'Responded')
      const change = {
        status: next,
        ...(response === undefined ? {} : { response }),
        open: OPEN_STATUSES.includes(next) ? 1 : 0,
        due_at: next === 'Expired' ? null : expiryOf(row.lifetime),
        updated_at: timestamp(this.#world.clock),
      }
      await this.#rows.update(id, change, transaction)
      await this.#announce([id], transaction)
      return this.#rows.record({ ...row, ...change })
    })
  }

  async delete(id: string): Promise<void> {
    await write(this.#world.db, async (transaction) => {
      await this.#rows.get(id, transaction)
      await this.#rows.delete(id, transaction)
    })
  }

  /** Deletes notifications marked earlier, then marks expired ones. */
  async cleanUp(signal: AbortSignal): Promise<void> {
    for (const work of [() => this.#deleteExpired(), () => this.#markExpired()])
      // Lets pending requests run.
      while (!signal.aborted && (await work()) === PIECE) await turnOfTheLoop()
  }

  #deleteExpired(): Promise<number> {
    return write(this.#world.db, (transaction) => {
      const some = transaction(this.#rows.name).where({ status: 'Expired' }).orderBy('seq').limit(PIECE).select('seq')
      return transaction(this.#rows.name).whereIn('seq', some).delete()
    })
  }

  #markExpired(): Promise<number> {
    const now = timestamp(this.#world.clock)
    return write(this.#world.db, async (transaction) => {
      const some = transaction(this.#rows.name).where('due_at', '<=', now).orderBy('due_at').limit(PIECE).select('seq')
      const marked: { id: string }[] = await transaction(this.#rows.name)
        .whereIn('seq', some)
        .update({ status: 'Expired', open: 0, due_at: null, updated_at: now })
        .returning('id')
      if (marked.length > 0)
        await this.#announce(
          marked.map(({ id }) => id),
          transaction,
        )
      return marked.length
    })
  }

  /** Converts to UTC. Throws 400 if it is in the past. */
  #lifetime(given: NotificationLifetime): NotificationLifetime {
    const expiry = expiryOf(given)
    if (expiry === null) return given
    const at = Date.parse(expiry)
    const path = 'lifetime.Ephemeral.expires_at'
    if (at > this.#world.clock.now()) return { Ephemeral: { expires_at: new Date(at).toISOString() } }
    const message = `should be in the future, instead got "${expiry}"; the time is now ${timestamp(this.#world.clock)}`
    throw invalid(`${path} ${message}`, [{ path, message, code: 'invalid-value' }])
  }

  #mayAnswer({ id, status, requires_response, lifetime }: Notification): void {
    if (!requires_response) {
      const message = `is not accepted: notification ${id} does not request one; set a status such as Dismissed`
      throw invalid(`response ${message}`, [{ path: 'response', message, code: 'invalid-value' }])
    }
    const expiry = expiryOf(lifetime)
    const isOver = status === 'Expired' || (expiry !== null && Date.parse(expiry) <= this.#world.clock.now())
    if (isOver)
      throw conflict(
        `notification ${id} has expired${expiry === null ? '' : ` at ${expiry}`}: it can no longer be answered`,
      )
  }
}
