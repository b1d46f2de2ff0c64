import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Config } from '../../../platform/core/config.ts'
import { ClosedSet } from '../../../platform/files/closed-set.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { Place } from '../policy/workplace.ts'

/** Directories as launched; those added later apply from the next start. */
export function placeOf(
  config: Config,
  { spec, launched, worktree }: Pick<AgentRow, 'spec' | 'launched' | 'worktree'>,
): Place {
  const { working_dir, additional_dirs, worktree: apart } = launched ?? spec
  const place = { home: config.home, closed: new ClosedSet(config) }
  if (!apart || worktree === null) return { ...place, workingDir: working_dir, additionalDirs: additional_dirs }
  const folder = join(worktree, relative(topOf(working_dir), working_dir))
  return { ...place, workingDir: folder, additionalDirs: [worktree, working_dir, ...additional_dirs] }
}

function topOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return folder
  }
}
