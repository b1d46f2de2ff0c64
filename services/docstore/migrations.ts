// The tables of the document store: of the documents what their files say, so that they are found; and the memories.
import type { Migrations } from '../../platform/database/database.ts'
import { auditTable } from '../../platform/store/audit.ts'
import { wordsTable } from './search/words.ts'

export const DOCUMENT_WORDS = 'docstore_document_words'
export const MEMORY_WORDS = 'docstore_memory_words'

export const migrations: Migrations = {
  prefix: 'docstore',
  steps: [
    {
      name: '001-documents',
      up: async (db) => {
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
      },
    },
    wordsTable(DOCUMENT_WORDS, '002-document-words'),
    auditTable('docstore', '003-audit'),
    {
      name: '004-memories',
      up: async (db) => {
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
      },
    },
    wordsTable(MEMORY_WORDS, '005-memory-words'),
    {
      name: '006-memory-vectors',
      up: (db) =>
        db.schema.createTable('docstore_memory_vectors', (columns) => {
          columns.integer('memory').primary()
          columns.string('model', 200).notNullable()
          columns.text('vector').notNullable()
          columns.index(['model', 'memory'])
        }),
    },
  ],
}
