// An operation of a service: one note. It comes after the service.
import type { Addition } from './addition.ts'

export const operation: Addition = {
  made: {},
  touched: {
    'schemas/operations/notes.ts': [
      [
        'export const notesOperations',
        `export const getNote = operation({
  id: 'notes.getNote',
  summary: 'One note',
  method: 'GET',
  path: '/notes/:id',
  params: Id,
  reply: { 200: Note },
  errors: [404],
})

export const notesOperations`,
      ],
      ['{ listNotes, createNote }', '{ listNotes, createNote, getNote }'],
    ],
    'services/notes/face.ts': [
      ['  create(text', '  /** Throws 404. */\n  get(id: string): Promise<Note>\n  create(text'],
    ],
    'services/notes/service.ts': [
      ['      list: () => rows.list(),\n', '      list: () => rows.list(),\n      get: (id) => rows.get(id),\n'],
    ],
    'api/notes.ts': [
      ['import { createNote, listNotes }', 'import { createNote, getNote, listNotes }'],
      ['(body.text))\n', '(body.text))\n  implement(app, getNote, ({ params }) => notes.get(params.id))\n'],
    ],
    'docs/api.md': [
      ['| `POST /notes` | Write a note |\n', '| `POST /notes` | Write a note |\n| `GET /notes/{id}` | One note |\n'],
    ],
  },
}
