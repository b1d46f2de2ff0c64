// Requires the service.
import type { Addition } from './addition.ts'

export const operation: Addition = {
  made: {},
  touched: {
    'schemas/operations/notes.ts': [
      [
        'export const notesOperations',
        `export const getNote = operation('notes.getNote', 'GET /notes/:id', {
  identity: 'none',
  summary: 'Show a note',
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
    'cli/agent/notes/index.ts': [
      ['import { createNote, listNotes,', 'import { createNote, getNote, listNotes,'],
      [
        "  verb('create'",
        "  verb('get', group, getNote, {\n    args: [{ member: 'id', shown: '<id>', help: 'Id of the note' }],\n    examples: ['agent notes get 1f3c9a2b-4f7e-4d0a-9d53-0a8f0f1c2b3d'],\n    done: (note) => lines(note),\n  }),\n  verb('create'",
      ],
    ],
    'test/services/notes/notes.test.ts': [
      [
        '  expect(await request',
        "  expect(await request('GET', `${address}/${written.id}`)).toEqual(written)\n  expect(await request",
      ],
    ],
    'docs/commands.md': [
      [
        '### agent notes create\n',
        '### agent notes get\n\nShow a note.\n\n```\nagent notes get 1f3c9a2b-4f7e-4d0a-9d53-0a8f0f1c2b3d\n```\n\n- `<id>` Id of the note\n- `-o, --output <format>` human, json, yaml; `--json` is short for `-o json`\n- `--url <address>` another daemon\n\n### agent notes create\n',
      ],
    ],
    'docs/specification.md': [['| Notes |', '| Notes: list, get, write |']],
    'docs/api.md': [
      ['| `POST /notes` | Write a note |\n', '| `POST /notes` | Write a note |\n| `GET /notes/{id}` | Show a note |\n'],
    ],
  },
}
