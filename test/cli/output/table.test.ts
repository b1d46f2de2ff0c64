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
  { title: 'AGE', value: (row) => row.age, kind: 'time' },
  { title: 'ID', value: (row) => row.id, kind: 'id' },
  { title: 'NOTE', value: (row) => row.note, kind: 'text' },
]
const ROW = {
  name: 'a-name-of-thirty-six-characters-12345',
  age: '12.4 min',
  id: '99bd11a5-3484-4a54-b211-90bf471fe5df',
  note: 'x'.repeat(60),
}

const before = process.stdout.isTTY
const width = process.stdout.columns
const at = (columns: number, rows: readonly Row[] = [ROW]): string[] => {
  process.stdout.columns = columns
  return stripVTControlCharacters(renderTable(rows, COLUMNS, 'none'))
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
  const columns: Column<Row>[] = [
    { title: 'FROM', value: () => '/home/mia/a-long-project/svc/manifests', kind: 'path' },
  ]
  const wide = [{ title: 'NOTE', value: () => 'x'.repeat(16) }, ...columns]
  expect(stripVTControlCharacters(renderTable([ROW], wide, 'none'))).toContain('…/svc/manifests\n')
})

test('drops times before cutting a name', () => {
  const lines = at(62)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(62)
  expect(lines[0]).not.toContain('AGE')
  expect(lines[1]).toContain(ROW.name)
})

test('drops extras from the right after all times', () => {
  const columns: Column<Row>[] = [
    { title: 'RUNTIME', value: () => 'claude-code', kind: 'extra' },
    { title: 'POLICY', value: () => 'require_approval', kind: 'extra' },
    ...COLUMNS,
  ]
  const heads = [120, 100, 90, 80, 62].map((width) => {
    process.stdout.columns = width
    const lines = stripVTControlCharacters(renderTable([ROW], columns, 'none')).split('\n')
    expect(lines.filter((line) => line.length > width)).toEqual([])
    return lines[0]!.split(/ +/).join(' ')
  })
  expect(heads).toEqual([
    'RUNTIME POLICY NAME AGE ID NOTE',
    'RUNTIME POLICY NAME ID NOTE',
    'RUNTIME NAME ID NOTE',
    'RUNTIME NAME ID NOTE',
    'NAME ID NOTE',
  ])
})

test('shows ids by prefixes that differ', () => {
  const ids = [
    '99bd11a5-3484-4a54-b211-90bf471fe5df',
    '99bd11a5-3481-4a54-b211-90bf471fe5df',
    '10bd11a5-3481-4a54-b211-90bf471fe5df',
  ]
  const shown = at(
    100,
    ids.map((id) => ({ ...ROW, id })),
  ).map((line) => line.split(/ {2,}/)[2])
  expect(shown).toEqual(['ID', '99bd11a5-3484', '99bd11a5-3481', '10bd11a5-3481'])
})

test('shortens the id of a task behind its source, and shows other ids whole', () => {
  const id = 'manual:99bd11a5-3484-4a54-b211-90bf471fe5df'
  const other = 'cron:2026-10-25T00:00:00.000Z'
  const shown = at(
    110,
    [id, other].map((each) => ({ ...ROW, id: each })),
  ).map((line) => line.split(/ {2,}/)[2])
  expect(shown).toEqual(['ID', 'manual:99bd11a5', other])
})

test('shows a paragraph per row if names and ids do not fit side by side', () => {
  const lines = at(50, [ROW, { ...ROW, note: '' }])
  expect(lines.filter((line) => line.length > 50)).toEqual([])
  expect(lines).toEqual([
    `  name  ${ROW.name}`,
    '  age   12.4 min',
    `  id    ${ROW.id}`,
    `  note  ${'x'.repeat(42)}`,
    `        ${'x'.repeat(18)}`,
    '',
    `  name  ${ROW.name}`,
    '  age   12.4 min',
    `  id    ${ROW.id}`,
  ])
})

test('cuts no name, state, number or path below its title', () => {
  const columns: Column<Row>[] = [
    { title: 'STATUS', value: () => 'running, not connected' },
    { title: 'COUNT', value: () => 1_234_567 },
    { title: 'MANAGED BY', value: () => '/home/mia/team/manifests/agents/planner.yml:1', kind: 'path' },
    ...COLUMNS,
  ]
  process.stdout.columns = 106
  const [head, row] = stripVTControlCharacters(renderTable([ROW], columns, 'none')).split('\n')
  expect(head).toMatch(/^STATUS +COUNT +MANAGED BY +NAME +ID +NOTE$/)
  expect(row).toContain(`running, not connected  1234567  …`)
  expect(row).toContain(`  ${ROW.name}  99bd11a5  x`)
})
