// A manifest folder as a source: read as one consistent, settled revision, or not at all.
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inPieces } from '../../../platform/async/time-slices.ts'
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import { systemClock, type Clock } from '../../../platform/core/clock.ts'
import { noLog, type Log } from '../../../platform/core/log/log.ts'
import type { Unsubscribe } from '../../../platform/async/change-feed.ts'
import type { SourceCondition, SourceSync } from '../../../schemas/source.ts'
import { Assembler } from '../assembler.ts'
import {
  SourceError,
  type DesiredState,
  type ManifestReader,
  type ReadContext,
  type KnownKinds,
} from '../desired-state.ts'
import { FileCache } from './file-cache.ts'
import type { FileFingerprint } from './file-fingerprint.ts'
import { FolderListings } from './folder-listings.ts'
import { describeError, isSameScan, scanFolder, sortByPath, type FolderScan } from './folder-scan.ts'
import { FolderWatch, type Look } from './folder-watch.ts'
import { gitLock } from './git-worktree.ts'
import { CAREFUL, type SourceRules } from '../rules/source-file.ts'
import { Environment } from '../environment.ts'
import { TextFiles } from '../text-files.ts'

export interface DirectoryOptions extends KnownKinds {
  /** Manifest folder; may be a link that is repointed at times. */
  root: string
  home: string
  /** Treat warnings as errors. */
  strict?: boolean
  /** For comparing file times; default the system clock. */
  clock?: Clock
  /** Milliseconds without a change before the folder is settled. Default 250; 0 disables the wait. */
  settleMs?: number
  /** Most files to watch; larger folders are polled. Default 20,000. */
  mostWatched?: number
  log?: Log
}

const NO_RULES: SourceRules = { sync: {}, diagnostics: [] }

/** Longest wait for the folder to settle. */
const PATIENCE_MS = 10_000

/** Waits in short sleeps, so that the deadline holds whatever the file times say. */
const LONGEST_NAP_MS = 250

/** A change time further ahead comes from another clock and is ignored. */
const AHEAD_MS = 1000

interface Unrest {
  why: string
  /** Default: stop the writer. */
  next?: string
  waitMs: number
  /** The folder may still be read after the deadline. */
  bearable?: boolean
}

interface LastRead {
  state: DesiredState
  scan: FolderScan
  environment: Environment
  context: ReadContext
  /** False if a file was unreadable: the next read retries even if nothing has changed. */
  isWhole: boolean
}

export class DirectorySource implements ManifestReader {
  readonly #options: DirectoryOptions
  readonly #clock: Clock
  readonly #settleMs: number
  readonly #assembler: Assembler
  readonly #texts = new TextFiles()
  readonly #listings: FolderListings
  readonly #turns = new SerialQueue()
  #watch: FolderWatch | null = null
  #cache: FileCache | null = null
  #last: LastRead | null = null
  #looked: FolderScan | null = null
  /** Rules of the last valid `svc.yaml`; null if it did not exist. */
  #sync: SourceSync | null = null

  constructor(options: DirectoryOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#listings = new FolderListings(this.#clock)
    this.#settleMs = options.settleMs ?? 250
    this.#assembler = new Assembler(options, options.strict ?? false)
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

  /**
   * Scans the folder without reading files. A change counts even if a plan has read it meanwhile, because a plan does
   * not start a pass.
   */
  async #look(): Promise<Look> {
    const scan = await this.#scan().catch(() => null)
    const [before, last] = [this.#looked, this.#last]
    this.#looked = scan
    if (!scan) return { scan, changed: false }
    const isRead = !last || this.#isCurrent(last, scan, last.context)
    return { scan, changed: !isRead || (before !== null && !isSameScan(before, scan)) }
  }

  /** The real path of the folder: one read stays in it even if the link moves. */
  #root(): string {
    const { root } = this.#options
    try {
      const real = realpathSync(resolve(root))
      if (statSync(real).isDirectory()) return real
    } catch (error) {
      throw unreadable(root, error as NodeJS.ErrnoException)
    }
    throw new SourceError(`manifests cannot be read from ${root}: it is a file; name the folder that holds it`)
  }

  async #scan(): Promise<FolderScan> {
    return inPieces(scanFolder(this.#root(), { listings: this.#listings })).catch((error: NodeJS.ErrnoException) => {
      throw error instanceof SourceError ? error : unreadable(this.#options.root, error)
    })
  }

  /** True if no file and no external input has changed. */
  #isCurrent(last: LastRead, scan: FolderScan, context: ReadContext): boolean {
    const { environment } = last
    if (environment.root !== scan.root || !isSameScan(last.scan, scan)) return false
    return this.#environment(scan.root, context).agreesWith(environment)
  }

  #environment(root: string, context: ReadContext): Environment {
    return new Environment({ root, home: this.#options.home, context, texts: this.#texts })
  }

  /** Why the folder is not settled, with the minimum wait; null if it is settled. */
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

  /** Reads the scanned files; returns null if anything changed meanwhile. */
  async #take(scan: FolderScan, context: ReadContext): Promise<LastRead | null> {
    const { root } = scan
    if (this.#cache?.root !== root) this.#cache = new FileCache(root, this.#assembler)
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
    // Removing `svc.yaml` also drops the rules kept for a faulty one.
    this.#sync = rules && (rules.sync ?? this.#sync)
    // The state holds the specs; later reads compare only the answers.
    read.environment.specs.clear()
    this.#last = read
    return read.state
  }
}

/** Returns the file with the latest change up to `until`. */
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
    return new SourceError(`manifests cannot be read from ${root}: it is a file; name the folder that holds it`)
  return new SourceError(
    `manifests cannot be read from ${root}: ${describeError(error)}; give the user that runs svc permission to list it`,
  )
}
