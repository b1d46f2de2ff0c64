import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Config } from '../../../platform/core/config.ts'
import { ClosedSet, isWithin } from '../../../platform/files/closed-set.ts'
import { realPaths } from '../policy/real-path.ts'
import type { AgentRow } from '../record/agent-store.ts'
import { openDirectories, type Place } from '../policy/workplace.ts'

/** Directories as launched; those added later apply from the next start. */
export function placeOf(
  home: string,
  { spec, launched, worktree }: Pick<AgentRow, 'spec' | 'launched' | 'worktree'>,
): Place {
  const { working_dir, additional_dirs, worktree: apart } = launched ?? spec
  if (!apart || worktree === null) return { workingDir: working_dir, home, additionalDirs: additional_dirs }
  const folder = join(worktree, relative(topOf(working_dir), working_dir))
  return { workingDir: folder, home, additionalDirs: [worktree, working_dir, ...additional_dirs] }
}

/** Directories that the daemon may open for an agent, with links resolved: a link may lead to a closed one by now. */
export function openTo(config: Config, agent: Parameters<typeof placeOf>[1]): string[] {
  const place = placeOf(config.home, agent)
  const written = [place.workingDir, ...(place.additionalDirs ?? [])]
  const own = written.filter((folder) => isWithin(folder, config.dataDir)).flatMap((folder) => realPaths(folder) ?? [])
  const closed = new ClosedSet(config)
  return openDirectories(place).filter((real) => closed.closing(real, own) === null)
}

function topOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return folder
  }
}
