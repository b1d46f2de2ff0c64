import { execFile } from 'node:child_process'
import { cpSync, existsSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../support/root.ts'

const run = promisify(execFile)

/** Clones this repository with its uncommitted changes into `folder`, without a build. */
export async function freshClone(folder: string): Promise<void> {
  await run('git', ['clone', '--quiet', '--no-hardlinks', root, folder])
  const { stdout } = await run('git', ['status', '--porcelain', '-z', '--no-renames', '-uall'], { cwd: root })
  for (const entry of stdout.split('\0').filter(Boolean)) {
    const path = entry.slice(3)
    if (existsSync(join(root, path))) cpSync(join(root, path), join(folder, path))
    else rmSync(join(folder, path), { force: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  // Older than node_modules, so that nothing is installed.
  utimesSync(join(folder, 'package-lock.json'), 1, 1)
}
