// Temporary repository in which branches are rebased. Its working tree is sparse and empty: a rebase needs no files, and
// line ends or filters of the repository cannot make it look changed. So attributes have no effect, as in the merges of
// forges.
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RemoteError } from './mirror.ts'
import { gitOutward, type AskedGit, type Bytes, type Outward } from './remote-git.ts'

/** The clone is damaged or its disk is full: a new clone may help. */
export class CloneError extends RemoteError {}

/** The remote has refused the push, for example because a branch is protected. */
export class PushRefused extends RemoteError {
  /** Refused for themselves, and not because all or none are pushed; empty if the remote does not say. */
  readonly branches: readonly string[]

  constructor(message: string, branches: readonly string[]) {
    super(message)
    this.branches = branches
  }
}

/** Line of `git push --porcelain` for a branch that the remote has refused, with its reason. */
const REFUSED = /^!\t[^\t]*:refs\/heads\/([^\t]*)\t\[remote rejected\](.*)$/gm

export interface Identity {
  name: string
  email: string
}

export interface RewriteOptions extends Outward {
  /** Must not exist. */
  folder: string
  /** Folder of objects to read besides its own, if it exists. */
  objects: string
  format: 'sha1' | 'sha256'
  committer: Identity
}

export interface Rebase {
  head: string
  /** Commits from here to `head` are moved. */
  oldBase: string
  onto: string
}

/** `files`: paths in conflict, at most 100. */
export type Rebased = { commit: string } | { files: string[] }

export interface BranchUpdate {
  branch: string
  /** Expected head: the lease. */
  from: string
  /** Null deletes the branch. */
  to: string | null
}

const PATIENCE_MS = 600_000
const MOST_FILES = 100
const CONFIG = ['core.sparseCheckout=true', 'core.logAllRefUpdates=false', 'rerere.enabled=false']

export class RewriteRepository {
  readonly #options: RewriteOptions

  private constructor(options: RewriteOptions) {
    this.#options = options
  }

