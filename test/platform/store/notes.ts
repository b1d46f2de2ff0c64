// A table with fields of every shape.
import { randomUUID } from 'node:crypto'
import * as Type from 'typebox'
import type { migrate } from '../../../platform/database/database.ts'
import { table, type Table } from '../../../platform/store/table.ts'
import { Vault } from '../../../platform/secrets/vault.ts'
import { Secret } from '../../../schemas/secret.ts'

const nullableText = Type.Union([Type.String(), Type.Null()])

const Note = Type.Object({
  id: Type.String(),
  title: Type.String(),
  status: Type.Enum(['open', 'closed']),
  urgent: Type.Boolean(),
  muted: Type.Union([Type.Boolean(), Type.Null()]),
  ratio: Type.Number(),
  bytes: Type.Integer(),
  tags: Type.Array(Type.String()),
  extra: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  anything: Type.Unknown(),
  channel: Type.Object({ url: Type.String() }, { additionalProperties: true }),
  closed_at: nullableText,
  comment: Type.Optional(Type.String()),
  age: Type.Integer(),
  created_at: Type.String({ format: 'date-time' }),
})

const world = { vault: Vault.ephemeral() }

export function notesOf(db: Parameters<typeof migrate>[0]) {
  return table({ db, ...world }, 'notes_notes', Note, {
    what: 'note',
    private: {
      channel: Type.Unsafe<{ url: string; token: Secret }>(Type.Object({})),
      password: Type.Unsafe<Secret | null>(Type.Union([Type.String(), Type.Null()])),
      attempt: Type.Integer(),
    },
    computed: ['age'],
    sealed: ['channel', 'password'],
    columns: { closed_at: 'ended' },
    defaults: { attempt: 1, urgent: false },
    versioned: true,
  })
}
export type Notes = ReturnType<typeof notesOf>
export type NoteRow = Notes extends Table<infer R, any, any> ? R : never

export const migrations = {
  prefix: 'notes',
  steps: [
    {
      name: '001',
      up: async (db: Parameters<typeof migrate>[0]) => {
        await db.schema.createTable('notes_notes', (columns) => {
          columns.increments('seq')
          columns.string('id', 36).notNullable().unique()
          for (const text of ['title', 'status', 'tags', 'anything', 'channel']) columns.text(text).notNullable()
          for (const text of ['extra', 'password', 'comment']) columns.text(text)
          columns.boolean('urgent').notNullable()
          columns.boolean('muted')
          columns.double('ratio').notNullable()
          columns.bigInteger('bytes').notNullable()
          columns.integer('attempt').notNullable()
          columns.integer('version').notNullable().defaultTo(1)
          columns.string('ended', 30)
          columns.string('created_at', 30).notNullable()
        })
      },
    },
  ],
}

export const note = (over: Partial<NoteRow> = {}) => ({
  id: randomUUID(),
  title: 'one',
  status: 'open' as const,
  ratio: 0.5,
  bytes: 2 ** 40,
  tags: ['a'],
  anything: null,
  channel: { url: 'https://x', token: new Secret('hunter2') },
  created_at: '2030-01-01T00:00:00.000Z',
  ...over,
})
