// Clone of a remote repository whose branches are rewritten. It is bare and has the full history, because a merge base
// needs it. Agents cannot reach it.
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { RemoteError } from './mirror.ts'
import { listedIn, objectFormat } from './refs.ts'
import { gitOutward, type AskedGit, type Bytes, type Outward } from './remote-git.ts'
import { CloneError, RewriteRepository, type Identity } from './rewrite-repository.ts'
import { removeStaleFiles } from './stale-locks.ts'

export interface BranchCloneOptions extends Outward {
  /** Has the clone and its rewrites; created when needed. */
  folder: string
  /** Committer of rewritten commits. */
  committer: Identity
}

const FETCH_MS = 600_000
/** Without `consecutive` each fetch would bring the whole history. */
const FETCH = [
  '-c',
  'fetch.negotiationAlgorithm=consecutive',
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--recurse-submodules=no',
]
const TIDY = ['-c', 'gc.auto=6700', '-c', 'gc.autoPackLimit=50', 'gc', '--auto', '--quiet', '--prune=now']
/** The only ref of the clone: later fetches transfer only newer commits. */
const BASE = 'refs/svc/base'

export const headRef = (branch: string): string => `refs/heads/${branch}`

export class BranchClone {
  readonly #options: BranchCloneOptions

  constructor(options: BranchCloneOptions) {
    this.#options = options
  }

  get url(): string {
    return this.#options.url
  }

  get #repository(): string {
    return join(this.#options.folder, 'clone.git')
  }

  /** Returns the heads of existing branches by name. Throws RemoteError. */
  async heads(branches: readonly string[], signal: AbortSignal): Promise<Map<string, string>> {
    const listed = await this.#listed(branches.map(headRef), signal)
    return new Map(
      branches.flatMap((branch): [string, string][] => {
        const head = listed.get(headRef(branch))
        return head === undefined ? [] : [[branch, head]]
      }),
    )
  }

  /** Fetches existing branches with their history and returns the head of `base`. Throws CloneError. */
  async fetch(base: string, others: readonly string[], { format, signal }: FetchOptions): Promise<string> {
    await this.#prepare(format)
    const { failed, why } = await this.#outward(
      [...FETCH, '--', this.url, `+${headRef(base)}:${BASE}`, ...others.map(headRef)],
      { signal, patienceMs: FETCH_MS },
    )
    signal.throwIfAborted()
    if (failed) throw new CloneError(`the branches of ${this.url} cannot be fetched: ${why}`)
    return this.#line(['rev-parse', '--verify', BASE])
  }

  /** Fetches a commit unless it is in the clone: by `ref`, else by its id. Throws RemoteError. */
  async fetchCommit(commit: string, ref: string, signal: AbortSignal): Promise<void> {
    let reason = ''
    for (const source of [ref, commit]) {
      if (await this.has(commit)) return
      const asked = { signal, patienceMs: FETCH_MS }
      reason = (await this.#outward([...FETCH, '--', this.url, source], asked)).why
      signal.throwIfAborted()
    }
    if (!(await this.has(commit))) throw new RemoteError(`commit ${commit} of ${this.url} cannot be fetched: ${reason}`)
  }

  async has(commit: string): Promise<boolean> {
    const { stdout } = await this.#local(['cat-file', '-t', commit])
    return stdout.toString('utf8').trim() === 'commit'
  }

  /** Runs `work` with a repository that reads the objects of the clone, and removes it afterwards. */
  async rewrite<T>(format: Format, work: (repository: RewriteRepository) => Promise<T>): Promise<T> {
    const folder = join(this.#options.folder, 'rewrite')
    // A killed daemon may have left it.
    await rm(folder, { recursive: true, force: true })
    try {
      const objects = join(this.#repository, 'objects')
      return await work(await RewriteRepository.create({ ...this.#options, folder, objects, format }))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /**
   * Repeats `work` once with a new clone if it throws CloneError and the remote answers. Throws RemoteError, and removes
   * a clone that fails twice.
   */
  async renewing<T>(work: (isNew: boolean) => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await withCloneErrors(() => work(false))
    } catch (error) {
      if (!(error instanceof CloneError)) throw error
      // An outage is no fault of the clone.
      await this.#listed(['HEAD'], signal)
      await this.#discard()
    }
    try {
      return await withCloneErrors(() => work(true))
    } catch (error) {
      if (error instanceof CloneError) await this.#discard()
      throw error
    }
  }

  #discard(): Promise<void> {
    return withCloneErrors(() => rm(this.#options.folder, { recursive: true, force: true }))
  }

  async #listed(patterns: readonly string[], signal: AbortSignal): Promise<Map<string, string>> {
    const asked = ['ls-remote', '--quiet', '--', this.url, ...patterns]
    const { stdout, why, failed } = await gitOutward(this.#options, asked, { signal })
    signal.throwIfAborted()
    if (failed) throw new RemoteError(`${this.url} cannot be queried: ${why}`)
    return listedIn(stdout.toString('utf8'))
  }

  async #prepare(format: Format): Promise<void> {
    const { folder } = this.#options
    const repository = this.#repository
    await removeStaleFiles(repository)
    if (existsSync(repository) && (await this.#line(['rev-parse', '--show-object-format'])) !== format)
      await this.#discard()
    if (existsSync(repository)) {
      await this.#local(TIDY, { patienceMs: FETCH_MS })
      return
    }
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const init = ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, '--', repository]
    const made = await gitOutward(this.#options, init)
    if (made.failed) throw new CloneError(`${repository} cannot be created: ${made.why}`)
  }

  async #line(args: readonly string[]): Promise<string> {
    const { stdout, why, failed } = await this.#local(args)
    if (failed) throw this.#unreadable(why)
    return stdout.toString('utf8').trim()
  }

  #unreadable(why: string): CloneError {
    return new CloneError(`${this.#repository} cannot be read: ${why}`)
  }

  #outward(args: readonly string[], asked: AskedGit): Promise<Bytes> {
    return gitOutward(this.#options, [`--git-dir=${this.#repository}`, ...args], asked)
  }

  /** Runs git without the network and without credentials. */
  #local(args: readonly string[], asked: AskedGit = {}): Promise<Bytes> {
    const variables = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' }
    const all = [`--git-dir=${this.#repository}`, ...args]
    return gitOutward({ ...this.#options, credentials: {} }, all, { ...asked, variables })
  }
}

/** Converts errors of the file system, such as a full disk. */
async function withCloneErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new CloneError(`the clone cannot be stored: ${error.message}`, { cause: error })
  }
}

export type Format = ReturnType<typeof objectFormat>

export interface FetchOptions {
  format: Format
  signal: AbortSignal
}
