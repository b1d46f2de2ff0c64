// Campaigns that are brief in `npm run test:scenarios`, whole: `npm run test:idempotence -- --seeds 1000`,
// `npm run sim -- --seeds 2000`, `npm run test:crashpoints -- --seeds 20`. `--first S` begins with another seed; other
// arguments go to vitest. In the end they print what was counted; points that were not survived fail the run.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeReady } from './ready.mjs'
import { vitest } from './vitest.mjs'

/** Test files, and how many seeds where nothing is said. */
const CAMPAIGNS = {
  idempotence: { files: ['test/campaigns/idempotence.test.ts'], seeds: 1000 },
  simulation: { files: ['test/campaigns/simulation.test.ts'], seeds: 2000 },
  crashpoints: {
    files: ['test/campaigns/crash-points.test.ts', 'test/attack/live-plan/step-crash-points.test.ts'],
    seeds: 5,
  },
}

const [name, ...given] = process.argv.slice(2)
const { values, positionals } = parseArgs({
  args: given,
  options: { seeds: { type: 'string' }, first: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const { files, seeds: usual } = CAMPAIGNS[name]
const [first, seeds] = [Number(values.first), Number(values.seeds ?? usual)]
if (!Number.isInteger(first) || !Number.isInteger(seeds) || first < 1 || seeds < 1) {
  console.error('error: --seeds and --first are whole numbers from 1 on\nhint: --seeds 100')
  process.exit(64)
}

await makeReady()
const folder = mkdtempSync(join(tmpdir(), 'svc-seeds-'))
const counts = join(folder, 'counts.jsonl')
try {
  const env = { SVC_TEST_COUNTS: counts, SVC_TEST_SEEDS: `${first}-${first + seeds - 1}` }
  const status = vitest([...files, ...positionals], env)
  const sums = new Map()
  const lines = existsSync(counts) ? readFileSync(counts, 'utf8').split('\n').filter(Boolean) : []
  for (const { name: what, count } of lines.map((line) => JSON.parse(line)))
    sums.set(what, (sums.get(what) ?? 0) + count)
  console.log(`\nseeds ${first} to ${first + seeds - 1}:`)
  for (const [what, count] of sums) console.log(`  ${what}: ${count}`)
  const isLost = sums.get('crash points') !== sums.get('survivors')
  process.exitCode = status === 0 && (sums.size === 0 || isLost) ? 1 : status
} finally {
  rmSync(folder, { recursive: true, force: true })
}
