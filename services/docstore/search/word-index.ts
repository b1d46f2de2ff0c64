// Search by words: FTS5 of SQLite, text search of PostgreSQL. What a word is, is decided here, so that both find the
// same.
import { isPostgres, type Knex } from '../../../platform/database/database.ts'

/** Characters of a text that are searched: PostgreSQL keeps at most a megabyte of words in a row. */
const MOST_CHARACTERS = 200_000
const MOST_TERMS = 32
/** Letters; PostgreSQL refuses words that are longer than it takes. */
const LONGEST_WORD = 200
/** A word of the title weighs as much as so many of the text. */
const TITLE_WEIGHT = 4

/** Scripts that put no blanks between words: each character counts as a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu

/** The words of a text, without accents and in lower case: `Größe` and `GROSSE` differ, `café` and `Cafe` do not. */
export function wordsOf(text: string): string[] {
  const plain = text
    .slice(0, MOST_CHARACTERS)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  const words = plain.replace(UNSPACED, ' $& ').match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) => word.slice(0, LONGEST_WORD))
}

/** Creates the table that indexes the words of another table's rows. */
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

/** Rows of an insert statement. */
const AT_ONCE = 20

/** What is found of a row: its number, and its texts. */
export interface RowText {
  row: number
  title: string
  body: string
}

export class WordIndex {
  readonly #db: Knex
  readonly name: string

  /** `name`: the table that `createWordsTable` creates. */
  constructor(db: Knex, name: string) {
    this.#db = db
    this.name = name
  }

  /** The words of some rows, in the place of those they had. */
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
   * Keeps of `query` the rows whose number, in `column`, has `all` (or `any`) of the words of `asked`, each as the
   * beginning of a word, and adds their `score`, the greater the better. False for a text without a word.
   */
  narrow(query: Knex.QueryBuilder, column: string, asked: string, how: 'all' | 'any'): boolean {
    const terms = [...new Set(wordsOf(asked))].slice(0, MOST_TERMS)
    if (terms.length === 0) return false
    const { name } = this
    void query.join(name, `${name}.rowid`, column)
    if (isPostgres(this.#db)) {
      const wanted = terms.map((term) => `'${term}':*`).join(how === 'all' ? ' & ' : ' | ')
      void query
        .whereRaw(`??.words @@ to_tsquery('simple', ?)`, [name, wanted])
        .select(this.#db.raw(`ts_rank(??.words, to_tsquery('simple', ?)) as score`, [name, wanted]))
    } else {
      const wanted = terms.map((term) => `"${term}"*`).join(how === 'all' ? ' AND ' : ' OR ')
      void query
        .whereRaw('?? MATCH ?', [name, wanted])
        .select(this.#db.raw(`-bm25(??, ${TITLE_WEIGHT}, 1) as score`, [name]))
    }
    return true
  }
}
