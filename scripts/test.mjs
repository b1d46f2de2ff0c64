// `npm test`: from a fresh clone to the suite on SQLite; arguments go to vitest, and then it is both databases
// (`npm test -- test/cli`). `--postgres` runs on PostgreSQL what runs on a database at all. What takes as long again runs
// by itself: `npm run test:companions`, `test:scenarios` (which takes other files too), `test:attack`, `test:upgrade`,
// `test:house`, `test:first-hour`.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { makeReady, root } from './ready.mjs'
import { vitest } from './vitest.mjs'

/** Kills and attacks, databases of old, every check in a copy of the tree, and the first hour in real terminals and shells. */
const BY_THEMSELVES = ['test/attack/**', 'test/upgrade/{upgrade,newer}.test.ts', 'test/house/**', 'test/first-hour/**']
/** The services beside the orchestrator, each by itself; what every service is held to is part of `npm test`. */
const COMPANIONS = readdirSync(join(root, 'test', 'services'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'orchestrator')
  .map((entry) => `test/services/${entry.name}`)
/** Whole teams over many commits and commands: few tests, each of which takes as long as hundreds of others. */
const SCENARIOS = ['test/cli/gitops', 'test/campaigns', 'test/main-job/equal-answers.test.ts']
/** By a word of test/support/databases.ts. */
const ON_A_DATABASE = /\bonEachDatabase\(|\bonPostgres\(|\bDATABASES\b/

const APART =
  'not in this run: npm run test:companions, test:scenarios, test:postgres, test:attack, and what else CONTRIBUTING.md names'

await makeReady()
const given = process.argv.slice(2)
const { args, ...env } = chosen()
process.exit(vitest(args, env))

function chosen() {
  const without = (paths) => paths.flatMap((path) => ['--exclude', path])
  const [first, ...others] = given
  if (first === '--companions') return { args: [...COMPANIONS, ...others], SVC_TEST_DATABASES: 'sqlite' }
  if (first === '--scenarios') return { args: [...SCENARIOS, ...others] }
  if (first === '--postgres')
    return { args: [...onADatabase(), ...without(BY_THEMSELVES)], SVC_TEST_DATABASES: 'postgres' }
  if (first !== undefined) return { args: given }
  const apart = [...COMPANIONS, ...SCENARIOS].map((path) => (path.endsWith('.ts') ? path : `${path}/**`))
  return { args: without([...BY_THEMSELVES, ...apart]), SVC_TEST_DATABASES: 'sqlite', SVC_TEST_APART: APART }
}

/** The test files that run on each database, by themselves or by a contract that they import. */
function onADatabase() {
  const says = (file) => ON_A_DATABASE.test(readFileSync(file, 'utf8'))
  const imports = (file) =>
    [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']*contract\.ts)'/g)].map(([, path]) =>
      join(dirname(file), path),
    )
  return readdirSync(join(root, 'test'), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(root, 'test', file))
    .filter((file) => says(file) || imports(file).some(says))
    .map((file) => relative(root, file))
}
