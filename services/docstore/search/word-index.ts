// Uses FTS5 (SQLite) or tsvector (PostgreSQL). Splits words itself, so that both give the same results.
import { isPostgres, type Knex } from '../../../platform/database/database.ts'

/** PostgreSQL limits a row of words to one megabyte. */
const MOST_CHARACTERS = 200_000
const MOST_TERMS = 32
/** PostgreSQL refuses longer words. */
const LONGEST_WORD = 200
/** Relative to a word of the body. */
const TITLE_WEIGHT = 4

/** Scripts without spaces: each character is a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu

/** In lower case without accents: `café` equals `Cafe`, `Größe` differs from `GROSSE`. */
export function wordsOf(text: string): string[] {
  const plain = text
    .slice(0, MOST_CHARACTERS)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  const words = plain.replace(UNSPACED, ' $& ').match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => word.slice(0, LONGEST_WORD))
}

export async function createWordsTable(db: Knex, table: string): Promise<void> {
  if (!isPostgres(db))
    return void (await db.raw(
      `CREATE VIRTUAL TABLE ?? USING fts5(title, body, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0')`,
      [table],
    ))
  await db.schema.createTable(table, (columns) => {
    columns.bigInteger('rowid').primary()
    columns.specificType('words', 'tsvector').notNullable()
  })
  await db.raw('CREATE INDEX ?? ON ?? USING gin (words)', [`${table}_words`, table])
}

const AT_ONCE = 20

export interface RowText {
  row: number
  title: string
  body: string
}

export class WordIndex {
  readonly #db: Knex
  readonly name: string

  /** A table created by `createWordsTable`. */
  constructor(db: Knex, name: string) {
    this.#db = db
    this.name = name
  }

  async put(texts: readonly RowText[], on: Knex): Promise<void> {
    await this.remove(
      texts.map(({ row }) => row),
      on,
    )
    const value = isPostgres(on)
      ? `(?, setweight(to_tsvector('simple', ?), 'A') || to_tsvector('simple', ?))`
      : '(?, ?, ?)'
    const columns = isPostgres(on) ? 'rowid, words' : 'rowid, title, body'
    for (let at = 0; at < texts.length; at += AT_ONCE) {
      const some = texts.slice(at, at + AT_ONCE)
      const values = some.flatMap(({ row, title, body }) => [row, wordsOf(title).join(' '), wordsOf(body).join(' ')])
      await on.raw(`INSERT INTO ?? (${columns}) VALUES ${some.map(() => value).join(', ')}`, [this.name, ...values])
    }
  }

  async remove(rows: readonly number[], on: Knex): Promise<void> {
    if (rows.length > 0) await on(this.name).whereIn('rowid', rows).delete()
  }

  /**
   * Limits `query` to rows (numbered by `column`) that match `all` or `any` words of `asked` by prefix, and adds a
   * `score`. Returns false if `asked` has no word.
   */
  narrow(query: Knex.QueryBuilder, column: string, asked: string, how: 'all' | 'any'): boolean {
    const terms = [...new Set(wordsOf(asked))].slice(0, MOST_TERMS)
    if (terms.length === 0) return false
    const { name } = this
    if (isPostgres(this.#db)) {
      void query.join(name, `${name}.rowid`, column)
      const wanted = terms.map((term) => `'${term}':*`).join(how === 'all' ? ' & ' : ' | ')
      void query
        .whereRaw(`??.words @@ to_tsquery('simple', ?)`, [name, wanted])
        .select(this.#db.raw(`ts_rank(??.words, to_tsquery('simple', ?)) as score`, [name, wanted]))
    } else {
      const wanted = terms.map((term) => `"${term}"*`).join(how === 'all' ? ' AND ' : ' OR ')
      // The limit prevents SQLite from merging the queries and searching the words again for each row.
      const found = `(SELECT rowid, -bm25(??, ${TITLE_WEIGHT}, 1) AS score FROM ?? WHERE ?? MATCH ? LIMIT -1) AS ??`
      void query
        .join(this.#db.raw(found, [name, name, name, wanted, name]), `${name}.rowid`, column)
        .select(`${name}.score`)
    }
    return true
  }
}
