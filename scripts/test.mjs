// `npm test`: from a fresh clone to the whole suite; arguments go to vitest (`npm test -- test/cli`). What an attacker would
// try takes as long again, and runs by itself: `npm run test:attack`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { makeReady, root } from './ready.mjs'

await makeReady()
const given = process.argv.slice(2)
const result = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    ...(given.length > 0 ? given : ['--exclude', 'test/attack/**']),
  ],
  {
    cwd: root,
    stdio: 'inherit',
  },
)
process.exit(result.status ?? 1)
