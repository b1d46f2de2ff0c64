import { join, posix, relative } from 'node:path'
import { inPieces, type Pieces } from '../../../platform/async/time-slices.ts'
import { RemoteError, type Blob, type Mirror } from '../../../platform/git/mirror.ts'
import type { ReadText } from '../../../schemas/kind.ts'
import { Assembler } from '../assembler.ts'
import { SourceError, type CommittedFile, type DesiredState, type ReadContext } from '../desired-state.ts'
import { brokenFile, type ManifestFile } from '../document.ts'
import { Environment, type Overlay } from '../environment.ts'
import { FolderKinds } from '../folder-kinds.ts'
import { takeFile } from '../manifest.ts'
import { CAREFUL, type SourceRules } from '../rules/source-file.ts'
import { isInside, OUTSIDE, TextFiles, textIn, UNREADABLE } from '../text-files.ts'
import { TOO_LARGE } from '../yaml/text-decoding.ts'
import { MOST_BYTES } from '../yaml/parse.ts'
import { CommitTree, type Found } from './commit-tree.ts'
import type { GitOptions } from './git-options.ts'

interface Commit {
  commit: string
  oid: string
  tree: CommitTree
  manifests: readonly Found[]
  folders: ReadonlySet<string>
  /** By object id. */
  texts: Map<string, ReadText>
  taken: { state: DesiredState; environment: Environment } | null
}

/** Enough for the newest and the last good commit. */
const KEPT_COMMITS = 3
const LINK_BYTES = 4096
/** Limit on rounds of reading texts that templates name; two usually suffice. */
const MOST_ROUNDS = 4

export class Snapshots {
  readonly #options: GitOptions
  readonly #mirror: Mirror
  readonly #project: string
  readonly #root: string
  readonly #assembler: Assembler
  readonly #folders: FolderKinds
  #files = new Map<string, ManifestFile | SourceRules>()
  readonly #commits = new Map<string, Commit>()
  #lastRefused: { tried: DesiredState; base: DesiredState | null; state: DesiredState } | null = null
  /** Permanent errors by commit, which is not retried. */
  readonly #refused = new Map<string, SourceError>()

  constructor(options: GitOptions, mirror: Mirror) {
    this.#options = options
    this.#mirror = mirror
    this.#project = options.checkout
    this.#root = join(this.#project, options.place.path)
    this.#assembler = new Assembler(options, false)
    this.#folders = new FolderKinds(this.#root, options, this.#project)
  }

