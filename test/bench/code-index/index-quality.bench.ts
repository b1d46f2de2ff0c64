// How often a query finds its function, for each search mode and for plain BM25 and grep.
// By name only: downloads npm and Debian packages.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SEARCH_MODES } from '../../../schemas/code-index/search.ts'
import { compare, quantile } from '../report.ts'
import { startIndexed } from './indexed.ts'
import packages from './packages.json' with { type: 'json' }
import { byGrep, plainBm25, type Placed } from './plain.ts'
import { prepare, type Question } from './questions.ts'

/** Minimum MRR@10 by mode. */
const FLOORS: Readonly<Record<string, number>> = { keyword: 0.36, vector: 0.37, hybrid: 0.44 }

/** Must cover half of the function, in at most three times its length. */
function isHit(question: Question, { path, start, end }: Pick<Placed, 'path' | 'start' | 'end'>): boolean {
  const lines = question.end - question.start + 1
  const shared = Math.min(end, question.end) - Math.max(start, question.start) + 1
  return path === question.path && shared * 2 >= lines && end - start + 1 <= lines * 3
}

const reciprocal = (question: Question, found: readonly Pick<Placed, 'path' | 'start' | 'end'>[]): number => {
  const at = found.findIndex((each) => isHit(question, each))
  return at < 0 ? 0 : 1 / (at + 1)
}

type Ranks = Map<string, { group: string; rank: number }[]>

function table(ranks: Ranks, times: ReadonlyMap<string, number[]>): string {
  const groups = ['python', 'rust', 'typescript']
  const mean = (all: readonly number[]) =>
    (all.reduce((sum, each) => sum + each, 0) / Math.max(1, all.length)).toFixed(3)
  const head = `| order | MRR@10 | ${groups.join(' | ')} | top 1 | top 10 | p50 ms |`
  const rows = [...ranks].map(([name, all]) => {
    const values = all.map(({ rank }) => rank)
    const own = groups.map((group) => mean(all.filter((each) => each.group === group).map(({ rank }) => rank)))
    const first = mean(values.map((rank) => (rank === 1 ? 1 : 0)))
    const ten = mean(values.map((rank) => (rank > 0 ? 1 : 0)))
    const spent = times.get(name)
    return `| ${name} | ${mean(values)} | ${own.join(' | ')} | ${first} | ${ten} | ${spent ? quantile(spent, 0.5) : '-'} |`
  })
  return [head, `|${'---|'.repeat(groups.length + 5)}`, ...rows].join('\n')
}

async function main(): Promise<void> {
  const into = mkdtempSync(join(tmpdir(), 'svc-bench-index-'))
  const { questions, placed } = await prepare(into)
  // Before the service starts: it blocks this process, and keep-alive connections would close.
  const ranks = plainly(questions, placed)
  const began = performance.now()
  const { ask, close } = await startIndexed(into)
  try {
    console.log(`${placed.length} chunks indexed in ${((performance.now() - began) / 1000).toFixed(1)} s`)
    await judge({ questions, ranks, ask })
  } finally {
    await close()
    rmSync(into, { recursive: true, force: true })
  }
}

function plainly(questions: readonly Question[], placed: readonly Placed[]): Ranks {
  const orders = { grep: byGrep(placed), 'plain BM25': plainBm25(placed) }
  const ranked = Object.entries(orders).map(([name, order]) => {
    const all = questions.map((each) => ({ group: each.group, rank: reciprocal(each, order(each.question)) }))
    return [name, all] as const
  })
  return new Map(ranked)
}

interface Judged {
  questions: readonly Question[]
  ranks: Ranks
  ask(method: string, path: string, body: object): Promise<any>
}

async function judge({ questions, ranks, ask }: Judged): Promise<void> {
  const times = new Map<string, number[]>()
  for (const mode of SEARCH_MODES) {
    const all: { group: string; rank: number }[] = []
    for (const each of questions) {
      const body = { query: each.question, search_mode: mode, limit: 10 }
      const { results, query_time_ms } = await ask('POST', '/search', body)
      const found = results.map((result: any) => ({
        path: result.file_path,
        start: result.start_line,
        end: result.end_line,
      }))
      all.push({ group: each.group, rank: reciprocal(each, found) })
      times.set(mode, [...(times.get(mode) ?? []), query_time_ms])
    }
    ranks.set(mode, all)
  }
  console.log(`${questions.length} questions\n\n${table(ranks, times)}\n`)
  for (const [mode, floor] of Object.entries(FLOORS))
    compare({ what: `${mode}: MRR@10`, ours: meanOf(ranks.get(mode)!) * 100, floor: floor * 100, unit: '%', least: 1 })
  for (const language of Object.keys(packages)) {
    const own = (mode: string) => meanOf(ranks.get(mode)!.filter(({ group }) => group === language)) * 100
    const what = `hybrid on ${language}, vs the better of the other modes`
    compare({ what, ours: own('hybrid'), floor: Math.max(own('keyword'), own('vector')), unit: '%', least: 1 })
  }
}

const meanOf = (all: readonly { rank: number }[]): number => all.reduce((sum, { rank }) => sum + rank, 0) / all.length

await main()
