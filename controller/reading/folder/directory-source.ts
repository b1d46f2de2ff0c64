// A folder of manifests as a source: read whole and at rest, or not at all; what has not changed is not read again.
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inPieces } from '../../../platform/async/time-slices.ts'
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import { systemClock, type Clock } from '../../../platform/core/clock.ts'
import { noLog, type Log } from '../../../platform/core/log/log.ts'
import type { SourceSync } from '../../../schemas/source.ts'
import { Assembler } from '../assemble.ts'
import { SourceError, type DesiredState, type ManifestReader, type ReadContext } from '../desired.ts'
import type { KnownKinds } from '../kind-words.ts'
import { FileCache } from './file-cache.ts'
import { gitLock } from './git.ts'
import { Listings } from './listings.ts'
import { byPath, reason, sameScan, scanned, type Scan } from './scan.ts'
import type { SeenFile } from './seen-file.ts'
import { CAREFUL, type SourceRules } from '../rules/source-file.ts'
import { watchFolder, type FolderWatch } from './watch-folder.ts'
import { Environment } from '../environment.ts'
import { TextFiles } from '../text-files.ts'

export interface DirectoryOptions extends KnownKinds {
  /** Folder of the manifests; it may be a link, also one that is moved to another folder now and then. */
  root: string
  home: string
  /** Warnings count as errors. */
  strict?: boolean
  /** What file times are compared with; default the system's. */
  clock?: Clock
  /** Milliseconds without a change after which the folder is at rest. Default 250; 0 takes it as it is. */
  settleMs?: number
  log?: Log
}

const NO_RULES: SourceRules = { sync: {}, diagnostics: [] }

/** Longest wait for the folder to come to rest. */
const PATIENCE_MS = 10_000

/** Waiting goes in naps, so that the deadline is kept whatever the files say. */
const LONGEST_NAP_MS = 250

/** A change time further ahead than this is another clock's; it says nothing about rest. */
const AHEAD_MS = 1000

interface Taken {
  state: DesiredState
  scan: Scan
  environment: Environment
}

export function directoryReader(options: DirectoryOptions): ManifestReader {
  const source = new DirectorySource(options)
  const turns = new SerialQueue()
  const watches = new Set<FolderWatch>()
  return {
    read: (context) => {
      for (const watch of watches) watch.refresh()
      return turns.run(() => source.read(context))
    },
    watch: (wake) => {
      const watch = watchFolder(resolve(options.root), wake, options.log ?? noLog)
      watches.add(watch)
      return () => {
        watches.delete(watch)
        watch.close()
      }
    },
  }
}

class DirectorySource {
  readonly #options: DirectoryOptions
  readonly #clock: Clock
  readonly #settleMs: number
  readonly #assembler: Assembler
  readonly #texts = new TextFiles()
  readonly #listings: Listings
  #cache: FileCache | null = null
  #last: Taken | null = null
  /** Rules of the last `svc.yaml` without faults; null where there was none. */
  #sync: SourceSync | null = null

  constructor(options: DirectoryOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#listings = new Listings(this.#clock)
    this.#settleMs = options.settleMs ?? 250
    this.#assembler = new Assembler(options, options.strict ?? false)
  }

  async read(context: ReadContext): Promise<DesiredState> {
    const deadline = this.#clock.monotonic() + PATIENCE_MS
    for (;;) {
      const root = this.#root()
      const seen = await this.#scan(root)
      const known = this.#unchanged(root, seen, context)
      if (known) return known
      const unrest = this.#unrest(root, seen)
      const overdue = this.#clock.monotonic() >= deadline
      if (!unrest || (overdue && unrest.bearable)) {
        const taken = await this.#take(root, seen, context)
        if (taken) return this.#keep(taken)
      }
      if (overdue)
        throw new SourceError(
          `manifests in ${this.#options.root} are never at rest: ${unrest?.why ?? 'files change while they are read'}; ${unrest?.next ?? 'stop what writes there'}, the next pass tries again`,
        )
      await sleep(Math.min(Math.max(unrest?.waitMs ?? 0, 20), LONGEST_NAP_MS))
    }
  }

