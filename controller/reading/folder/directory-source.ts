// Reads a manifest folder as one consistent, settled revision, or not at all.
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inPieces } from '../../../platform/async/time-slices.ts'
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import { systemClock, type Clock } from '../../../platform/core/clock.ts'
import { noLog, type Log } from '../../../platform/core/log/log.ts'
import type { Unsubscribe } from '../../../platform/async/change-feed.ts'
import type { SourceCondition, SourceSync } from '../../../schemas/source.ts'
import type { ClosedSet } from '../../../platform/files/closed-set.ts'
import { Assembler } from '../assembler.ts'
import {
  SourceError,
  type DesiredState,
  type ManifestReader,
  type ReadContext,
  type ReadPlace,
  type KnownKinds,
} from '../desired-state.ts'
import { FileCache } from './file-cache.ts'
import type { FileFingerprint } from './file-fingerprint.ts'
import { FolderListings } from './folder-listings.ts'
import { describeError, isSameScan, scanFolder, sortByPath, type FolderScan } from './folder-scan.ts'
import { FolderWatch, type Look } from './folder-watch.ts'
import { gitLock } from './git-worktree.ts'
import { readPlaces } from './read-places.ts'
import { CAREFUL, type SourceRules } from '../rules/source-file.ts'
import { Environment } from '../environment.ts'
import { TextFiles } from '../text-files.ts'

export interface DirectoryOptions extends KnownKinds {
  /** May be a link that is repointed at times. */
  root: string
  home: string
  strict?: boolean
  clock?: Clock
  /** Quiet time in milliseconds after which the folder is settled. Default 250; 0 disables the wait. */
  settleMs?: number
  /** Larger folders are polled. Default 20,000 files. */
  mostWatched?: number
  log?: Log
  /** Files that links and manifests must not reach; a command reads as its user, who may. */
  closed?: ClosedSet
}

const NO_RULES: SourceRules = { sync: {}, diagnostics: [] }

/** Longest wait for the folder to settle. */
const PATIENCE_MS = 10_000

/** Short sleeps keep the deadline exact even if file times are wrong. */
const LONGEST_NAP_MS = 250

/** A change time further in the future comes from another clock and is ignored. */
const AHEAD_MS = 1000

interface Unrest {
  why: string
  next?: string
  waitMs: number
  /** The folder may be read anyway after the deadline. */
  bearable?: boolean
}

interface LastRead {
  state: DesiredState
  scan: FolderScan
  environment: Environment
  context: ReadContext
  /** False if a file was unreadable: the next read retries it. */
  isWhole: boolean
}

export class DirectorySource implements ManifestReader {
  readonly #options: DirectoryOptions
  readonly #clock: Clock
  readonly #settleMs: number
  readonly #assembler: Assembler
  readonly #texts: TextFiles
  readonly #listings: FolderListings
  readonly #turns = new SerialQueue()
  #watch: FolderWatch | null = null
  #cache: FileCache | null = null
  #last: LastRead | null = null
  #looked: FolderScan | null = null
  #places: { of: FolderScan | null; places: ReadPlace[] } | null = null
  #scanned: FolderScan | null = null
  /** From the last valid `svc.yaml`; null if there was none. */
  #sync: SourceSync | null = null

  constructor(options: DirectoryOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#listings = new FolderListings(this.#clock)
    this.#settleMs = options.settleMs ?? 250
    this.#assembler = new Assembler(options, options.strict ?? false)
    this.#texts = new TextFiles(options.closed)
  }

  read(context: ReadContext): Promise<DesiredState> {
    return this.#turns.run(() => this.#read(context))
  }

