// Every clause of the specification has a test that is there.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/root.ts'

const folder = join(root, 'docs', 'specification')

interface Clause {
  page: string
  clause: string
  proof: string
}

const clauses: Clause[] = readdirSync(folder).flatMap((page) =>
  readFileSync(join(folder, page), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| clause \||^\|---/.test(line))
    .map((line) => {
      const [, clause = '', proof = ''] = /^\| (.*?) \| ?(.*?) ?\|$/.exec(line) ?? []
      return { page, clause, proof }
    }),
)

/** What is wrong with the proof of a clause; null when nothing is. */
function fault({ clause, proof }: Clause): string | null {
  const [, path, title] = /^`([^`]+)`: (.+)$/.exec(proof) ?? []
  if (clause === '' || path === undefined || title === undefined) return 'names no test'
  const file = join(root, 'test', path.endsWith('.ts') ? path : `${path}.test.ts`)
  if (!existsSync(file)) return `${path} is not there`
  return holds(readFileSync(file, 'utf8'), title) ? null : `${path} has no "${title}"`
}

/** As a title, or in a row of a table of cases; whatever the quotes. */
function holds(text: string, title: string): boolean {
  const words = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "\\\\?'")
  return new RegExp(`(['"\`]|[{},] ?|\\}|^\\s+)${words}`, 'm').test(text)
}

/** A page whose table is not read has none. */
const LEAST = 20

test('each page has its clauses', () => {
  const counts = readdirSync(folder).map((page) => [page, clauses.filter((clause) => clause.page === page).length])
  expect(counts.filter(([, count]) => Number(count) < LEAST)).toEqual([])
  expect(counts.map(([page]) => page)).toEqual(expect.arrayContaining(['document-store.md', 'orchestrator.md']))
})

test('each clause names a test that is there', () => {
  const faults = clauses.map((clause) => [clause.clause, fault(clause)]).filter(([, what]) => what !== null)
  expect(faults).toEqual([])
})

test('a clause without a test, and one whose test is not there, are found', () => {
  const absent = ['it', 'holds', 'not'].join(' ')
  const found = ['', 'soon', '`nowhere/at-all`: it holds', `\`specification/table\`: ${absent}`].map((proof) =>
    fault({ page: 'x', clause: 'It holds', proof }),
  )
  expect(found).toEqual([
    'names no test',
    'names no test',
    'nowhere/at-all is not there',
    `specification/table has no "${absent}"`,
  ])
})