  /**
   * Returns the same object while manifests and their inputs are unchanged. Throws SourceError for an unknown commit or
   * a missing folder.
   */
  async read(commit: string, context: ReadContext): Promise<DesiredState> {
    const refused = this.#refused.get(commit)
    if (refused) throw refused
    try {
      const known = await this.#openCommit(commit)
      const { taken } = known
      if (taken && this.#environment(known, context, new Set()).agreesWith(taken.environment)) return taken.state
      return await this.#take(known, context)
    } catch (error) {
      if (error instanceof RangeError) throw this.#refuse(commit, error.message)
      throw error instanceof RemoteError ? new SourceError(error.message) : error
    }
  }

  #refuse(commit: string, why: string): SourceError {
    if (this.#refused.size === KEPT_COMMITS) this.#refused.clear()
    const refused = new SourceError(`commit ${commit} cannot be read: ${why}; nothing is pruned`)
    this.#refused.set(commit, refused)
    return refused
  }

  /** Throws SourceError or RemoteError. */
  async readManifest(commit: string, file: string): Promise<CommittedFile> {
    const { url, path } = this.#options.place
    const known = await this.#openCommit(commit)
    const found = known.tree.file(file)
    if (found === null || found === 'outside') throw new SourceError(`commit ${commit} has no manifest ${file}`)
    const content = (await this.#contents(known, [found.oid], MOST_BYTES)).get(found.oid)!
    if (content === 'too-large') throw new SourceError(`${file} of commit ${commit}: ${TOO_LARGE.message}`)
    return { url, path: posix.join(path, found.path), text: content.toString('utf8') }
  }

  /** True if manifests of the commit name a folder of the repository; call after `read`. */
  namesProject(commit: string): boolean {
    const asked = this.#commits.get(commit)?.taken?.environment.keysOf('directory') ?? []
    return asked.some((path) => this.#ofProject(path) !== null)
  }

  /** State in force while `tried` has errors: that of `base` (or none) with those errors. Caches the last pair. */
  refused(tried: DesiredState, base: DesiredState | null): DesiredState {
    const last = this.#lastRefused
    if (last?.tried === tried && last.base === base) return last.state
    const state: DesiredState = {
      ...(base ?? { revision: '', resources: [], sync: tried.sync }),
      diagnostics: tried.diagnostics,
      complete: false,
      attempted: tried.revision,
    }
    this.#lastRefused = { tried, base, state }
    return state
  }

  async #take(known: Commit, context: ReadContext): Promise<DesiredState> {
    const { files, rules } = await this.#filesOf(known)
    for (let round = 0; ; round++) {
      const missing = new Set<string>()
      const environment = this.#environment(known, context, missing)
      const assembled = this.#assembler.assemble({
        files,
        digests: [],
        sync: rules.sync ?? CAREFUL,
        diagnostics: rules.diagnostics,
        environment,
      })
      const state = { ...(await inPieces(assembled)), revision: known.commit }
      if (missing.size === 0 || round === MOST_ROUNDS) {
        environment.resources.clear()
        known.taken = { state, environment }
        return state
      }
      for (const [oid, content] of await this.#contents(known, [...missing], MOST_BYTES))
        known.texts.set(oid, textOf(content))
    }
  }

  async #filesOf(known: Commit): Promise<{ files: ManifestFile[]; rules: SourceRules }> {
    const { manifests } = known
    const wanted = manifests.flatMap((each) => (each.oid && !this.#files.has(keyOf(each)) ? [each.oid] : []))
    const contents = await this.#contents(known, [...new Set(wanted)], MOST_BYTES)
    await inPieces(this.#parse(manifests, contents))
    this.#forgetFiles(manifests)
    const read = manifests.map((each) => this.#files.get(keyOf(each))!)
    return {
      files: read.flatMap((each) => ('sync' in each ? [] : [each])),
      rules: read.find((each) => 'sync' in each) ?? { sync: {}, diagnostics: [] },
    }
  }

  *#parse(manifests: readonly Found[], contents: ReadonlyMap<string, Blob>): Pieces<void> {
    for (const found of manifests) {
      if (this.#files.has(keyOf(found))) continue
      yield
      const { path } = found
      const content = found.oid === null ? null : contents.get(found.oid)!
      const fault = content === 'too-large' ? TOO_LARGE : found.fault
      const file =
        content === null || content === 'too-large'
          ? brokenFile(path, this.#folders.kindOf(path), fault!)
          : yield* takeFile({ path, content, assembler: this.#assembler, folders: this.#folders })
      this.#files.set(keyOf(found), file)
    }
  }

  #forgetFiles(now: readonly Found[]): void {
    const used = new Set([...[...this.#commits.values()].flatMap(({ manifests }) => manifests), ...now].map(keyOf))
    if (this.#files.size > used.size) this.#files = new Map([...this.#files].filter(([key]) => used.has(key)))
  }

  async #openCommit(commit: string): Promise<Commit> {
    const known = this.#commits.get(commit) ?? (await this.#loadCommit(commit))
    // Least recently used first.
    this.#commits.delete(commit)
    this.#commits.set(commit, known)
    for (const old of [...this.#commits.keys()].slice(0, -KEPT_COMMITS)) this.#commits.delete(old)
    return known
  }

  async #loadCommit(commit: string): Promise<Commit> {
    const { path } = this.#options.place
    const mirror = this.#mirror
    const oid = await mirror.tree(commit, path)
    if (oid === null)
      throw new SourceError(
        `commit ${commit} ${path === '' ? 'was not found' : `has no folder ${path}`}; nothing is pruned`,
      )
    const [lines, folders] = await Promise.all([mirror.files(oid), mirror.folders(commit)])
    const links = [...new Set(lines.flatMap((line) => (line.mode === '120000' ? [line.oid] : [])))]
    const targets = new Map<string, string | null>()
    for (const [link, content] of await this.#contents({ commit, oid }, links, LINK_BYTES))
      targets.set(link, content === 'too-large' ? null : content.toString('utf8'))
    const all = new Set(folders)
    const tree = new CommitTree(lines, { targets, folders: all, below: path })
    return { commit, oid, tree, manifests: tree.manifests(), folders: all, texts: new Map(), taken: null }
  }

  async #contents(
    { commit, oid }: Pick<Commit, 'commit' | 'oid'>,
    oids: readonly string[],
    most: number,
  ): Promise<Map<string, Blob>> {
    await this.#mirror.need({ commit, tree: oid }, oids, MOST_BYTES)
    return this.#mirror.blobs(oids, most)
  }

  /** Adds ids of texts to read to `missing`. */
  #environment(known: Commit, context: ReadContext, missing: Set<string>): Environment {
    const { home } = this.#options
    const overlay: Overlay = {
      text: (path) => {
        if (!isInside(path, this.#root)) return OUTSIDE
        const file = known.tree.file(relative(this.#root, path))
        if (file === null) return UNREADABLE
        if (file === 'outside') return OUTSIDE
        const text = known.texts.get(file.oid)
        if (!text) missing.add(file.oid)
        return text ?? UNREADABLE
      },
      isDirectory: (path) => {
        const below = this.#ofProject(path)
        return below === null ? undefined : below === '' || known.folders.has(below)
      },
      worktreeBase: (path) => (this.#ofProject(path) === null ? undefined : 'checkout'),
      project: () => this.#project,
    }
    return new Environment({ root: this.#root, tree: null, home, context, texts: new TextFiles(), overlay })
  }

  /** Path in the repository; null if outside. */
  #ofProject(path: string): string | null {
    const project = this.#project
    return path === project ? '' : isInside(path, project) ? relative(project, path) : null
  }
}

const keyOf = ({ path, oid, fault }: Found): string => `${oid ?? fault!.message} ${path}`

const textOf = (content: Blob): ReadText => (content === 'too-large' ? UNREADABLE : textIn(content))