  /** The folder itself, links resolved: the whole of a read stays in it. */
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

  async #scan(root: string): Promise<Scan> {
    return inPieces(scanned(root, { listings: this.#listings })).catch((error: NodeJS.ErrnoException) => {
      throw unreadable(this.#options.root, error)
    })
  }

  /** The last state, when neither a file nor anything the manifests lean on has changed. */
  #unchanged(root: string, seen: Scan, context: ReadContext): DesiredState | null {
    const last = this.#last
    if (!last || last.environment.root !== root || !sameScan(last.scan, seen)) return null
    return this.#environment(root, context).agreesWith(last.environment) ? last.state : null
  }

  #environment(root: string, context: ReadContext): Environment {
    return new Environment({ root, home: this.#options.home, context, texts: this.#texts })
  }

  /** Why the folder is not at rest, and how long it will be so at least. Null: it is. */
  #unrest(root: string, seen: Scan): { why: string; next: string; waitMs: number; bearable: boolean } | null {
    if (this.#settleMs === 0) return null
    const lock = gitLock(root)
    if (lock)
      return {
        why: `git is at work (${lock} exists)`,
        next: 'if no git command runs, remove that file',
        waitMs: 50,
        bearable: false,
      }
    const now = this.#clock.now()
    const youngest = latest(seen.files, now + AHEAD_MS)
    const fileWait = youngest ? this.#youth(youngest.ctimeMs, now) : 0
    if (fileWait > 0)
      return {
        why: `${youngest!.path} keeps changing`,
        next: 'stop what writes there',
        waitMs: fileWait,
        bearable: false,
      }
    if (this.#last && samePaths(this.#last.scan, seen)) return null
    const folderWait = this.#youth(seen.foldersChangedMs, now)
    return folderWait > 0
      ? { why: 'files come and go in it', next: 'stop what writes there', waitMs: folderWait, bearable: true }
      : null
  }

  /** Milliseconds until what changed at `changedMs` has been at rest long enough. */
  #youth(changedMs: number, now = this.#clock.now()): number {
    const age = now - changedMs
    return age < -AHEAD_MS ? 0 : Math.max(0, Math.ceil(this.#settleMs - age))
  }

  /** Reads what was seen; null when anything moved meanwhile. */
  async #take(root: string, seen: Scan, context: ReadContext): Promise<Taken | null> {
    if (this.#cache?.root !== root) this.#cache = new FileCache(root, this.#assembler, this.#options)
    if (!(await inPieces(this.#cache.update(byPath(seen))))) return null
    const { files, digests } = this.#cache
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
    const moved =
      this.#root() !== root ||
      !sameScan(seen, await this.#scan(root)) ||
      !this.#environment(root, context).agreesWith(environment)
    return moved ? null : { state, scan: seen, environment }
  }

  #keep(taken: Taken): DesiredState {
    const { rules, hasUnreadable } = this.#cache!
    // Without the file there are no rules to go by either, should one come that has faults.
    this.#sync = rules && (rules.sync ?? this.#sync)
    // The specs are in the state; of the environment only what was asked of it is compared later.
    taken.environment.specs.clear()
    this.#last = hasUnreadable ? null : taken
    return taken.state
  }
}

/** The file that changed last, those ahead of `until` left out. */
function latest(files: readonly SeenFile[], until: number): SeenFile | null {
  return files.reduce<SeenFile | null>(
    (last, file) => (file.ctimeMs <= until && file.ctimeMs > (last?.ctimeMs ?? 0) ? file : last),
    null,
  )
}

function samePaths(a: Scan, b: Scan): boolean {
  return a.files.length === b.files.length && a.files.every((file, index) => file.path === b.files[index]!.path)
}

function unreadable(root: string, error: NodeJS.ErrnoException): SourceError {
  if (error.code === 'ENOENT')
    return new SourceError(
      `manifests cannot be read from ${root}: the folder does not exist; create it, or name another`,
    )
  if (error.code === 'ENOTDIR')
    return new SourceError(`manifests cannot be read from ${root}: it is a file; name the folder that holds it`)
  return new SourceError(`manifests cannot be read from ${root}: ${reason(error)}; let the user svc runs as list it`)
}
