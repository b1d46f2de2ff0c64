// Runs vitest. Where more than one try is allowed (SVC_TEST_TRIES), the files that failed run again, alone on a machine
// that is quiet by then, and are named: such a file has a defect, only not one that ends the run.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './ready.mjs'
import { makeTestFolder, removeTestFolder } from './test-folder.mjs'

/** More than these are no accident of a busy machine. */
const MOST_ACCIDENTS = 4

/** Its exit code. `args` are those of `vitest run`, `env` is added to ours. The tree has been built (`makeReady`). */
export function vitest(args, env = {}) {
  const folder = makeTestFolder()
  const list = join(folder, 'failed-files')
  // As bin/svc has it: a worker that is smaller forks faster, which it does thousands of times.
  const smaller = { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '1' }
  const run = (more) => {
    const command = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...more]
    const ours = { TMPDIR: folder, SVC_TEST_BUILT: root, SVC_TEST_FAILED_FILES: list }
    const all = { ...process.env, ...smaller, ...ours, ...env }
    return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit', env: all }).status ?? 1
  }
  try {
    let status = run(args)
    for (let tries = Number(process.env.SVC_TEST_TRIES ?? 1) - 1; status !== 0 && tries > 0; tries--) {
      const files = failedFiles(list)
      if (files.length === 0 || files.length > MOST_ACCIDENTS) break
      console.log(`once more, alone: ${files.join(' ')}`)
      status = run([...files, '--maxWorkers=1'])
      if (status === 0) console.log(`passed when run again only: ${files.join(' ')}`)
    }
    return status
  } finally {
    removeTestFolder(folder)
  }
}

/** None where the run did not come to its end. */
function failedFiles(list) {
  try {
    return readFileSync(list, 'utf8').split('\n').filter(Boolean)
  } catch {
    return []
  } finally {
    rmSync(list, { force: true })
  }
}
