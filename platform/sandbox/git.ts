// What git needs to write, and what a program must not change there: a setting or a hook runs commands outside.
import { dirname, join, resolve } from 'node:path'
import type { FileFacts } from './facts.ts'
import { configured } from './git-config.ts'

export interface GitPaths {
  write: string[]
  readonly: string[]
  /** Do not exist; once one does, commands of git outside read settings that the program chose. */
  watched: string[]
  /** Linked worktrees share a folder that commands must not clean up. */
  isLinked: boolean
}

/** For one writable folder. Empty unless the folder is the top of a working tree. */
export function gitPaths(root: string, facts: FileFacts, home: string): GitPaths {
  const entry = join(root, '.git')
  const kind = facts.kind(entry)
  if (kind === 'folder') return ofRepository(root, entry, { facts, home })
  const linked = kind === 'file' ? ofWorktree(root, entry, facts) : null
  // A file that leads elsewhere opens nothing.
  return linked ?? { write: [], readonly: kind === null ? [] : [entry], watched: [], isLinked: false }
}

/** Names of variables follow those of `inherited`. */
export function gitEnvironment(inherited: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const first = Number(inherited.GIT_CONFIG_COUNT ?? 0) || 0
  const settings = Object.entries({ 'gc.auto': '0', 'gc.worktreePruneExpire': 'never', 'maintenance.auto': 'false' })
  return {
    GIT_CONFIG_COUNT: String(first + settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${first + index}`, key],
        [`GIT_CONFIG_VALUE_${first + index}`, value],
      ]),
    ),
  }
}

function ofWorktree(root: string, entry: string, facts: FileFacts): GitPaths | null {
  const own = pointer(entry, root, { facts, prefix: 'gitdir: ' })
  if (own === null) return null
  const common = pointer(join(own, 'commondir'), own, { facts })
  // Git itself wrote both ends; a program can only write the one in the worktree.
  if (common === null || dirname(own) !== join(common, 'worktrees')) return null
  const back = pointer(join(own, 'gitdir'), own, { facts })
  if (back !== facts.realPath(entry)) return null
  const protectedFiles = ['commondir', 'gitdir', 'config.worktree'].map((name) => join(own, name))
  const isThere = (path: string) => facts.exists(path)
  return {
    write: [...['objects', 'refs', 'logs'].map((name) => join(common, name)), own].filter(isThere),
    readonly: [entry, common, ...protectedFiles].filter(isThere),
    watched: [],
    isLinked: true,
  }
}

/** The path in a file of git, without links. */
function pointer(
  file: string,
  base: string,
  { facts, prefix = '' }: { facts: FileFacts; prefix?: string },
): string | null {
  const text = facts.text(file)?.trimEnd()
  return text?.startsWith(prefix) ? facts.realPath(resolve(base, text.slice(prefix.length))) : null
}

interface Reading {
  facts: FileFacts
  home: string
}

const OF_A_REPOSITORY = ['hooks', 'config', 'config.worktree', join('info', 'attributes')]
const OF_A_WORKTREE = ['commondir', 'gitdir', 'config.worktree']

function ofRepository(root: string, folder: string, { facts, home }: Reading): GitPaths {
  const modules = modulesIn(join(folder, 'modules'), facts)
  const inner = [folder, ...modules]
  const worktrees = facts.names(join(folder, 'worktrees')).map((name) => join(folder, 'worktrees', name))
  const named = [
    ...inner.flatMap((each) => OF_A_REPOSITORY.map((name) => join(each, name))),
    ...worktrees.flatMap((each) => OF_A_WORKTREE.map((name) => join(each, name))),
    ...configured(inner, { root, home, facts }),
  ]
  const ofEach = inner.flatMap((each) => [join(each, 'commondir'), join(each, 'hooks')])
  return {
    write: [],
    readonly: [...new Set(named)].filter((path) => facts.exists(path)),
    watched: ofEach.filter((path) => !facts.exists(path)),
    isLinked: false,
  }
}

/** Repositories of submodules. A name of one may contain slashes, and one may have submodules. */
function modulesIn(folder: string, facts: FileFacts): string[] {
  return facts.names(folder).flatMap((name) => {
    const path = join(folder, name)
    if (facts.kind(path) !== 'folder') return []
    return facts.exists(join(path, 'HEAD'))
      ? [path, ...modulesIn(join(path, 'modules'), facts)]
      : modulesIn(path, facts)
  })
}
