import { isPostgres, type Knex } from '../../platform/database/database.ts'

/** Columns in order, constraints and indexes by table, without knex tables. */
export async function readSchema(db: Knex): Promise<Record<string, object>> {
  const tables = isPostgres(db) ? await postgresTables(db) : await sqliteTables(db)
  const names = tables.filter((name) => !/_migrations(_lock)?$/.test(name)).sort()
  const schema: Record<string, object> = {}
  for (const name of names) schema[name] = isPostgres(db) ? await postgresTable(db, name) : await sqliteTable(db, name)
  return schema
}

const sqliteTables = (db: Knex): Promise<string[]> => db('sqlite_master').where({ type: 'table' }).pluck('name')

async function sqliteTable(db: Knex, table: string): Promise<object> {
  const indexes = await db('sqlite_master')
    .where({ tbl_name: table, type: 'index' })
    .orderBy('name')
    .select('name', 'sql')
  const columnsOf = new Map<string, unknown>()
  for (const { name } of indexes) columnsOf.set(name, await db.raw(`PRAGMA index_xinfo(${name})`))
  return {
    columns: await db.raw(`PRAGMA table_xinfo(${table})`),
    keys: await db.raw(`PRAGMA foreign_key_list(${table})`),
    indexes: indexes.map(({ name, sql }) => ({ name, sql, columns: columnsOf.get(name) })),
    // Only the statement contains the options of virtual tables.
    virtual: await db('sqlite_master').where({ name: table }).whereLike('sql', 'CREATE VIRTUAL%').pluck('sql'),
  }
}

const postgresTables = (db: Knex): Promise<string[]> =>
  db('information_schema.tables').where({ table_schema: 'public' }).pluck('table_name')

async function postgresTable(db: Knex, table: string): Promise<object> {
  return {
    columns: await db('information_schema.columns')
      .where({ table_schema: 'public', table_name: table })
      .orderBy('ordinal_position')
      .select('column_name', 'data_type', 'udt_name', 'character_maximum_length', 'is_nullable', 'column_default'),
    indexes: await db('pg_indexes')
      .where({ schemaname: 'public', tablename: table })
      .orderBy('indexname')
      .pluck('indexdef'),
    constraints: await db('pg_constraint')
      .whereRaw('conrelid = ?::regclass', [table])
      .whereNot({ contype: 'n' })
      .orderBy('conname')
      .select('conname', db.raw('pg_get_constraintdef(oid) as definition')),
  }
}
