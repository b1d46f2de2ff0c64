// Every clause of the specification names an existing test.
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

/** Returns why the test of a clause is invalid, or null. */
function fault({ clause, proof }: Clause): string | null {
  const [, path, title] = /^`([^`]+)`: (.+)$/.exec(proof) ?? []
  if (clause === '' || path === undefined || title === undefined) return 'names no test'
  const file = join(root, 'test', path.endsWith('.ts') ? path : `${path}.test.ts`)
  if (!existsSync(file)) return `${path} does not exist`
  return holds(readFileSync(file, 'utf8'), title) ? null : `${path} has no "${title}"`
}

/** True if the title starts a string of the text, in any quotes, or a row of a table of cases. */
function holds(text: string, title: string): boolean {
  const words = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "\\\\?'")
  return new RegExp(`(['"\`]|[{},] ?|\\}|^\\s+)${words}`, 'm').test(text)
}

/** With fewer clauses, the table of a page was not parsed. */
const LEAST = 20

test('reads clauses from each page', () => {
  const counts = readdirSync(folder).map((page) => [page, clauses.filter((clause) => clause.page === page).length])
  expect(counts.filter(([, count]) => Number(count) < LEAST)).toEqual([])
  expect(counts.map(([page]) => page)).toEqual(expect.arrayContaining(['document-store.md', 'orchestrator.md']))
})

test('names an existing test for each clause', () => {
  const faults = clauses.map((clause) => [clause.clause, fault(clause)]).filter(([, what]) => what !== null)
  expect(faults).toEqual([])
})

test('finds a clause without a test, or with a missing test', () => {
  // Joined, so that this file does not contain the title.
  const absent = ['it', 'holds', 'not'].join(' ')
  const found = ['', 'soon', '`nowhere/at-all`: it holds', `\`specification/table\`: ${absent}`].map((proof) =>
    fault({ page: 'x', clause: 'It holds', proof }),
  )
  expect(found).toEqual([
    'names no test',
    'names no test',
    'nowhere/at-all does not exist',
    `specification/table has no "${absent}"`,
  ])
})
