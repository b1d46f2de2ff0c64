import * as Type from 'typebox'
import { closedObject, namedObject, nullableText, orNull } from '../shapes.ts'

export const SEARCH_MODES = ['vector', 'hybrid', 'keyword'] as const
export type SearchMode = (typeof SEARCH_MODES)[number]
export const LEVELS = ['symbol', 'file', 'directory', 'repository'] as const
export type Level = (typeof LEVELS)[number]

const QUERY_LENGTH = 4000
const PATTERN_LENGTH = 1000

export const SearchRequest = namedObject('SearchRequest', {
  query: Type.String({ description: 'Description in words, or an identifier; 422 if blank' }),
  search_mode: Type.Optional(Type.Enum([...SEARCH_MODES], { description: 'Search mode; default vector' })),
  repo_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only this repository' })),
  language: Type.Optional(Type.String({ minLength: 1, maxLength: 32, description: 'Only this language' })),
  file_pattern: Type.Optional(
    Type.String({ minLength: 1, maxLength: PATTERN_LENGTH, description: 'Glob for paths in the repository' }),
  ),
  hierarchy_level: Type.Optional(Type.Enum([...LEVELS], { description: 'Level of the results; default symbol' })),
  limit: Type.Optional(Type.Integer({ description: 'Maximum number of results; default 10, clamped to 1 to 100' })),
  explain: Type.Optional(Type.Boolean({ description: 'Include the ranks and scores behind each result' })),
})
export type SearchRequest = Type.Static<typeof SearchRequest>

/** Rank in one of the fused lists; null if not a candidate. */
const Part = orNull(closedObject({ rank: Type.Integer(), score: Type.Number() }))

/** Rank given by the reranking model; `before` is the previous rank. */
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
  file_path: Type.String({ description: 'Path in the repository, with /' }),
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
  query: Type.String({ description: 'Basic regular expression, as in grep; 422 if blank or invalid' }),
  path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Directory to search; default: the working directory of the service',
    }),
  ),
  file_pattern: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: PATTERN_LENGTH,
      description: 'Glob of the files to search; default *',
    }),
  ),
  context_lines: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 50, description: 'Lines of context before and after a match; default 2' }),
  ),
  limit: Type.Optional(Type.Integer({ description: 'Maximum number of matches; default 20, at most 200' })),
})
export type AgenticRequest = Type.Static<typeof AgenticRequest>

export const AgenticMatch = namedObject('AgenticMatch', {
  file_path: Type.String({ description: 'Path relative to the searched directory' }),
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

/** Returns the error of a query, or null if it is valid. */
export function queryFault(query: string): string | null {
  if (query.trim() === '') return 'query must not be blank'
  if (query.includes('\0')) return 'query must not contain NUL'
  return query.length > QUERY_LENGTH
    ? `query must have at most ${QUERY_LENGTH} characters, instead got ${query.length}`
    : null
}
