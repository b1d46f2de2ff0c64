// The test files of each part of the tests (scripts/test-parts.mjs), as paths for vitest.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { root } from '../ready.mjs'

const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`)
const below = (...places) => files.filter((file) => places.some((place) => file.startsWith(place)))

/** Attacks and kills. */
export const ATTACK = below('test/attack/')
/** Every check in a copy of the tree; the first hour in real terminals; a real agent. */
const SEPARATE = [...ATTACK, ...below('test/house/', 'test/first-hour/', 'test/real-agent/')]
/** Old databases, made and opened by whole daemons. */
const UPGRADE = below('test/upgrade/upgrade.test.ts', 'test/upgrade/newer.test.ts')
/** Whole teams over many commits and commands: few tests, each as long as hundreds of others. */
const TEAMS = below('test/cli/gitops/', 'test/campaigns/', 'test/main-job/equal-answers.test.ts')

/** LanceDB, which it installs into a temporary folder. */
export const LANCEDB = ['test/services/code-index/store/lancedb.test.ts']

/** The services beside the orchestrator. What all services have in common is tested in the suite. */
export const COMPANIONS = below('test/services/').filter(
  (file) => file.split('/').length > 3 && !file.startsWith('test/services/orchestrator/') && !LANCEDB.includes(file),
)

/** One part: each of these alone leaves a core idle. */
export const SCENARIOS = [
  ...TEAMS,
  ...below('test/first-hour/told', 'test/first-hour/completion', 'test/first-hour/executed/'),
  ...below('test/upgrade/', 'test/house/'),
]

const elsewhere = new Set([...SEPARATE, ...UPGRADE, ...COMPANIONS, ...TEAMS, ...LANCEDB])
/** What `npm test` runs. */
export const SUITE = files.filter((file) => !elsewhere.has(file))

/** Names from test/support/databases.ts. */
const ON_A_DATABASE = /\bonEachDatabase\(|\bonPostgres\(|\bDATABASES\b/

/** The files that run on each database, directly or through a contract that they import. */
export function filesOnADatabase() {
  const text = (file) => readFileSync(resolve(root, file), 'utf8')
  const contracts = (file) =>
    [...text(file).matchAll(/from '(\.[^']*contract\.ts)'/g)].map(([, path]) => resolve(root, dirname(file), path))
  const isOnADatabase = (file) => ON_A_DATABASE.test(text(file))
  return files
    .filter((file) => !SEPARATE.includes(file) && !UPGRADE.includes(file))
    .filter((file) => isOnADatabase(file) || contracts(file).some(isOnADatabase))
}
