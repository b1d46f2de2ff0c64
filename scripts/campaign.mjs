// `npm run campaign -- NAME [OPTION…]`: runs a full campaign. Continuous integration runs short ones.
//   attack        all of test/attack [vitest arguments]
//   laws          random histories on a real daemon; options in test/laws/main.ts
//   crash-points  a crash after every effect and record [--seeds 5] [--first 1]
//   simulation    histories on a virtual clock [--seeds 2000] [--first 1]
//   idempotence   an empty plan after every apply [--seeds 1000] [--first 1]
//   page-scale    the page with 10,000 resources, 200 agents, 100,000 entries and 144,000 changes [vitest arguments]
//   reports       inputs of public bug reports, one line each [FOLDER]
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeReady, root } from './ready.mjs'
import { ATTACK } from './tests/files.mjs'
import { vitest } from './tests/vitest.mjs'

const CAMPAIGNS = {
  attack,
  laws: bundled('laws'),
  'page-scale': (args) =>
    vitest(['test/browser/scale.test.ts', ...args], { SVC_TEST_BROWSER: '1', SVC_TEST_SCALE: 'whole' }),
  reports: bundled('reports'),
  'crash-points': seeded(5, [
    'test/campaigns/crash-points.test.ts',
    'test/campaigns/conductor-crash-points.test.ts',
    'test/attack/live-plan/step-crash-points.test.ts',
  ]),
  simulation: seeded(2000, ['test/campaigns/simulation.test.ts']),
  idempotence: seeded(1000, ['test/campaigns/idempotence.test.ts']),
}

const [name, ...given] = process.argv.slice(2)
if (!(name in CAMPAIGNS)) {
  console.error(`error: unknown campaign "${name ?? ''}"\nhint: the campaigns are ${Object.keys(CAMPAIGNS).join(', ')}`)
  process.exit(64)
}
makeReady()
process.exit(await CAMPAIGNS[name](given))

function attack(args) {
  // Delays of the event loop and of readers can only be measured while nothing else runs.
  const alone = ['test/attack/loop/', 'test/attack/floods/']
  const others = ATTACK.filter((file) => !alone.some((folder) => file.startsWith(folder)))
  return counting(args.length > 0 ? [args] : [[...alone, '--maxWorkers=1'], others], {})
}

function seeded(usual, files) {
  return (args) => {
    const options = { seeds: { type: 'string', default: String(usual) }, first: { type: 'string', default: '1' } }
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [first, seeds] = [Number(values.first), Number(values.seeds)]
    if (!Number.isInteger(first) || !Number.isInteger(seeds) || first < 1 || seeds < 1) {
      console.error('error: --seeds and --first must be whole numbers of at least 1\nhint: --seeds 100')
      return 64
    }
    return counting([[...files, ...positionals]], { SVC_TEST_SEEDS: `${first}-${first + seeds - 1}` })
  }
}

/** Prints the counts of the tests. Fails if there are none, or if a crash point has no survivor. */
function counting(runs, env) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-campaign-'))
  const file = join(folder, 'counts.jsonl')
  try {
    const statuses = runs.map((args) => vitest(args, { ...env, SVC_TEST_COUNTS: file }))
    const counts = readCounts(file)
    console.log(process.env.SVC_TEST_CAMPAIGN ? '\ncounts of the short campaigns:' : '\ncounts:')
    for (const [what, count] of counts) console.log(`  ${String(count).padStart(7)}  ${what}`)
    const failed = statuses.find((status) => status !== 0)
    const isLost = counts.get('crash points') !== counts.get('survivors')
    return failed ?? (counts.size === 0 || isLost ? 1 : 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readCounts(file) {
  const sums = new Map()
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  for (const { name: what, count } of lines.map((line) => JSON.parse(line)))
    sums.set(what, (sums.get(what) ?? 0) + count)
  return sums
}

/** Runs test/NAME/main.ts. */
function bundled(folder) {
  return async (args) => {
    const [{ build }, { SHARED }] = await Promise.all([import('esbuild'), import('./build.mjs')])
    // Below node_modules, to resolve external packages.
    const outfile = join(root, 'node_modules', '.cache', 'svc', folder, 'main.js')
    const entryPoints = [join(root, 'test', folder, 'main.ts')]
    await build({ ...SHARED, entryPoints, outfile, logLevel: 'warning', sourcemap: 'inline' })
    const options = { cwd: root, stdio: 'inherit' }
    return spawnSync(process.execPath, ['--enable-source-maps', outfile, ...args], options).status ?? 1
  }
}
