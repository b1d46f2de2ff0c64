import type { Addition } from './addition.ts'

export const service: Addition = {
  made: {
    'schemas/operations/notes.ts': `
// Operations of the notes service.
import * as Type from 'typebox'
import { Id } from './parameters.ts'
import { list, operation, operations } from './operation.ts'

const text = Type.String({ minLength: 1, maxLength: 1000 })
export const Note = Type.Object({ ...Id.properties, text, created_at: Type.String() }, { $id: 'Note' })
export type Note = Type.Static<typeof Note>
const NoteInput = Type.Object({ text }, { $id: 'NoteInput', additionalProperties: false })

export const listNotes = list('notes.listNotes', '/notes', { identity: 'none', summary: 'List notes', item: Note })

export const createNote = operation('notes.createNote', 'POST /notes', {
  summary: 'Write a note',
  guard: 'none',
  body: NoteInput,
  reply: { 201: Note },
})

export const notesOperations = operations({ service: 'notes', port: 17099 }, { listNotes, createNote })
`,
    'services/notes/face.ts': `
// Interface of the notes service.
import type { Note } from '../../schemas/operations/notes.ts'

export interface Notes {
  /** Newest first. */
  list(): Promise<Note[]>
  create(text: string): Promise<Note>
}
`,
    'services/notes/migrations.ts': `
// Tables of the notes service.
import type { Migrations } from '../../platform/database/database.ts'
import { addAuditPages, createAuditTable } from '../../platform/store/audit.ts'

export const migrations: Migrations = {
  prefix: 'notes',
  steps: [
    {
      name: '001-notes',
      up: async (db) => {
        await db.schema.createTable('notes_notes', (columns) => {
          columns.increments('seq')
          columns.string('id', 36).notNullable().unique()
          for (const name of ['text', 'created_at']) columns.text(name).notNullable()
        })
        await createAuditTable(db, 'notes')
        await addAuditPages(db, 'notes')
      },
    },
  ],
}
`,
    'services/notes/service.ts': `
// The notes service.
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
// Routes of the notes service.
import type { FastifyInstance } from 'fastify'
import { implement } from '../platform/http/implement.ts'
import { createNote, listNotes } from '../schemas/operations/notes.ts'
import type { Notes } from '../services/notes/face.ts'

export function notesRoutes(app: FastifyInstance, notes: Notes): void {
  implement(app, listNotes, () => notes.list())
  implement(app, createNote, ({ body }) => notes.create(body.text))
}
`,
    'cli/agent/notes/index.ts': `
// Commands of \`agent notes\`.
import { createNote, listNotes, notesOperations as group } from '../../../schemas/operations/notes.ts'
import { lines } from '../../output/records.ts'
import { renderTable } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { verb } from '../../verb.ts'

export const notes: readonly CommandEntry[] = [
  verb('list', group, listNotes, {
    examples: ['agent notes list'],
    done: (all) => renderTable(all, [{ title: 'TEXT', value: ({ text }) => text }], 'No note.'),
  }),
  verb('create', group, createNote, {
    args: [{ member: 'text', shown: '<text>', help: 'Text of the note' }],
    examples: ['agent notes create "We release on Tuesdays."'],
    done: (note) => lines(note),
  }),
]
`,
    'test/services/notes/notes.test.ts': `
import { expect, test } from 'vitest'
import { notesRoutes } from '../../../api/notes.ts'
import { serve } from '../../../platform/service/define.ts'
import { notes } from '../../../services/notes/service.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { request } from '../../support/http.ts'
import { startServices } from '../../support/services.ts'

test('lists created notes', async () => {
  const { url, remove } = await sqliteDatabase()
  const stand = await startServices([serve(notes, notesRoutes)], { url })
  const address = \`\${stand.host.urls.notes}/notes\`
  const written = await request('POST', address, { text: 'Rotate the key.' })
  expect(await request('GET', address)).toEqual([written])
  await stand.close()
  await remove()
})
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
    'cli/agent/commands.ts': [
      [
        "      {\n        name: 'notify',\n",
        "      {\n        name: 'notes',\n        summary: 'List and write notes',\n        children: async () => (await import('./notes/index.ts')).notes,\n      },\n      {\n        name: 'notify',\n",
      ],
    ],
    'docs/commands.md': [
      [
        '\n### agent ask trigger\n',
        '\n### agent notes list\n\nList notes.\n\n```\nagent notes list\n```\n\n- `-o, --output <format>` human, json, yaml; `--json` is short for `-o json`\n- `--url <address>` another daemon\n\n### agent notes create\n\nWrite a note.\n\n```\nagent notes create "We release on Tuesdays."\n```\n\n- `<text>` Text of the note\n- `-o, --output <format>` human, json, yaml; `--json` is short for `-o json`\n- `--url <address>` another daemon\n\n### agent ask trigger\n',
      ],
    ],
    'docs/specification.md': [['| Web page: inbox', '| Notes | yes | `services/notes` |\n| Web page: inbox']],
    'docs/api.md': [
      [
        '\n### controller\n',
        '\n### notes\n\n| operation | what it does |\n|---|---|\n| `GET /notes` | List notes |\n| `POST /notes` | Write a note |\n\n### controller\n',
      ],
    ],
  },
}
