import type { Explanation, Level, SearchMode, SearchResult } from '../../../schemas/code-index/search.ts'
import { pathFilter, PatternRefusal } from '../files/path-patterns.ts'
import type { StoredRow } from '../store/port.ts'
import { tokensOf } from '../text/tokens.ts'
import type { Field, Statistics } from './keyword.ts'
import { best, fused, keyOf, merged, type Candidate } from './ranking.ts'
import { ruled } from './rules.ts'
import type { Searchable } from './searchable.ts'
import { likeness } from './vector.ts'

export interface Question {
  query: string
  mode: SearchMode
  level: Level
  language?: string
  filePattern?: string
  limit: number
  explain: boolean
}

const DEPTH = 300
/** Other searches wait meanwhile. */
const LONGEST_FILTER_MS = 2000
const WEIGHTS = { keyword: 1, name: 0.75, vector: 1.5 }

interface Lists {
  keyword: Candidate[]
  name: Candidate[]
  vector: Candidate[]
}

/**
 * Returns the best results in order. `vectors` has the query's unit vector per generation; null to search by words
 * only.
 */
export async function search(
  among: readonly Searchable[],
  question: Question,
  vectors: readonly (Float32Array | null)[],
): Promise<SearchResult[]> {
  const allows = among.map((one) => filterOf(one, question))
  const lists: Lists = { keyword: [], name: [], vector: [] }
  if (question.mode !== 'vector') {
    const words = [...new Set(tokensOf(question.query))]
    lists.keyword = byWords(among, question, { words, field: 'all', allows })
    lists.name = byWords(among, question, { words, field: 'name', allows })
  }
  if (question.mode !== 'keyword') lists.vector = byLikeness(among, question, { vectors, allows })
  const { ranked, applied } = ranking(among, question, lists)
  const first = ranked.slice(0, question.limit)
  const rows = await rowsOf(among, question, first)
  return first.map((candidate, at) =>
    resultOf(among[candidate.of]!, candidate, question, { row: rows[at]!, lists, applied }),
  )
}

async function rowsOf(
  among: readonly Searchable[],
  { level }: Question,
  candidates: readonly Candidate[],
): Promise<StoredRow[]> {
  const rows = await Promise.all(
    among.map(async ({ generation }, of) => {
      const places = candidates.filter((candidate) => candidate.of === of).map(({ row }) => row)
      return places.length === 0 ? [] : generation.section(level).rows(places)
    }),
  )
  const taken = among.map(() => 0)
  return candidates.map(({ of }) => rows[of]![taken[of]!++]!)
}

type Filter = (row: number) => boolean

function ranking(among: readonly Searchable[], question: Question, lists: Lists) {
  if (question.mode === 'vector') return { ranked: lists.vector, applied: new Map<string, string[]>() }
  const weighted = [
    { list: lists.keyword, weight: WEIGHTS.keyword },
    { list: lists.name, weight: WEIGHTS.name },
    { list: lists.vector, weight: WEIGHTS.vector },
  ]
  // Keyword mode also fuses names: a match in a name counts more than one in the text.
  const start = fused(question.mode === 'keyword' ? weighted.slice(0, 2) : weighted)
  return ruled(start, question.query, (candidate) => {
    const section = among[candidate.of]!.generation.section(question.level)
    const type = among[candidate.of]!.generation.types[section.typeOf[candidate.row]!] ?? ''
    return { symbol: section.symbols[candidate.row] ?? null, type }
  })
}

function filterOf({ generation }: Searchable, { level, language, filePattern }: Question): Filter {
  const section = generation.section(level)
  const wanted = language === undefined ? -1 : generation.languages.indexOf(language)
  const speaks: Filter = language === undefined ? () => true : (row) => section.languageOf[row] === wanted
  if (filePattern === undefined) return speaks
  const fits = pathFilter(filePattern)
  const until = performance.now() + LONGEST_FILTER_MS
  const matches = (path: string): boolean => {
    if (performance.now() > until)
      throw new PatternRefusal(
        `file_pattern ${JSON.stringify(filePattern)} took longer than ${LONGEST_FILTER_MS / 1000} s: simplify it`,
      )
    return fits(path)
  }
  const known = new Map<number, boolean>()
  return (row) => {
    if (!speaks(row)) return false
    const file = section.files[row]!
    if (file < 0) return matches(section.path(row))
    const said = known.get(file) ?? matches(generation.about.files[file]!.path)
    known.set(file, said)
    return said
  }
}

function byWords(
  among: readonly Searchable[],
  { level }: Question,
  { words, field, allows }: { words: readonly string[]; field: Field; allows: readonly Filter[] },
): Candidate[] {
  const statistics: Statistics = { rows: 0, length: 0, frequencies: words.map(() => 0) }
  for (const one of among) one.keywords(level).count(field, one.places(words), statistics)
  const lists = among.map((one, of) => {
    const scores = one.keywords(level).scores(field, one.places(words), statistics)
    return best(scores, DEPTH, { of, above: 0, allows: allows[of]! })
  })
  return merged(lists, DEPTH)
}

function byLikeness(
  among: readonly Searchable[],
  { level }: Question,
  { vectors, allows }: { vectors: readonly (Float32Array | null)[]; allows: readonly Filter[] },
): Candidate[] {
  const lists = among.map(({ generation }, of) => {
    const vector = vectors[of]
    if (!vector) return []
    return best(likeness(generation.section(level), vector), DEPTH, { of, above: -2, allows: allows[of]! })
  })
  return merged(lists, DEPTH)
}

function resultOf(
  { repoId, generation, summaries }: Searchable,
  candidate: Candidate,
  { explain }: Question,
  { row, lists, applied }: { row: StoredRow; lists: Lists; applied: ReadonlyMap<string, string[]> },
): SearchResult {
  const { id, hash, path, language, type, symbol, start, end, content } = row
  const part = (list: readonly Candidate[]) => {
    const at = list.findIndex((each) => each.of === candidate.of && each.row === candidate.row)
    return at < 0 ? null : { rank: at + 1, score: list[at]!.score }
  }
  const { provider, model } = generation.about.model
  const explanation = (): Explanation => ({
    keyword: part(lists.keyword),
    name: part(lists.name),
    vector: part(lists.vector),
    rules: applied.get(keyOf(candidate)) ?? [],
    model: `${provider}/${model}`,
  })
  return {
    id,
    file_path: path,
    language,
    chunk_type: type,
    symbol_name: symbol,
    start_line: start,
    end_line: end,
    content,
    summary: summaries?.get(hash) ?? null,
    score: candidate.score,
    repo_id: repoId,
    ...(explain ? { explanation: explanation() } : {}),
  }
}
