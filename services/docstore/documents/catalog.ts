// Mirrors the files in the database, for lists and search.
import * as Type from 'typebox'
import { write, type Knex } from '../../../platform/database/database.ts'
import { invalid } from '../../../platform/core/problem.ts'
import type { World } from '../../../platform/service/world.ts'
import type { Actor } from '../../../platform/core/actor.ts'
import type { Audit } from '../../../platform/store/audit.ts'
import { countOf, type Listed, type Page, type PageLimits, type Part } from '../../../platform/store/page.ts'
import { table, type RowIn } from '../../../platform/store/table.ts'
import { Document, LONGEST_DECLARED } from '../../../schemas/docstore/document.ts'
import { DOCUMENT_OWNERS, DOCUMENT_WORDS } from '../migrations.ts'
import { WordIndex } from '../search/word-index.ts'
import { unique, WHOLE, type Members, type Written } from './document-changes.ts'

const NEWEST_FIRST = ['created_at', 'id']
const PIECE = 200

/** Factor of the row number in a version, so that a recreated document gets a higher version. */
const MOST_REVISIONS = 1_000_000

const rowsOf = (world: Pick<World, 'db' | 'vault'>) =>
  table(world, 'docstore_documents', Document, {
    what: 'document',
    private: {
      digest: Type.String(),
      revision: Type.Integer(),
      /** Changes with the file or its sidecar. */
      stamp: Type.String(),
    },
    order: NEWEST_FIRST,
  })

export interface InspectedDocument extends Members {
  id: string
  version: number
}

export type Entry = RowIn<ReturnType<typeof rowsOf>>

export interface DocumentFilter {
  tags?: readonly string[]
  created_by?: string
  /** A document must contain every word. */
  q?: string
}

export class Catalog {
  readonly #db: Knex
  readonly rows: ReturnType<typeof rowsOf>
  readonly #words: WordIndex
  readonly #audit: Audit

  constructor(world: Pick<World, 'db' | 'vault'> & { audit: Audit }) {
    this.#db = world.db
    this.#audit = world.audit
    this.rows = rowsOf(world)
    this.#words = new WordIndex(world.db, DOCUMENT_WORDS)
  }

  /** Returns the stamps of every document without `ids`, or with more than `PIECE`. */
  async stamps(ids?: readonly string[]): Promise<Map<string, string>> {
    const query = this.#db(this.rows.name)
    if (ids && ids.length <= PIECE) void query.whereIn('id', [...ids])
    const found: { id: string; stamp: string }[] = await query.select('id', 'stamp')
    return new Map(found.map(({ id, stamp }) => [id, stamp]))
  }

  /** Truncates content to one character more than a manifest can declare. */
  async inspect(id?: string): Promise<InspectedDocument[]> {
    const query = this.#db(this.rows.name).orderBy('seq')
    if (id !== undefined) void query.where({ id })
    const content = this.#db.raw('substr(content, 1, ?) as content', [LONGEST_DECLARED + 1])
    const rows: (Record<'id' | 'title' | 'content' | 'tags', string> & Record<'seq' | 'revision', number>)[] =
      await query.select('id', 'title', 'tags', 'seq', 'revision', content)
    return rows.map(({ seq, revision, tags, ...rest }) => ({
      ...rest,
      tags: JSON.parse(tags) as string[],
      version: seq * MOST_REVISIONS + revision,
    }))
  }

  /** Inserts or replaces entries, and audits `written`. */
  async put(entries: readonly Entry[], written: readonly Written[] = []): Promise<void> {
    for (let at = 0; at < entries.length; at += PIECE) {
      const some = entries.slice(at, at + PIECE)
      await write(this.#db, async (transaction) => {
        await this.rows.put(some, transaction)
        const numbers = await this.#numbers(some, transaction)
        await transaction('docstore_tags')
          .whereIn('document', [...numbers.values()])
          .delete()
        const texts = some.map(({ id, title, content }) => ({ row: numbers.get(id)!, title, body: content }))
        await this.#words.put(texts, transaction)
        const tags = some.flatMap((entry) =>
          unique(entry.tags).map((tag) => ({ tag, document: numbers.get(entry.id)! })),
        )
        for (let from = 0; from < tags.length; from += PIECE)
          await transaction('docstore_tags').insert(tags.slice(from, from + PIECE))
        for (const { id, fields, by } of written.filter((each) => numbers.has(each.id)))
          // Permission was checked before the files were written.
          await this.#audit.recordAll(transaction, [{ kind: 'documents', id, members: fields, by, isFree: true }])
      })
    }
  }

  async forget(ids: readonly string[], by: Actor): Promise<void> {
    for (let at = 0; at < ids.length; at += PIECE) {
      const some = ids.slice(at, at + PIECE).map((id) => ({ id }))
      await write(this.#db, async (transaction) => {
        const found = await this.#numbers(some, transaction)
        const numbers = [...found.values()]
        await transaction('docstore_tags').whereIn('document', numbers).delete()
        await this.#words.remove(numbers, transaction)
        await transaction(DOCUMENT_OWNERS)
          .whereIn('document', [...found.keys()])
          .delete()
        await transaction(this.rows.name).whereIn('seq', numbers).delete()
        const gone = [...found.keys()].map((id) => ({ kind: 'documents', id, members: WHOLE, by, isFree: true }))
        await this.#audit.recordAll(transaction, gone)
      })
    }
  }

  /** Best match first with `q`, otherwise newest first. Throws 400 for `q` with a cursor. */
  async list<P extends Part>(filter: DocumentFilter, part: P): Promise<Listed<Document, P>> {
    if (filter.q === undefined) return this.rows.listed({ where: (query) => this.#narrow(query, filter) }, part)
    const asked: Part = part
    if ('side' in asked) {
      const message = 'cannot be combined with q, whose results are ordered by relevance: use limit and offset'
      throw invalid(`${asked.side} ${message}`, [{ path: asked.side, message, code: 'conflicting-members' }])
    }
    const { items, total } = await this.#search(filter, filter.q, asked)
    return { items: items.map((entry) => this.rows.record(entry)), total } as Page<Document> as Listed<Document, P>
  }

  async #search(filter: DocumentFilter, q: string, { limit, offset = 0 }: Partial<PageLimits>): Promise<Page<Entry>> {
    const query = this.#db(this.rows.name)
    this.#narrow(query, filter)
    const { name } = this.rows
    if (!this.#words.narrow(query, `${name}.seq`, q, 'all')) return { items: [], total: 0 }
    const total = await countOf(query)
    const ranked = query.clone().orderBy([{ column: 'score', order: 'desc' }, { column: `${name}.id` }])
    const most = Math.min(limit ?? total, total)
    const rows: Record<string, unknown>[] = await ranked.select(`${name}.*`).limit(most).offset(offset)
    return { items: rows.map((row) => this.rows.fromColumns(row)), total }
  }

  #narrow(query: Knex.QueryBuilder, { tags, created_by }: DocumentFilter): void {
    const { name } = this.rows
    if (created_by !== undefined) void query.where(`${name}.created_by`, created_by)
    if (tags !== undefined)
      void query.whereIn(
        `${name}.seq`,
        this.#db('docstore_tags')
          .whereIn('tag', [...tags])
          .select('document'),
      )
  }

  async #numbers(entries: readonly { id: string }[], on: Knex): Promise<Map<string, number>> {
    const ids = entries.map(({ id }) => id)
    const rows: { id: string; seq: number }[] = await on(this.rows.name).whereIn('id', ids).select('id', 'seq')
    return new Map(rows.map(({ id, seq }) => [id, seq]))
  }
}
