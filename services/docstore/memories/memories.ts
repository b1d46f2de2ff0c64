import { currentActor } from '../../../platform/core/actor.ts'
import { timestamp } from '../../../platform/core/clock.ts'
import { ownerOf, refuseAbove, type Limit } from '../../../platform/core/limits.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import { notFound } from '../../../platform/core/problem.ts'
import type { World } from '../../../platform/service/world.ts'
import { countOf, type Listed, type Part } from '../../../platform/store/page.ts'
import { table, type RowIn } from '../../../platform/store/table.ts'
import {
  limitOf,
  Memory,
  type FoundMemories,
  type MemoryInput,
  type MemoryMade,
  type MemorySearch,
  type MemoryVisibility,
  type SimilarMemory,
  type Visibility,
} from '../../../schemas/docstore/memory.ts'
import { MEMORY_WORDS } from '../migrations.ts'
import { WordIndex } from '../search/word-index.ts'
import { fuseRankings, likeness, NEARLY_THE_SAME, rankOf } from './ranking.ts'
import type { MemoryVectors } from './vectors.ts'
import { maySee, mustOwn, refuseAnotherAuthor, viewingAs, type Viewer } from './viewer.ts'

/** Candidates for near-duplicates. */
const COMPARED = 20
/** Results per search method. */
const MOST_FOUND = 100

interface MemoryWorld extends Pick<World, 'db' | 'vault' | 'clock' | 'ids' | 'log' | 'config'> {
  limit: Limit
}

const rowsOf = (world: Pick<World, 'db' | 'vault'>) => table(world, 'docstore_memories', Memory, { what: 'memory' })
type Row = RowIn<ReturnType<typeof rowsOf>>

interface Found {
  number: number
  memory: Memory
  score: number
}

type FoundColumns = { seq: number; score?: number }

export interface MemoryFilter {
  type?: Memory['type']
  tag?: string
  created_by?: string
  visibility?: Visibility
}

export class Memories {
  readonly #world: MemoryWorld
  readonly #rows: ReturnType<typeof rowsOf>
  readonly #words: WordIndex
  readonly #vectors: MemoryVectors | null

  /** With null `vectors`, searches by words only. */
  constructor(world: MemoryWorld, vectors: MemoryVectors | null) {
    this.#world = world
    this.#vectors = vectors
    this.#rows = rowsOf(world)
    this.#words = new WordIndex(world.db, MEMORY_WORDS)
  }

  /** Throws 429 if the caller would have too many. */
  async create(viewer: Viewer, { tags = [], ...input }: MemoryInput): Promise<MemoryMade> {
    refuseAnotherAuthor(viewer, input.created_by)
    const similar = await this.#findSimilar(viewer, input.content)
    const at = timestamp(this.#world.clock)
    const memory: Memory = {
      type: 'information',
      visibility: 'public',
      shared_with: [],
      references: [],
      supersedes: null,
      ...input,
      id: this.#world.ids(),
      tags: [...new Set(tags)],
      superseded_by: null,
      created_at: at,
      updated_at: at,
    }
    await write(this.#world.db, async (transaction) => {
      await this.#refuseTooMany([...viewer.names, memory.created_by], transaction)
      if (memory.supersedes !== null) await this.#supersede(viewer, memory.supersedes, memory.id, transaction)
      await this.#rows.insert(memory, transaction)
      const number = await this.#numberOf(memory.id, transaction)
      await this.#words.put([{ row: number, title: memory.tags.join(' '), body: memory.content }], transaction)
      await this.#insertAll('tag', memory.tags, number, transaction)
      await this.#insertAll('viewer', memory.shared_with, number, transaction)
    })
    return { ...memory, similar }
  }

