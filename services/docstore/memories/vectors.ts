import { eachOf, inPieces } from '../../../platform/async/time-slices.ts'
import { write, type Knex } from '../../../platform/database/database.ts'
import type { World } from '../../../platform/service/world.ts'
import { fromText, nearness, toText, type Embedder } from '../search/embedder.ts'

/** Memories per request. */
const PIECE = 32
/** Newest memories that are compared with a query. */
const COMPARED = 20_000
/** Cosine similarity below which texts are unrelated. */
const LEAST_NEARNESS = 0.5

const MEMORIES = 'docstore_memories'
const VECTORS = 'docstore_memory_vectors'

export class MemoryVectors {
  readonly #db: Knex
  readonly #embedder: Embedder

  constructor({ db }: Pick<World, 'db'>, embedder: Embedder) {
    this.#db = db
    this.#embedder = embedder
  }

  /** Computes missing vectors, newest memories first. */
  async fill(signal: AbortSignal): Promise<void> {
    const { model } = this.#embedder
    for (;;) {
      const have = this.#db(VECTORS).where({ model }).select('memory')
      const query = this.#db(MEMORIES).whereNotIn('seq', have).orderBy('seq', 'desc').limit(PIECE)
      const rows: { seq: number; content: string }[] = await query.select('seq', 'content')
      if (rows.length === 0 || signal.aborted) return
      const vectors = await this.#embedder.embed(rows.map(({ content }) => content))
      const made = rows.map(({ seq }, at) => ({ memory: seq, model, vector: toText(vectors[at]!) }))
      await write(this.#db, async (transaction) => {
        // Some may have been deleted meanwhile.
        const left: { seq: number }[] = await transaction(MEMORIES)
          .whereIn(
            'seq',
            rows.map(({ seq }) => seq),
          )
          .select('seq')
        const kept = made.filter(({ memory }) => left.some(({ seq }) => seq === memory))
        if (kept.length > 0) await transaction(VECTORS).insert(kept).onConflict('memory').merge()
      })
    }
  }

  /** Returns memories within `query`, nearest first. */
  async nearest(asked: string, query: Knex.QueryBuilder, limit: number): Promise<number[]> {
    const [wanted] = await this.#embedder.embed([asked])
    const rows: { memory: number; vector: string }[] = await query
      .clone()
      .join(VECTORS, `${VECTORS}.memory`, `${MEMORIES}.seq`)
      .where(`${VECTORS}.model`, this.#embedder.model)
      .orderBy(`${MEMORIES}.seq`, 'desc')
      .limit(COMPARED)
      .select('memory', 'vector')
    const found: { memory: number; near: number }[] = []
    await inPieces(
      eachOf(rows, ({ memory, vector }) => {
        const near = nearness(wanted!, fromText(vector))
        if (near !== null && near >= LEAST_NEARNESS) found.push({ memory, near })
      }),
    )
    return found
      .sort((a, b) => b.near - a.near)
      .slice(0, limit)
      .map(({ memory }) => memory)
  }
}
