// `npm test`: from a fresh clone to the suite on SQLite; arguments go to vitest, and then it is both databases
// (`npm test -- test/cli`). `--postgres` runs on PostgreSQL what runs on a database at all. What takes as long again runs
// by itself: `npm run test:attack`, `test:upgrade`, `test:house`, `test:first-hour`.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { makeReady, root } from './ready.mjs'
import { vitest } from './vitest.mjs'

/** Kills and attacks, databases of old, every check in a copy of the tree, and the first hour in real terminals and shells. */
const BY_THEMSELVES = ['test/attack/**', 'test/upgrade/{upgrade,newer}.test.ts', 'test/house/**', 'test/first-hour/**']
/** By a word of test/support/databases.ts. */
const ON_A_DATABASE = /\bonEachDatabase\(|\bonPostgres\(|\bDATABASES\b/

await makeReady()
const given = process.argv.slice(2)
const { args, databases } = chosen()
process.exit(vitest(args, databases ? { SVC_TEST_DATABASES: databases } : {}))

function chosen() {
  const others = BY_THEMSELVES.flatMap((path) => ['--exclude', path])
  if (given[0] === '--postgres') return { args: [...onADatabase(), ...others], databases: 'postgres' }
  return given.length > 0 ? { args: given } : { args: others, databases: 'sqlite' }
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
