import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Config } from '../../../platform/core/config.ts'
import { ClosedSet } from '../../../platform/files/closed-set.ts'
import { checkoutAround } from '../../../platform/git/source-folders.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { Place } from '../policy/workplace.ts'

/** Directories as launched; those added later apply from the next start. */
export function placeOf(
  config: Config,
  { spec, launched, worktree, sandbox }: Pick<AgentRow, 'spec' | 'launched' | 'worktree' | 'sandbox'>,
): Place {
  const { working_dir, additional_dirs, worktree: apart } = launched ?? spec
  const isSandboxed = Boolean(sandbox?.launch)
  const more = [...additional_dirs, ...(isSandboxed ? sandbox!.opened : [])]
  const place = { home: config.home, closed: new ClosedSet(config), isSandboxed }
  if (!apart || worktree === null) return { ...place, workingDir: working_dir, additionalDirs: more }
  const below = checkoutAround(working_dir, config.dataDir)?.below ?? relative(topOf(working_dir), working_dir)
  const folder = join(worktree, below)
  return { ...place, workingDir: folder, additionalDirs: [worktree, working_dir, ...more] }
}

function topOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return folder
  }
}
