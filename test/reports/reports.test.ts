// The inputs of public bug reports give what they should.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../support/root.ts'
import { REPORTS } from './all-reports.ts'
import { runReport } from './report.ts'

const FIXTURES = join(root, 'test', 'reports', 'fixtures')

test('prints a line for each of the nine reports', () => {
  expect(REPORTS.map(({ number }) => number)).toEqual(['01', '02', '03', '04', '05', '06', '07', '08', '10'])
})

test.each(REPORTS)('report $number $name: $wanted', { timeout: 300_000 }, async (report) => {
  const { text } = await runReport(report, FIXTURES)
  expect(text).toMatch(new RegExp(`^ok {4} ${report.number} `))
})

test('a report that gives something else is not ok, and leaves its inputs unchanged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-reports-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const hints = REPORTS.find(({ name }) => name === 'hint-text')!
  mkdirSync(join(folder, '02-hint-text'))
  cpSync(join(FIXTURES, '02-hint-text'), join(folder, '02-hint-text'), { recursive: true })
  writeFileSync(
    join(folder, '02-hint-text', 'agents', 'a.yml'),
    'name: a\nruntime: scripted\nworking_dir: .\nmodel: 4.10\n',
  )
  const { ok, text } = await runReport(hints, folder)
  expect([ok, text]).toEqual([false, expect.stringMatching(/^NOT OK 02 hint-text: should: .*; came: missing "0755"/)])
})
