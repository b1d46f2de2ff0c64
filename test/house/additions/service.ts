// A service, as small as it can be: the notes.
import type { Addition } from './addition.ts'

export const service: Addition = {
  made: {
    'schemas/operations/notes.ts': `
// What can be asked of the notes.
import Type, { type Static } from 'typebox'
import { Id } from './parameters.ts'
import { list, operation, operations } from './operation.ts'

const text = Type.String({ minLength: 1, maxLength: 1000 })
export const Note = Type.Object({ ...Id.properties, text, created_at: Type.String() }, { $id: 'Note' })
export type Note = Static<typeof Note>
const NoteInput = Type.Object({ text }, { $id: 'NoteInput', additionalProperties: false })

export const listNotes = list({ id: 'notes.listNotes', summary: 'All notes', path: '/notes', item: Note })

export const createNote = operation({
  id: 'notes.createNote',
  summary: 'Write a note',
  method: 'POST',
  path: '/notes',
  guard: 'none',
  body: NoteInput,
  reply: { 201: Note },
})

export const notesOperations = operations({ service: 'notes', port: 17099 }, { listNotes, createNote })
`,
    'services/notes/face.ts': `
// The face of the notes: what their routes may ask of them.
import type { Note } from '../../schemas/operations/notes.ts'

export interface Notes {
  /** Newest first. */
  list(): Promise<Note[]>
  create(text: string): Promise<Note>
}
`,
    'services/notes/migrations.ts': `
// The tables of the notes.
import type { Migrations } from '../../platform/database/database.ts'
import { auditTable } from '../../platform/store/audit.ts'

export const migrations: Migrations = {
  prefix: 'notes',
  steps: [
    {
      name: '001-notes',
      up: (db) =>
        db.schema.createTable('notes_notes', (columns) => {
          columns.increments('seq')
          columns.string('id', 36).notNullable().unique()
          for (const name of ['text', 'created_at']) columns.text(name).notNullable()
        }),
    },
    auditTable('notes', '002-audit'),
  ],
}
`,
    'services/notes/service.ts': `
// The notes as a service.
import { timestamp } from '../../platform/core/clock.ts'
import { defineService, type Opened } from '../../platform/service/define.ts'
import { table } from '../../platform/store/table.ts'
import { Note, notesOperations } from '../../schemas/operations/notes.ts'
import type { Notes } from './face.ts'
import { migrations } from './migrations.ts'

export const notes = defineService({
  operations: notesOperations,
  settings: {},
  migrations,
  open: (world): Notes & Opened => {
    const rows = table(world, 'notes_notes', Note, { what: 'note' })
    return {
      list: () => rows.list(),
      create: (text) => rows.insert({ id: world.ids(), text, created_at: timestamp(world.clock) }),
    }
  },
})
`,
    'api/notes.ts': `
// The notes over HTTP.
import type { FastifyInstance } from 'fastify'
import { implement } from '../platform/http/implement.ts'
import { createNote, listNotes } from '../schemas/operations/notes.ts'
import type { Notes } from '../services/notes/face.ts'

export function notesRoutes(app: FastifyInstance, notes: Notes): void {
  implement(app, listNotes, () => notes.list())
  implement(app, createNote, ({ body }) => notes.create(body.text))
}
`,
    'docs/services/notes.md': '# Notes\n\nKeeps short texts.\n',
  },
  touched: {
    'schemas/operations/services.ts': [
      [
        "import { notifyOperations } from './notify.ts'\n",
        "import { notesOperations } from './notes.ts'\nimport { notifyOperations } from './notify.ts'\n",
      ],
      ['  indexOperations,\n', '  indexOperations,\n  notesOperations,\n'],
    ],
    'daemon/services.ts': [
      [
        "import { orchestratorRoutes } from '../api/orchestrator/index.ts'\n",
        "import { notesRoutes } from '../api/notes.ts'\nimport { orchestratorRoutes } from '../api/orchestrator/index.ts'\n",
      ],
      [
        "import { orchestrator } from '../services/orchestrator/service.ts'\n",
        "import { notes } from '../services/notes/service.ts'\nimport { orchestrator } from '../services/orchestrator/service.ts'\n",
      ],
      ['readonly Served[] => [\n', 'readonly Served[] => [\n  serve(notes, notesRoutes),\n'],
    ],
    'docs/api.md': [
      [
        '\n### controller\n',
        '\n### notes\n\n| operation | what it does |\n|---|---|\n| `GET /notes` | All notes |\n| `POST /notes` | Write a note |\n\n### controller\n',
      ],
    ],
  },
}
