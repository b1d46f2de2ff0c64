// What is asked of the code index, and what it finds.
import * as Type from 'typebox'
import { closedObject, namedObject, nullableText, orNull } from '../shapes.ts'

export const SEARCH_MODES = ['vector', 'hybrid', 'keyword'] as const
export type SearchMode = (typeof SEARCH_MODES)[number]
export const LEVELS = ['symbol', 'file', 'directory', 'repository'] as const
export type Level = (typeof LEVELS)[number]

const QUERY_LENGTH = 4000
const PATTERN_LENGTH = 1000

export const SearchRequest = namedObject('SearchRequest', {
  query: Type.String({ description: 'What is looked for, in words or as an identifier; 422 when it is blank' }),
  search_mode: Type.Optional(Type.Enum([...SEARCH_MODES], { description: 'Default vector' })),
  repo_id: Type.Optional(Type.String({ format: 'uuid', description: 'One repository alone' })),
  language: Type.Optional(Type.String({ minLength: 1, maxLength: 32, description: 'One language alone' })),
  file_pattern: Type.Optional(
    Type.String({ minLength: 1, maxLength: PATTERN_LENGTH, description: 'Glob for paths within the repository' }),
  ),
  hierarchy_level: Type.Optional(Type.Enum([...LEVELS], { description: 'Default symbol' })),
  limit: Type.Optional(Type.Integer({ description: 'Default 10, clamped to 1 to 100' })),
  explain: Type.Optional(Type.Boolean({ description: 'Tell the ranks and scores that a place came from' })),
})
export type SearchRequest = Type.Static<typeof SearchRequest>

/** The place in one of the lists that were fused; null where it is not among the candidates. */
const Part = orNull(closedObject({ rank: Type.Integer(), score: Type.Number() }))

/** What a model that reads results has made of the place; `before` is where it was. */
const Reranking = Type.Union([closedObject({ rank: Type.Integer(), before: Type.Integer() }), Type.Literal('skipped')])

export const Explanation = closedObject({
  keyword: Part,
  name: Part,
  vector: Part,
  rules: Type.Array(Type.String()),
  model: Type.String(),
  rerank: Type.Optional(Reranking),
})
export type Explanation = Type.Static<typeof Explanation>

export const SearchResult = namedObject('SearchResult', {
  id: Type.String(),
  file_path: Type.String({ description: 'Within the repository, with /' }),
  language: Type.String(),
  chunk_type: Type.String(),
  symbol_name: nullableText,
  start_line: Type.Integer(),
  end_line: Type.Integer(),
  content: Type.String(),
  summary: nullableText,
  score: Type.Number(),
  repo_id: Type.String({ format: 'uuid' }),
  explanation: Type.Optional(Explanation),
})
export type SearchResult = Type.Static<typeof SearchResult>

export const SearchReply = namedObject('SearchReply', {
  results: Type.Array(SearchResult),
  total: Type.Integer(),
  query_time_ms: Type.Integer(),
})
export type SearchReply = Type.Static<typeof SearchReply>

export const AgenticRequest = namedObject('AgenticRequest', {
  query: Type.String({ description: 'A basic regular expression, as of grep; 422 when it is blank or invalid' }),
  path: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4096, description: 'Default . of the service’s working directory' }),
  ),
  file_pattern: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: PATTERN_LENGTH,
      description: 'Glob of the files to look into; default *',
    }),
  ),
  context_lines: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 50, description: 'Lines before and after; default 2' }),
  ),
  limit: Type.Optional(Type.Integer({ description: 'Default 20, at most 200' })),
})
export type AgenticRequest = Type.Static<typeof AgenticRequest>

export const AgenticMatch = namedObject('AgenticMatch', {
  file_path: Type.String({ description: 'Within the path that was searched' }),
  line_number: Type.Integer(),
  content: Type.String(),
  context_before: Type.Array(Type.String()),
  context_after: Type.Array(Type.String()),
})
export type AgenticMatch = Type.Static<typeof AgenticMatch>

export const AgenticReply = namedObject('AgenticReply', {
  matches: Type.Array(AgenticMatch),
  total: Type.Integer(),
  query_time_ms: Type.Integer(),
})
export type AgenticReply = Type.Static<typeof AgenticReply>

/** What is wrong with words to look for; null for nothing. */
export function queryFault(query: string): string | null {
  if (query.trim() === '') return 'query should hold something to look for, instead it is blank'
  if (query.includes('\0')) return 'query should hold no NUL'
  return query.length > QUERY_LENGTH
    ? `query should have at most ${QUERY_LENGTH} characters, instead it has ${query.length}`
    : null
}