  /** Throws CloneError. */
  static async create(options: RewriteOptions): Promise<RewriteRepository> {
    const repository = new RewriteRepository(options)
    const { format } = options
    for (const folder of [repository.#tree, join(repository.#git, 'info')])
      await mkdir(folder, { recursive: true, mode: 0o700 })
    const init = ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, '--', repository.#git]
    const made = await gitOutward(repository.#withoutCredentials, init)
    if (made.failed) throw new CloneError(`${repository.#git} cannot be created: ${made.why}`)
    if (existsSync(options.objects)) {
      await mkdir(join(repository.#git, 'objects', 'info'), { recursive: true })
      await writeFile(join(repository.#git, 'objects', 'info', 'alternates'), `${options.objects}\n`)
    }
    await writeFile(join(repository.#git, 'info', 'sparse-checkout'), '!/*\n')
    return repository
  }

  get #git(): string {
    return join(this.#options.folder, 'repository.git')
  }

  get #tree(): string {
    return join(this.#options.folder, 'tree')
  }

  get #withoutCredentials(): Outward {
    return { ...this.#options, credentials: {} }
  }

  /** Returns null for unrelated histories. Throws CloneError. */
  async mergeBase(one: string, other: string): Promise<string | null> {
    const { stdout, why, exitCode } = await this.#local(['merge-base', one, other])
    if (exitCode !== 0 && exitCode !== 1) throw this.#unusable(why)
    return exitCode === 1 ? null : stdout.toString('utf8').trim()
  }

  /** True if `commit` is `head` or an ancestor of it. Throws CloneError. */
  async contains(head: string, commit: string): Promise<boolean> {
    const { why, exitCode } = await this.#local(['merge-base', '--is-ancestor', commit, head])
    if (exitCode !== 0 && exitCode !== 1) throw this.#unusable(why)
    return exitCode === 0
  }

  /** Keeps authors and leaves out commits that are already in `onto`. Throws CloneError. */
  async rebase({ head, oldBase, onto }: Rebase, signal: AbortSignal): Promise<Rebased> {
    // A branch may have merged commits of the new base, which must not move. One commit above both excludes them.
    const upstream = await this.#line(['commit-tree', `${onto}^{tree}`, '-p', oldBase, '-p', onto, '-m', 'upstream'])
    await this.#line(['checkout', '--quiet', '--force', '--detach', onto], signal)
    const moved = await this.#local(['rebase', '--quiet', '--merge', '--empty=drop', '--onto', onto, upstream, head], {
      signal,
    })
    signal.throwIfAborted()
    if (moved.failed) {
      const files = await this.#unmerged()
      if (files.length === 0) throw new CloneError(`commit ${head} cannot be rebased: ${moved.why}`)
      return { files }
    }
    const commit = await this.#line(['rev-parse', '--verify', 'HEAD'])
    const lost = await this.#lostOfMerges({ upstream, head, commit })
    return lost.length > 0 ? { files: lost } : { commit }
  }

  /**
   * Pushes all updates or none; each needs its branch to be at `from`. Throws RemoteError, also if the answer of the
   * remote was lost, and PushRefused if the remote refuses an update.
   */
  async push(updates: readonly BranchUpdate[], signal: AbortSignal): Promise<void> {
    const leases = updates.map(({ branch, from }) => `--force-with-lease=refs/heads/${branch}:${from}`)
    const refs = updates.map(({ branch, to }) => `${to ?? ''}:refs/heads/${branch}`)
    const { url } = this.#options
    const { stdout, failed, why } = await gitOutward(
      this.#options,
      [
        `--git-dir=${this.#git}`,
        'push',
        '--quiet',
        '--atomic',
        '--porcelain',
        '--no-verify',
        ...leases,
        '--',
        url,
        ...refs,
      ],
      { signal, patienceMs: PATIENCE_MS },
    )
    signal.throwIfAborted()
    const names = updates.map(({ branch }) => branch).join(', ')
    if (!failed) return
    const message = `${names} cannot be pushed to ${url}: ${why}`
    const refused = [...stdout.toString('utf8').matchAll(REFUSED)]
    if (refused.length === 0) throw new RemoteError(message)
    const own = refused.filter(([, , reason]) => !reason!.startsWith(' (atomic '))
    throw new PushRefused(
      message,
      own.map(([, branch]) => branch!),
    )
  }

  async #unmerged(): Promise<string[]> {
    const lines = pathsIn((await this.#local(['ls-files', '--unmerged', '-z'])).stdout)
    return limited(lines.map((line) => line.slice(line.indexOf('\t') + 1)))
  }

  /**
   * A rebase drops merge commits, and changes made in them. Returns the files that differ from a merge of the branch
   * into its new base.
   */
  async #lostOfMerges({ upstream, head, commit }: Record<'upstream' | 'head' | 'commit', string>): Promise<string[]> {
    const merges = await this.#line(['rev-list', '--merges', '--max-count=1', head, `^${upstream}`])
    if (merges === '') return []
    const merged = await this.#local(['merge-tree', '--write-tree', '--name-only', '-z', upstream, head])
    const [tree = '', ...files] = merged.stdout.toString('utf8').split('\0')
    if (merged.exitCode === 1) return limited(files.slice(0, files.indexOf('')))
    if (merged.failed) throw new CloneError(`commit ${head} cannot be merged: ${merged.why}`)
    const differing = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', tree, commit]
    return limited(pathsIn((await this.#local(differing)).stdout))
  }

  async #line(args: readonly string[], signal?: AbortSignal): Promise<string> {
    const { stdout, why, failed } = await this.#local(args, { signal })
    signal?.throwIfAborted()
    if (failed) throw this.#unusable(why)
    return stdout.toString('utf8').trim()
  }

  #unusable(why: string): CloneError {
    return new CloneError(`${this.#git} cannot be used: ${why}`)
  }

  #local(args: readonly string[], asked: AskedGit = {}): Promise<Bytes> {
    const { name, email } = this.#options.committer
    const variables = {
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_NO_LAZY_FETCH: '1',
      GIT_DIR: this.#git,
      GIT_WORK_TREE: this.#tree,
    }
    const config = [...CONFIG, `user.name=${name}`, `user.email=${email}`].flatMap((each) => ['-c', each])
    return gitOutward(this.#withoutCredentials, ['-C', this.#tree, ...config, ...args], {
      patienceMs: PATIENCE_MS,
      ...asked,
      variables,
    })
  }
}

const pathsIn = (output: Buffer): string[] => output.toString('utf8').split('\0').filter(Boolean)

const limited = (paths: readonly string[]): string[] =>
  [...new Set(paths)].map((path) => path.replace(/[\u0000-\u001f\u007f]/g, '?')).slice(0, MOST_FILES)
