// A service with one record, one list and one stream, made of shared parts only.
import * as Type from 'typebox'
import { ChangeFeed } from '../../../platform/async/change-feed.ts'
import { timestamp } from '../../../platform/core/clock.ts'
import type { Knex } from '../../../platform/database/database.ts'
import { implement } from '../../../platform/http/implement.ts'
import { defineService, serve } from '../../../platform/service/define.ts'
import { addAuditPages, createAuditTable } from '../../../platform/store/audit.ts'
import { table } from '../../../platform/store/table.ts'
import { Id } from '../../../schemas/operations/parameters.ts'
import { list, operation, operations, socket } from '../../../schemas/operations/operation.ts'

const text = Type.String({ minLength: 1, maxLength: 1000 })
const Note = Type.Object({ ...Id.properties, text, created_at: Type.String() }, { $id: 'Note' })
const Input = Type.Object({ text }, { $id: 'NoteInput', additionalProperties: false })
const note = { params: Id, errors: [404] } as const
const open = { guard: 'none' } as const

const made = { body: Input, reply: { 201: Note }, ...open } as const
const make = operation('notes.make', 'POST /notes', { summary: 'Write a note', ...made })
const all = list('notes.all', '/notes', { identity: 'none', summary: 'All notes, newest first', item: Note })
const get = operation('notes.get', 'GET /notes/:id', {
  identity: 'none',
  summary: 'One note',
  ...note,
  reply: { 200: Note },
})
const drop = operation('notes.drop', 'DELETE /notes/:id', {
  summary: 'Drop a note',
  ...note,
  ...open,
  reply: { 204: null },
})
const stream = socket('notes.stream', '/stream', {
  identity: 'none',
  summary: 'Each note as it is written',
  sends: Note,
})
export const notesOperations = operations({ service: 'notes', port: 17099 }, { make, all, get, drop, stream })

async function createNotes(db: Knex): Promise<void> {
  await db.schema.createTable('notes_notes', (columns) => {
    columns.increments('seq')
    columns.string('id', 36).notNullable().unique()
    for (const name of ['text', 'created_at']) columns.text(name).notNullable()
  })
  await createAuditTable(db, 'notes')
  await addAuditPages(db, 'notes')
}

const definition = defineService({
  operations: notesOperations,
  settings: {},
  migrations: { prefix: 'notes', steps: [{ name: '001-notes', up: createNotes }] },
  open: (world) => {
    const rows = table(world, 'notes_notes', Note, { what: 'note' })
    return { world, rows, made: new ChangeFeed<object>(world.log), health: async () => ({ notes: await rows.count() }) }
  },
})

export const notes = serve(definition, (app, { world, rows, made }) => {
  implement(app, make, async ({ body }) => {
    const written = await rows.insert({ id: world.ids(), ...body, created_at: timestamp(world.clock) })
    made.publish(written)
    return written
  })
  implement(app, all, ({ page }) => (page ? rows.page(page) : rows.list()))
  implement(app, get, ({ params }) => rows.get(params.id))
  implement(app, drop, async ({ params }) => {
    await rows.get(params.id)
    await rows.delete(params.id)
  })
  implement(app, stream, {
    open: (client) => app.streams.frames(client, (listener) => made.subscribe(listener)),
  })
})
