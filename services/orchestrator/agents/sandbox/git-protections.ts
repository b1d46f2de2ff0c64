// What a sandboxed agent may change of git: a commit, but no configuration, hook or other working tree.
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isThere } from '../../record/started-sandbox.ts'

export interface GitProtections {
  write: string[]
  readonly: string[]
  /** Missing files that would change what git runs outside. */
  absent: string[]
}

/** Programs and settings of a repository. */
const SETTINGS = ['hooks', 'config', 'config.worktree', 'commondir', join('info', 'attributes')]
const WRITABLE = ['objects', 'refs', 'logs']
const OF_WORKTREE = ['commondir', 'gitdir', 'config.worktree']
/** Bytes. */
const LONGEST_CONFIG = 1024 * 1024

/** For one directory that the agent may write. */
export function gitProtections(folder: string): GitProtections {
  const git = join(folder, '.git')
  if (isDirectory(git)) return ofCheckout(git)
  const linked = linkedFolder(git)
  return linked === null ? { write: [], readonly: [], absent: [] } : ofWorktree(git, linked)
}

/** The folder itself stays writable, so that git can commit; it cannot be renamed, because mounts lie in it. */
function ofCheckout(git: string): GitProtections {
  const settings = SETTINGS.map((name) => join(git, name))
  const modules = below(join(git, 'modules')).flatMap((module) => [join(module, 'hooks'), join(module, 'config')])
  const hooks = hooksPath(git)
  return {
    write: [],
    readonly: [...settings, ...modules, ...(hooks === null ? [] : [hooks])].filter(isThere),
    absent: settings.filter((path) => !isThere(path)),
  }
}

/** `linked`: the folder of the worktree in the repository. */
function ofWorktree(git: string, linked: string): GitProtections {
  const common = commonFolder(linked)
  const own = OF_WORKTREE.map((name) => join(linked, name))
  const hooks = hooksPath(common)
  return {
    write: [linked, ...WRITABLE.map((name) => join(common, name))].filter(isThere),
    readonly: [common, git, ...own, ...(hooks === null ? [] : [hooks])].filter(isThere),
    absent: own.filter((path) => !isThere(path)),
  }
}

function commonFolder(linked: string): string {
  const written = pointer(join(linked, 'commondir'))
  return written === null ? dirname(dirname(linked)) : resolve(linked, written)
}

/** Null unless `.git` is a file that names a folder of a repository for this working tree. */
function linkedFolder(git: string): string | null {
  const written = pointer(git)
  const linked = written === null ? null : /^gitdir: (.+)$/.exec(written)?.[1]
  if (!linked) return null
  const folder = resolve(dirname(git), linked)
  const isWorktree = basename(dirname(folder)) === 'worktrees' && isThere(join(folder, 'commondir'))
  // An agent may have written `.git`: the repository must name this working tree.
  return isWorktree && pointer(join(folder, 'gitdir')) === git ? folder : null
}

/** `core.hooksPath` of the repository, made absolute; null if git uses its own folder. */
function hooksPath(git: string): string | null {
  const written = /^\s*hookspath\s*=\s*"?([^"\n#;]+)/im.exec(text(join(git, 'config')) ?? '')?.[1]?.trim()
  return written ? resolve(dirname(git), written) : null
}

const pointer = (file: string): string | null => text(file)?.split('\n')[0]?.trim() ?? null

/** An agent could have put a pipe or a large file there. */
function text(file: string): string | null {
  let opened: number
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
  try {
    const { size } = fstatSync(opened)
    if (!fstatSync(opened).isFile() || size > LONGEST_CONFIG) return null
    const bytes = Buffer.alloc(size)
    return bytes.toString('utf8', 0, readSync(opened, bytes))
  } finally {
    closeSync(opened)
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function below(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}
