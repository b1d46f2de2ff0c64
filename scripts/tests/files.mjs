import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { root } from '../ready.mjs'

const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`)
const below = (...places) => files.filter((file) => places.some((place) => file.startsWith(place)))

export const ATTACK = below('test/attack/')
/** Scenarios in a real browser. */
export const WEB = below('test/browser/')
/** Those of them that the suite runs. */
const SMOKE = ['chromium', 'smoke'].map((name) => `test/browser/${name}.test.ts`)
const SEPARATE = [...ATTACK, ...below('test/house/', 'test/first-hour/', 'test/real-agent/', 'test/reports/')]
/** Opens old databases with whole daemons. */
const UPGRADE = below('test/upgrade/upgrade.test.ts', 'test/upgrade/newer.test.ts')
/** Few but very long tests. */
const TEAMS = below('test/cli/gitops/', 'test/campaigns/', 'test/main-job/equal-answers.test.ts')

export const LANCEDB = ['test/services/code-index/store/lancedb.test.ts']

/** Tests of single services. The suite tests their common behaviour. */
export const COMPANIONS = below('test/services/').filter(
  (file) => file.split('/').length > 3 && !file.startsWith('test/services/orchestrator/') && !LANCEDB.includes(file),
)

/** One part, because each of these leaves a core idle. */
export const SCENARIOS = [
  ...TEAMS,
  ...below('test/first-hour/documented-commands', 'test/first-hour/completion', 'test/first-hour/executed/'),
  ...below('test/upgrade/', 'test/house/', 'test/reports/'),
]

const elsewhere = new Set([...SEPARATE, ...UPGRADE, ...COMPANIONS, ...TEAMS, ...LANCEDB, ...WEB])
export const SUITE = files.filter((file) => !elsewhere.has(file) || SMOKE.includes(file))

/** Names from test/support/databases.ts. */
const ON_A_DATABASE = /\bonEachDatabase\(|\bonPostgres\(|\bDATABASES\b/

/** Includes files that use a database through an imported contract. */
export function filesOnADatabase() {
  const text = (file) => readFileSync(resolve(root, file), 'utf8')
  const contracts = (file) =>
    [...text(file).matchAll(/from '(\.[^']*contract\.ts)'/g)].map(([, path]) => resolve(root, dirname(file), path))
  const isOnADatabase = (file) => ON_A_DATABASE.test(text(file))
  return files
    .filter((file) => !SEPARATE.includes(file) && !UPGRADE.includes(file))
    .filter((file) => isOnADatabase(file) || contracts(file).some(isOnADatabase))
}
