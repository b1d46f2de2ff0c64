// `npm test`: the suite on SQLite. Passes arguments to vitest: `npm test -- test/cli`.
import { makeInstalled } from './ready.mjs'
import { SUITE } from './tests/files.mjs'
import { vitest } from './tests/vitest.mjs'

makeInstalled()
const given = process.argv.slice(2)
const env = { SVC_TEST_DATABASES: process.env.SVC_TEST_DATABASES ?? 'sqlite' }
if (given.length > 0) process.exit(vitest(given, env))
process.exit(vitest(SUITE, { ...env, SVC_TEST_NOTE: 'not in this run: npm run test:all, and npm run campaign' }))
