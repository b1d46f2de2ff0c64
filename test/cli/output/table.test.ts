import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { renderTable, type Column } from '../../../cli/output/table.ts'

interface Row {
  name: string
  note: string
  age: string
  id: string
}

const COLUMNS: Column<Row>[] = [
  { title: 'NAME', value: (row) => row.name },
  { title: 'AGE', value: (row) => row.age },
  { title: 'ID', value: (row) => row.id, least: 8 },
  { title: 'NOTE', value: (row) => row.note },
]
const ROW = {
  name: 'a-name-of-thirty-six-characters-12345',
  age: '12.4 min',
  id: '99bd11a5-3484-4a54-b211-90bf471fe5df',
  note: 'x'.repeat(60),
}

const before = process.stdout.isTTY
const width = process.stdout.columns
const at = (columns: number): string[] => {
  process.stdout.columns = columns
  return stripVTControlCharacters(renderTable([ROW], COLUMNS, 'none'))
    .trimEnd()
    .split('\n')
}
beforeEach(() => void (process.stdout.isTTY = true))
afterEach(() => {
  process.stdout.isTTY = before
  process.stdout.columns = width
})

test('shows everything if there is room', () => {
  expect(at(160)[1]).toContain(`${ROW.name}  12.4 min  ${ROW.id}  ${ROW.note}`)
})

test.each([120, 100, 80, 74])('fits %i columns with complete names and times', (columns) => {
  const lines = at(columns)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
  expect(lines[1]).toContain(`${ROW.name}  12.4 min  99bd11a5`)
})

test('shows an id completely or by its first eight characters', () => {
  expect(at(120)[1]).toMatch(/ 99bd11a5 {2}x/)
  expect(at(120).join('')).not.toContain('99bd11a5-')
})

test('cuts the start of a path at a folder', () => {
  process.stdout.columns = 40
  const columns: Column<Row>[] = [{ title: 'FROM', value: () => '/home/mia/a-long-project/svc/manifests', keep: 'end' }]
  const wide = [{ title: 'NOTE', value: () => 'x'.repeat(16) }, ...columns]
  expect(stripVTControlCharacters(renderTable([ROW], wide, 'none'))).toContain('…/svc/manifests\n')
})

test('drops times before cutting a name', () => {
  const lines = at(62)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(62)
  expect(lines[0]).not.toContain('AGE')
  expect(lines[1]).toContain(ROW.name)
  for (const line of at(40)) expect(line.length).toBeLessThanOrEqual(40)
})
