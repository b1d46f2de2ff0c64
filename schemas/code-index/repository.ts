// A repository that the code index keeps searchable, as it is registered and as it is told.
import * as Type from 'typebox'
import { closedObject, namedObject, orNull } from '../shapes.ts'

export const REPOSITORY_STATUSES = ['pending', 'indexing', 'ready', 'error'] as const
export type RepositoryStatus = (typeof REPOSITORY_STATUSES)[number]

const timestamp = Type.String({ format: 'date-time' })

/** No control characters, and none that turn the direction of what follows. */
const RepositoryName = Type.String({
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]{1,128}$',
  description: 'What it is called, at most 128 characters',
})

export const RepositoryLanguages = Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_+#-]{0,31}$' }), {
  minItems: 1,
  maxItems: 64,
  description: 'Languages that are indexed; those of SVC_INDEX_LANGUAGES unless given',
})

export const RepositoryIgnore = Type.Array(Type.String({ minLength: 1, maxLength: 256, pattern: '^[^\\u0000\\n]+$' }), {
  maxItems: 256,
  description: 'Patterns as in a .gitignore, beside those of SVC_INDEX_IGNORE_PATTERNS',
})

export const RepositoryInput = namedObject('RepositoryInput', {
  name: RepositoryName,
  path: Type.String({
    minLength: 1,
    maxLength: 4096,
    description: 'Absolute path of its directory',
    // A directory that every system has, and that holds no source.
    examples: ['/sbin'],
  }),
  languages: Type.Optional(RepositoryLanguages),
  ignore: Type.Optional(RepositoryIgnore),
})
export type RepositoryInput = Type.Static<typeof RepositoryInput>

export const RepositoryUpdate = namedObject('RepositoryUpdate', {
  name: Type.Optional(RepositoryName),
  languages: Type.Optional(orNull(RepositoryLanguages)),
  ignore: Type.Optional(RepositoryIgnore),
})
export type RepositoryUpdate = Type.Static<typeof RepositoryUpdate>

/** How far the indexer is, or how much the last run found. */
export const IndexProgress = namedObject('IndexProgress', {
  files: Type.Integer({ description: 'Files looked at so far' }),
  files_total: orNull(Type.Integer({ description: 'Files there are; null until they are counted' })),
  chunks: Type.Integer({ description: 'Chunks made so far' }),
  chunks_per_second: orNull(Type.Number()),
  remaining_secs: orNull(Type.Number({ description: 'Estimate; null while there is none' })),
})
export type IndexProgress = Type.Static<typeof IndexProgress>

export const Repository = namedObject('Repository', {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  path: Type.String({ description: 'As registered' }),
  status: Type.Enum([...REPOSITORY_STATUSES]),
  languages: orNull(RepositoryLanguages),
  ignore: RepositoryIgnore,
  created_at: timestamp,
  updated_at: timestamp,
  last_indexed: orNull(timestamp),
  error_message: orNull(Type.String()),
})
export type Repository = Type.Static<typeof Repository>

export const RepositoryList = namedObject('RepositoryList', {
  repositories: Type.Array(Repository),
  total: Type.Integer(),
})

export const RepositoryState = namedObject('RepositoryState', {
  ...Type.Pick(Repository, ['id', 'status', 'last_indexed', 'error_message']).properties,
  model: orNull(
    Type.String({ description: 'What embedded its chunks: provider and model; null before the first run' }),
  ),
  store: orNull(
    Type.Enum(['files', 'lancedb'], {
      description: 'What keeps the chunks that are searched; null where none are yet',
    }),
  ),
  progress: orNull(IndexProgress),
})
export type RepositoryState = Type.Static<typeof RepositoryState>

export const ReindexReply = closedObject({ status: Type.Literal('pending') })
