// Documents are files; their tables only serve lists and search.
import type { Knex, Migrations } from '../../platform/database/database.ts'
import { addAuditPages, createAuditTable } from '../../platform/store/audit.ts'
import { pageIndex } from '../../platform/store/page.ts'
import { createWordsTable } from './search/word-index.ts'

export const DOCUMENT_WORDS = 'docstore_document_words'
export const MEMORY_WORDS = 'docstore_memory_words'
export const DOCUMENT_OWNERS = 'docstore_document_owners'

export const migrations: Migrations = {
  prefix: 'docstore',
  replaces: [
    '001-documents',
    '002-document-words',
    '003-audit',
    '004-memories',
    '005-memory-words',
    '006-memory-vectors',
  ],
  steps: [
    { name: '0.1.0', up: createTables },
    { name: 'document-owners', up: createOwnersTable },
    { name: 'memory-pages', up: (db) => pageIndex(db, 'docstore_memories', ['type', 'seq']) },
    { name: 'audit-pages', up: (db) => addAuditPages(db, 'docstore') },
  ],
}

async function createTables(db: Knex): Promise<void> {
  await db.schema.createTable('docstore_documents', (columns) => {
    columns.increments('seq')
    columns.string('id', 255).notNullable().unique()
    for (const name of ['title', 'content', 'tags', 'created_by']) columns.text(name).notNullable()
    columns.string('created_at', 30).notNullable()
    columns.string('updated_at', 30).notNullable()
    columns.string('digest', 64).notNullable()
    columns.integer('revision').notNullable()
    columns.text('stamp').notNullable()
    columns.index(['created_at', 'id'])
    columns.index(['created_by', 'created_at', 'id'])
  })
  await db.schema.createTable('docstore_tags', (columns) => {
    columns.string('tag', 100).notNullable()
    columns.integer('document').notNullable()
    columns.primary(['tag', 'document'])
    columns.index(['document'])
  })
  await db.schema.createTable('docstore_memories', (columns) => {
    columns.increments('seq')
    columns.string('id', 36).notNullable().unique()
    for (const name of ['content', 'tags', 'shared_with', 'references']) columns.text(name).notNullable()
    columns.string('type', 16).notNullable()
    columns.string('created_by', 200).notNullable()
    columns.string('visibility', 16).notNullable()
    for (const name of ['supersedes', 'superseded_by']) columns.string(name, 36)
    columns.string('created_at', 30).notNullable()
    columns.string('updated_at', 30).notNullable()
    columns.index(['visibility', 'seq'])
    columns.index(['created_by', 'seq'])
  })
  for (const name of ['tag', 'viewer'])
    await db.schema.createTable(`docstore_memory_${name}s`, (columns) => {
      columns.string(name, 200).notNullable()
      columns.integer('memory').notNullable()
      columns.primary([name, 'memory'])
      columns.index(['memory'])
    })
  await db.schema.createTable('docstore_memory_vectors', (columns) => {
    columns.integer('memory').primary()
    columns.string('model', 200).notNullable()
    columns.text('vector').notNullable()
    columns.index(['model', 'memory'])
  })
  await createWordsTable(db, DOCUMENT_WORDS)
  await createWordsTable(db, MEMORY_WORDS)
  await createAuditTable(db, 'docstore')
}

async function createOwnersTable(db: Knex): Promise<void> {
  await db.schema.createTable(DOCUMENT_OWNERS, (columns) => {
    columns.string('document', 255).primary()
    columns.string('owner', 256).notNullable()
    columns.bigInteger('bytes').notNullable()
    columns.index(['owner', 'bytes'])
  })
}
