import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Config } from '../../../platform/core/config.ts'
import { ClosedSet, isWithin } from '../../../platform/files/closed-set.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { Place } from '../policy/workplace.ts'

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
export async function openTo(config: Config, agent: Parameters<typeof placeOf>[1]): Promise<string[]> {
  const { workingDir, additionalDirs = [] } = placeOf(config.home, agent)
  const resolved = [workingDir, ...additionalDirs].map(async (written) => {
    const real = await realpath(written).catch(() => null)
    return real === null ? [] : [{ written, real }]
  })
  const folders = (await Promise.all(resolved)).flat()
  const own = folders.filter(({ written }) => isWithin(written, config.dataDir)).map(({ real }) => real)
  const closed = new ClosedSet(config)
  return folders.map(({ real }) => real).filter((real) => closed.closing(real, own) === null)
}

function topOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return folder
  }
}
