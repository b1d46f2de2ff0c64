// `npm run test:ci` runs the parts of continuous integration, `npm run test:all [-- PART [ARGUMENT…]]` all parts or
// one. Continues after a failure.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeInstalled, root } from './ready.mjs'
import { COMPANIONS, filesOnADatabase, LANCEDB, SCENARIOS, SUITE, WEB } from './tests/files.mjs'
import { vitest } from './tests/vitest.mjs'

const node = (script, args, env = {}) =>
  spawnSync(process.execPath, [join(root, 'scripts', script), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  }).status ?? 1
const on = (database, files, args) => vitest([...files, ...args], { SVC_TEST_DATABASES: database })

const CI = {
  check: (args) => node('check.mjs', args),
  // Fails without a Chromium.
  suite: (args) => vitest([...SUITE, ...args], { SVC_TEST_DATABASES: 'sqlite', SVC_TEST_BROWSER: '1' }),
  companions: (args) => on('sqlite', COMPANIONS, args),
  postgres: (args) => on('postgres', args.length > 0 ? [] : filesOnADatabase(), args),
  // Fails if a shell with completion is missing.
  scenarios: (args) => vitest([...SCENARIOS, ...args], { SVC_TEST_ALL_SHELLS: '1' }),
  attack: (args) => node('campaign.mjs', ['attack', ...args], { SVC_TEST_CAMPAIGN: 'brief' }),
  lancedb: (args) => vitest([...LANCEDB, ...args], { SVC_TEST_CAMPAIGN: 'brief' }),
  'real-agent': (args) => node('tests/real-agent.mjs', args),
}
const ALL = {
  ...CI,
  // Two workers: each file has a browser and a daemon.
  web: (args) => vitest([...(args.length > 0 ? args : WEB), '--maxWorkers=2'], { SVC_TEST_BROWSER: '1' }),
  'first-hour': (args) => vitest(['test/first-hour', ...args]),
  acp: (args) => node('tests/acp.mjs', args),
  conformance: (args) => node('tests/conformance.mjs', args),
  promtool: (args) => node('tests/promtool.mjs', args),
}

const [set, part, ...args] = process.argv.slice(2)
const parts = set === 'ci' ? CI : ALL
if (part !== undefined && !(part in parts)) {
  console.error(`error: unknown part "${part}"\nhint: the parts are ${Object.keys(parts).join(', ')}`)
  process.exit(64)
}

makeInstalled()
const folder = mkdtempSync(join(tmpdir(), 'svc-parts-'))
process.env.SVC_TEST_FAILED = join(folder, 'failed.txt')
const results = []
for (const name of part === undefined ? Object.keys(parts) : [part]) {
  console.log(`\n== ${name}`)
  const started = performance.now()
  const status = parts[name](args)
  results.push({ name, status, seconds: (performance.now() - started) / 1000 })
}
if (existsSync(process.env.SVC_TEST_FAILED))
  console.log(`\nfailed tests:\n${readFileSync(process.env.SVC_TEST_FAILED, 'utf8')}`)
rmSync(folder, { recursive: true })
for (const { name, status, seconds } of results)
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'}  ${name.padEnd(12)} ${seconds.toFixed(0).padStart(5)} s`)
const failed = results.filter(({ status }) => status !== 0)
const total = results.reduce((sum, { seconds }) => sum + seconds, 0)
console.log(`${results.length - failed.length} of ${results.length} parts passed in ${(total / 60).toFixed(1)} minutes`)
process.exit(failed.length === 0 ? 0 : 1)