  /** Counts by author, because an agent can only write in its own name. */
  async #refuseTooMany(authors: readonly string[], on: Knex): Promise<void> {
    const owner = ownerOf(currentActor(), this.#world.config)
    if (owner === null) return
    refuseAbove(owner, this.#world.limit, (await this.#rows.count({ created_by: authors }, on)) + 1)
  }

  async list<P extends Part>(viewer: Viewer, filter: MemoryFilter, part: P): Promise<Listed<Memory, P>> {
    const where = (query: Knex.QueryBuilder) => {
      const { tag, ...members } = filter
      this.#limitToVisible(viewer, query)
      for (const [member, value] of Object.entries(members)) if (value !== undefined) void query.where(member, value)
      if (tag !== undefined) this.#limitToTags([tag], query)
    }
    return this.#rows.listed({ where }, part)
  }

  /** Throws 404, also for a memory that the viewer cannot see. */
  async get(viewer: Viewer, id: string): Promise<Memory> {
    return this.#rows.record(await this.#getVisible(viewer, id, this.#world.db))
  }

  async delete(viewer: Viewer, id: string): Promise<void> {
    await write(this.#world.db, async (transaction) => {
      mustOwn(viewer, await this.#getVisible(viewer, id, transaction))
      const number = await this.#numberOf(id, transaction)
      await this.#words.remove([number], transaction)
      for (const name of ['docstore_memory_tags', 'docstore_memory_viewers', 'docstore_memory_vectors'])
        await transaction(name).where({ memory: number }).delete()
      await this.#rows.delete(id, transaction)
      await this.#rows.update({ superseded_by: id }, { superseded_by: null }, transaction)
      await this.#rows.update({ supersedes: id }, { supersedes: null }, transaction)
    })
  }

  async setVisibility(viewer: Viewer, id: string, change: MemoryVisibility): Promise<Memory> {
    return write(this.#world.db, async (transaction) => {
      const row = await this.#getVisible(viewer, id, transaction)
      mustOwn(viewer, row)
      const { visibility, shared_with = visibility === 'shared' ? row.shared_with : [] } = change
      const patch = { visibility, shared_with, updated_at: timestamp(this.#world.clock) }
      await this.#rows.update(id, patch, transaction)
      const number = await this.#numberOf(id, transaction)
      await transaction('docstore_memory_viewers').where({ memory: number }).delete()
      await this.#insertAll('viewer', shared_with, number, transaction)
      return this.#rows.record({ ...row, ...patch })
    })
  }

  /** Searches by any of the words and, with embeddings, by meaning; best first. */
  async search(asking: Viewer, search: MemorySearch): Promise<FoundMemories> {
    const query = this.#queryFor(viewingAs(asking, search.as_actor), search)
    const limit = limitOf(search)
    const spoken = query.clone()
    const hasWords = this.#words.narrow(spoken, `${this.#rows.name}.seq`, search.query, 'any')
    const byWords = hasWords ? await this.#readBest(spoken, MOST_FOUND) : []
    const total = hasWords ? await countOf(spoken) : 0
    const near = await this.#findNearest(search.query, query)
    const words = byWords.map(({ number }) => number)
    const found = ({ number, memory }: Found, score: number) => ({
      ...memory,
      score,
      rank: rankOf(number, words, near),
    })
    if (near.length === 0) return { memories: byWords.slice(0, limit).map((each) => found(each, each.score)), total }
    const common = hasWords ? await countOf(spoken.clone().whereIn(`${this.#rows.name}.seq`, near)) : 0
    const best = fuseRankings([words, near]).slice(0, limit)
    const rows = new Map((await this.#readByNumber(best.map(({ number }) => number))).map((row) => [row.number, row]))
    const memories = best.flatMap(({ number, score }) => (rows.has(number) ? [found(rows.get(number)!, score)] : []))
    return { memories, total: total + near.length - common }
  }

  #queryFor(viewer: Viewer, { type, tags, from, to }: MemorySearch): Knex.QueryBuilder {
    const query = this.#world.db(this.#rows.name).whereNull('superseded_by')
    this.#limitToVisible(viewer, query)
    if (type !== undefined) void query.where({ type })
    if (tags !== undefined && tags.length > 0) this.#limitToTags(tags, query)
    if (from !== undefined) void query.where('created_at', '>=', new Date(from).toISOString())
    if (to !== undefined) void query.where('created_at', '<=', new Date(to).toISOString())
    return query
  }

  /** Empty if the endpoint fails: search by words still works. */
  async #findNearest(asked: string, query: Knex.QueryBuilder): Promise<number[]> {
    try {
      return (await this.#vectors?.nearest(asked, query, MOST_FOUND)) ?? []
    } catch (error) {
      this.#world.log.warn(
        { error: (error as Error).message },
        'failed to search memories by meaning; using words only',
      )
      return []
    }
  }

  async #readByNumber(numbers: readonly number[]): Promise<Found[]> {
    const rows = await this.#world.db(this.#rows.name).whereIn('seq', [...numbers])
    return rows.map((columns) => this.#foundOf(columns))
  }

  async #readBest(query: Knex.QueryBuilder, limit: number): Promise<Found[]> {
    const { name } = this.#rows
    const order = ['score', `${name}.seq`].map((column) => ({ column, order: 'desc' }))
    const rows: FoundColumns[] = await query.clone().select(`${name}.*`).orderBy(order).limit(limit)
    return rows.map((columns) => this.#foundOf(columns))
  }

  #foundOf(columns: FoundColumns): Found {
    const memory = this.#rows.record(this.#rows.fromColumns(columns))
    return { number: columns.seq, memory, score: columns.score ?? 0 }
  }

  async #findSimilar(viewer: Viewer, content: string): Promise<SimilarMemory[]> {
    const query = this.#world.db(this.#rows.name).whereNull('superseded_by')
    this.#limitToVisible(viewer, query)
    if (!this.#words.narrow(query, `${this.#rows.name}.seq`, content, 'any')) return []
    const near = (await this.#readBest(query, COMPARED)).map(({ memory }) => ({
      id: memory.id,
      content: memory.content,
      likeness: likeness(content, memory.content),
    }))
    return near.filter((each) => each.likeness >= NEARLY_THE_SAME).sort((a, b) => b.likeness - a.likeness)
  }

  /** Also redirects memories that the old one superseded. */
  async #supersede(viewer: Viewer, old: string, by: string, on: Knex): Promise<void> {
    mustOwn(viewer, await this.#getVisible(viewer, old, on))
    await this.#rows.update({ superseded_by: old }, { superseded_by: by }, on)
    await this.#rows.update(old, { superseded_by: by }, on)
  }

  async #getVisible(viewer: Viewer, id: string, on: Knex): Promise<Row> {
    const row = await this.#rows.get(id, on)
    if (!maySee(viewer, row)) throw notFound('memory', id)
    return row
  }

  #limitToVisible({ names, isOperator }: Viewer, query: Knex.QueryBuilder): void {
    if (isOperator) return
    const shared = this.#world
      .db('docstore_memory_viewers')
      .whereIn('viewer', [...names])
      .select('memory')
    void query.where((some: Knex.QueryBuilder) => {
      void some.where('visibility', 'public')
      if (names.length === 0) return
      void some.orWhereIn('created_by', [...names])
      void some.orWhere((two: Knex.QueryBuilder) => void two.where('visibility', 'shared').whereIn('seq', shared))
    })
  }

  #limitToTags(tags: readonly string[], query: Knex.QueryBuilder): void {
    void query.whereIn(
      'seq',
      this.#world
        .db('docstore_memory_tags')
        .whereIn('tag', [...tags])
        .select('memory'),
    )
  }

  async #insertAll(name: 'tag' | 'viewer', values: readonly string[], memory: number, on: Knex): Promise<void> {
    const rows = [...new Set(values)].map((value) => ({ [name]: value, memory }))
    if (rows.length > 0) await on(`docstore_memory_${name}s`).insert(rows)
  }

  async #numberOf(id: string, on: Knex): Promise<number> {
    const row: { seq: number } = await on(this.#rows.name).where({ id }).first('seq')
    return row.seq
  }
}
