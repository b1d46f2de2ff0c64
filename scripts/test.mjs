// `npm test`: from a fresh clone to the whole suite; arguments go to vitest (`npm test -- test/cli`).
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { makeReady, root } from './ready.mjs'

await makeReady()
const result = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
  },
)
process.exit(result.status ?? 1)
