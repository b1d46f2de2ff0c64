import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../ready.mjs'
import { makeTestFolder, removeTestFolder } from './test-folder.mjs'

/** Runs vitest with its own temporary folder and returns the exit code. `args` follow `vitest run`. */
export function vitest(args, env = {}) {
  const folder = makeTestFolder()
  const command = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args]
  try {
    const options = { cwd: root, stdio: 'inherit', env: { ...process.env, TMPDIR: folder, ...env } }
    return spawnSync(process.execPath, command, options).status ?? 1
  } finally {
    removeTestFolder(folder)
  }
}
