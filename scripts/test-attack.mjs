// `npm run test:attack`: everything below test/attack, and then what it counted; arguments go to vitest. With
// SVC_TEST_CAMPAIGN=brief, as in `.ci/run`, campaigns are brief: test/attack/campaign.ts.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeReady } from './ready.mjs'
import { vitest } from './vitest.mjs'

/** Name to figure, in the order of their first mention. */
function counts(file) {
  const sums = new Map()
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  for (const { name, count } of lines.map((line) => JSON.parse(line))) sums.set(name, (sums.get(name) ?? 0) + count)
  return sums
}

function print(sums) {
  const width = Math.max(0, ...[...sums.values()].map((count) => String(count).length))
  console.log(process.env.SVC_TEST_CAMPAIGN ? '\ncounted, of brief campaigns:' : '\ncounted:')
  for (const [name, count] of sums) console.log(`  ${String(count).padStart(width)}  ${name}`)
}

await makeReady()
const folder = mkdtempSync(join(tmpdir(), 'svc-attack-'))
const file = join(folder, 'counts.jsonl')
const given = process.argv.slice(2)
// How long the event loop is held up shows only where nothing else runs.
const runs =
  given.length > 0
    ? [given]
    : [
        ['test/attack/loop/', '--maxWorkers=1'],
        ['test/attack/', '--exclude', 'test/attack/loop/**'],
      ]
try {
  const status = runs.map((args) => vitest(args, { SVC_TEST_COUNTS: file })).find((code) => code !== 0) ?? 0
  const sums = counts(file)
  print(sums)
  // A run that counted nothing attacked nothing.
  process.exitCode = status === 0 && sums.size === 0 ? 1 : status
} finally {
  rmSync(folder, { recursive: true, force: true })
}
