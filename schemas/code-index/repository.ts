import * as Type from 'typebox'
import { closedObject, namedObject, orNull } from '../shapes.ts'

export const REPOSITORY_STATUSES = ['pending', 'indexing', 'ready', 'error'] as const
export type RepositoryStatus = (typeof REPOSITORY_STATUSES)[number]

const timestamp = Type.String({ format: 'date-time' })

/** No control characters and no bidirectional controls. */
const RepositoryName = Type.String({
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]{1,128}$',
  description: 'Name, at most 128 characters',
})

export const RepositoryLanguages = Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_+#-]{0,31}$' }), {
  minItems: 1,
  maxItems: 64,
  description: 'Languages to index; default: SVC_INDEX_LANGUAGES',
})

export const RepositoryIgnore = Type.Array(Type.String({ minLength: 1, maxLength: 256, pattern: '^[^\\u0000\\n]+$' }), {
  maxItems: 256,
  description: '.gitignore patterns, in addition to SVC_INDEX_IGNORE_PATTERNS',
})

export const RepositoryInput = namedObject('RepositoryInput', {
  name: RepositoryName,
  path: Type.String({
    minLength: 1,
    maxLength: 4096,
    description: 'Absolute path of the directory',
    // A directory that exists on every system and has no source code.
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

/** Progress of the current run, or the totals of the last one. */
export const IndexProgress = namedObject('IndexProgress', {
  files: Type.Integer({ description: 'Files processed' }),
  files_total: orNull(Type.Integer({ description: 'Files in total; null until they are counted' })),
  chunks: Type.Integer({ description: 'Chunks created' }),
  chunks_per_second: orNull(Type.Number()),
  remaining_secs: orNull(Type.Number({ description: 'Estimate; null while unknown' })),
})
export type IndexProgress = Type.Static<typeof IndexProgress>

export const Repository = namedObject('Repository', {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  path: Type.String({ description: 'Path as registered' }),
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
  id: Repository.properties.id,
  status: Repository.properties.status,
  last_indexed: Repository.properties.last_indexed,
  error_message: Repository.properties.error_message,
  model: orNull(Type.String({ description: 'Embedding provider and model; null before the first run' })),
  store: orNull(
    Type.Enum(['files', 'lancedb'], {
      description: 'Store that is searched; null before the first run',
    }),
  ),
  progress: orNull(IndexProgress),
})
export type RepositoryState = Type.Static<typeof RepositoryState>

export const ReindexReply = closedObject({ status: Type.Literal('pending') })
