import { inPieces } from '../../../platform/async/time-slices.ts'
import { LEVELS, type Level } from '../../../schemas/code-index/search.ts'
import type { Generation } from '../store/port.ts'
import type { SummaryBook } from '../summaries/book.ts'
import { KeywordIndex } from './keyword.ts'

export class Searchable {
  readonly repoId: string
  readonly generation: Generation
  readonly summaries: SummaryBook | null
  readonly #words: Map<string, number>
  readonly #keywords: ReadonlyMap<Level, KeywordIndex>
  /** Pending reads of rows, which delay `close`. */
  readonly #reading = new Set<Promise<unknown>>()

  private constructor(
    repoId: string,
    generation: Generation,
    { summaries, keywords }: { summaries: SummaryBook | null; keywords: ReadonlyMap<Level, KeywordIndex> },
  ) {
    this.summaries = summaries
    this.repoId = repoId
    this.generation = generation
    this.#keywords = keywords
    this.#words = new Map(generation.words.map((word, at) => [word, at]))
  }

  static async of(repoId: string, generation: Generation, summaries: SummaryBook | null): Promise<Searchable> {
    const keywords = new Map<Level, KeywordIndex>()
    for (const level of LEVELS)
      keywords.set(level, await inPieces(KeywordIndex.of(generation.section(level), generation.words.length)))
    return new Searchable(repoId, generation, { summaries, keywords })
  }

  keywords(level: Level): KeywordIndex {
    return this.#keywords.get(level)!
  }

  /** Keeps the generation open until `answered` settles. */
  readUntil(answered: Promise<unknown>): void {
    const read = answered.catch(() => undefined).finally(() => this.#reading.delete(read))
    this.#reading.add(read)
  }

  async close(): Promise<void> {
    await Promise.all(this.#reading)
    this.generation.close()
  }

  /** -1 for a word without rows. */
  places(words: readonly string[]): number[] {
    return words.map((word) => this.#words.get(word) ?? -1)
  }
}