  watch(wake: () => void): Unsubscribe {
    const { root, log = noLog, mostWatched = 20_000 } = this.#options
    const look = () => this.#turns.run(() => this.#look())
    const watch = new FolderWatch({ root: resolve(root), look, wake, clock: this.#clock, log, mostWatched })
    this.#watch = watch
    return () => watch.close()
  }

  condition(): SourceCondition | null {
    return this.#watch?.condition ?? null
  }

  readPlaces(): ReadPlace[] {
    const scan = this.#scanned
    if (scan === null || this.#places?.of !== scan)
      this.#places = { of: scan, places: readPlaces(resolve(this.#options.root), scan) }
    return this.#places.places
  }

  async #read(context: ReadContext): Promise<DesiredState> {
    const deadline = this.#clock.monotonic() + PATIENCE_MS
    for (;;) {
      const scan = await this.#scan()
      if (this.#last?.isWhole && this.#isCurrent(this.#last, scan, context)) return this.#last.state
      const unrest = this.#unrest(scan)
      const overdue = this.#clock.monotonic() >= deadline
      if (!unrest || (overdue && unrest.bearable)) {
        const read = await this.#take(scan, context)
        if (read) return this.#keep(read)
      }
      if (overdue)
        throw new SourceError(
          `manifests in ${this.#options.root} keep changing: ${unrest?.why ?? 'files change while they are read'}; ${unrest?.next ?? 'stop the process that writes there'}; the next pass retries`,
        )
      await sleep(Math.min(Math.max(unrest?.waitMs ?? 0, 20), LONGEST_NAP_MS))
    }
  }

  /** Scans without reading files. A change counts even if a plan has read it, because a plan does not start a pass. */
  async #look(): Promise<Look> {
    const scan = await this.#scan().catch(() => null)
    const [before, last] = [this.#looked, this.#last]
    this.#looked = scan
    if (!scan) return { scan, changed: false }
    const isRead = !last || this.#isCurrent(last, scan, last.context)
    return { scan, changed: !isRead || (before !== null && !isSameScan(before, scan)) }
  }

  /** Resolved once, so that one read stays in one folder even if the link moves. */
  #root(): string {
    const { root } = this.#options
    try {
      const real = realpathSync(resolve(root))
      if (statSync(real).isDirectory()) return real
    } catch (error) {
      throw unreadable(root, error as NodeJS.ErrnoException)
    }
    throw new SourceError(`manifests cannot be read from ${root}: it is a file; name the folder that contains it`)
  }

  async #scan(): Promise<FolderScan> {
    const scanning = inPieces(scanFolder(this.#root(), { listings: this.#listings }))
    this.#scanned = await scanning.catch((error: NodeJS.ErrnoException) => {
      throw error instanceof SourceError ? error : unreadable(this.#options.root, error)
    })
    return this.#scanned
  }

  #isCurrent(last: LastRead, scan: FolderScan, context: ReadContext): boolean {
    const { environment } = last
    if (environment.root !== scan.root || !isSameScan(last.scan, scan)) return false
    return this.#environment(scan.root, context).agreesWith(environment)
  }

  #environment(root: string, context: ReadContext): Environment {
    return new Environment({ root, home: this.#options.home, context, texts: this.#texts })
  }

  /** Null if the folder is settled. */
  #unrest({ root, files, foldersChangedMs }: FolderScan): Unrest | null {
    if (this.#settleMs === 0) return null
    const lock = gitLock(root)
    if (lock)
      return { why: `git is running (${lock} exists)`, next: 'if no git command runs, remove that file', waitMs: 50 }
    const now = this.#clock.now()
    const youngest = latest(files, now + AHEAD_MS)
    const fileWait = youngest ? this.#youth(youngest.ctimeMs, now) : 0
    if (fileWait > 0) return { why: `${youngest!.path} keeps changing`, waitMs: fileWait }
    if (this.#last && hasSamePaths(this.#last.scan.files, files)) return null
    const folderWait = this.#youth(foldersChangedMs, now)
    return folderWait > 0 ? { why: 'files are being added and removed', waitMs: folderWait, bearable: true } : null
  }

  /** Milliseconds until a change at `changedMs` is old enough. */
  #youth(changedMs: number, now = this.#clock.now()): number {
    const age = now - changedMs
    return age < -AHEAD_MS ? 0 : Math.max(0, Math.ceil(this.#settleMs - age))
  }

  /** Returns null if anything changed meanwhile. */
  async #take(scan: FolderScan, context: ReadContext): Promise<LastRead | null> {
    const { root } = scan
    if (this.#cache?.root !== root) this.#cache = new FileCache(root, this.#assembler, this.#options.closed)
    if (!(await inPieces(this.#cache.update(sortByPath(scan))))) return null
    const { files, digests, hasUnreadable } = this.#cache
    const rules = this.#cache.rules ?? NO_RULES
    const environment = this.#environment(root, context)
    const assembled = this.#assembler.assemble({
      files,
      digests,
      sync: rules.sync ?? this.#sync ?? CAREFUL,
      diagnostics: rules.diagnostics,
      environment,
    })
    const state = await inPieces(assembled)
    if (environment.texts().some((text) => this.#settleMs > 0 && this.#youth(text.changedAt) > 0)) return null
    const read = { state, scan, environment, context, isWhole: !hasUnreadable }
    return this.#isCurrent(read, await this.#scan(), context) ? read : null
  }

  #keep(read: LastRead): DesiredState {
    const { rules } = this.#cache!
    // Without `svc.yaml`, earlier rules no longer apply.
    this.#sync = rules && (rules.sync ?? this.#sync)
    // Saves memory: later reads compare only the answers.
    read.environment.resources.clear()
    this.#last = read
    return read.state
  }
}

function latest(files: readonly FileFingerprint[], until: number): FileFingerprint | null {
  return files.reduce<FileFingerprint | null>(
    (last, file) => (file.ctimeMs <= until && file.ctimeMs > (last?.ctimeMs ?? 0) ? file : last),
    null,
  )
}

function hasSamePaths(a: readonly FileFingerprint[], b: readonly FileFingerprint[]): boolean {
  return a.length === b.length && a.every((file, index) => file.path === b[index]!.path)
}

function unreadable(root: string, error: NodeJS.ErrnoException): SourceError {
  if (error.code === 'ENOENT')
    return new SourceError(
      `manifests cannot be read from ${root}: the folder does not exist; create it, or name another`,
    )
  if (error.code === 'ENOTDIR')
    return new SourceError(`manifests cannot be read from ${root}: it is a file; name the folder that contains it`)
  return new SourceError(
    `manifests cannot be read from ${root}: ${describeError(error)}; give the user that runs svc permission to list it`,
  )
}
