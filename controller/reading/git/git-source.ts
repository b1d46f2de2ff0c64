// Fetching is independent of reading: while the remote is unreachable, the last good commit stays in force.
import { mkdirSync } from 'node:fs'
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import type { Timer } from '../../../platform/core/clock.ts'
import { Mirror, RemoteError } from '../../../platform/git/mirror.ts'
import { isCommit } from '../../../platform/git/refs.ts'
import { mirrorIn } from '../../../platform/git/source-folders.ts'
import {
  SourceError,
  type CommittedFile,
  type DesiredState,
  type Held,
  type ManifestReader,
  type ReadContext,
  type ReadPlace,
  type RemoteReading,
} from '../desired-state.ts'
import { contentDigest } from '../revision.ts'
import type { GitOptions } from './git-options.ts'
import { Signatures } from './signatures.ts'
import { Snapshots } from './snapshots.ts'
import { SourceCheckout } from './source-checkout.ts'

interface Trouble {
  /** Why the last fetch failed. */
  fetching: string | null
  /** Why the newest commit was rejected. */
  rejected: string | null
  /** Why the accepted commit cannot be read. */
  reading: string | null
}

/** Minimum time between requested fetches. */
const LEAST_BETWEEN_MS = 3000
/** Back-off limit, as a multiple of the poll interval. */
const MOST_BACKOFF = 8

export class GitSource implements ManifestReader, RemoteReading {
  readonly remote = this
  readonly project: string
  #attempted: string | null = null
  readonly #options: GitOptions
  readonly #mirror: Mirror
  readonly #snapshots: Snapshots
  readonly #signatures: Signatures
  readonly #checkout: SourceCheckout
  /** Newest fetched and accepted commit. */
  #tip: string | null = null
  /** Newest commit read without errors. */
  #good: string | null = null
  /** Suffix of the refs in the mirror, unique per configured place. */
  readonly #key: string
  readonly #reads = new SerialQueue()
  #fetching: Promise<void> | null = null
  #begun: Promise<void> | null = null
  readonly #stopping = new AbortController()
  #timer: Timer | null = null
  #wake: () => void = () => undefined
  #fetchedAt = -Infinity
  #polled = () => {}
  #hastened = false
  #failures = 0
  readonly #why: Trouble = { fetching: null, rejected: null, reading: null }
  #heldCommit: string | null = null

  constructor(options: GitOptions) {
    this.#options = options
    const { folder, env, home, place } = options
    this.project = options.checkout
    this.#mirror = new Mirror({ ...place, folder: mirrorIn(folder), env, home })
    this.#snapshots = new Snapshots(options, this.#mirror)
    this.#signatures = new Signatures(options, this.#mirror)
    this.#checkout = new SourceCheckout(options, this.#mirror)
    // Commits that were accepted without a signature must not be accepted by stricter rules.
    const loose = place.requireSigned === 'widening' ? [place.requireSigned] : []
    this.#key = contentDigest(JSON.stringify([place.url, place.ref, place.path, place.verify, ...loose])).slice(0, 16)
  }

  watch(wake: () => void, polled: () => void = () => undefined): () => void {
    this.#wake = wake
    this.#polled = polled
    this.#schedule(0)
    return () => {
      this.#timer?.cancel()
      void this.#checkout.stop()
      this.#stopping.abort()
    }
  }

  condition(): ReturnType<SourceCheckout['condition']> {
    return this.#checkout.condition()
  }

  hasten(): void {
    if (this.#stopping.signal.aborted) return
    this.#hastened = true
    this.#schedule(this.#soonestMs())
  }

  #soonestMs(): number {
    return Math.max(0, LEAST_BETWEEN_MS - (this.#options.clock.monotonic() - this.#fetchedAt))
  }

  /** Does not wake, because the caller reads next. */
  async refresh(): Promise<void> {
    await this.#fetching
    await this.#look(false)
    if (this.#why.fetching !== null) throw new SourceError(this.#why.fetching)
  }

  readPlaces(): ReadPlace[] {
    return this.#signatures.readPlaces()
  }

  unsigned(revision: string): Promise<string | null> {
    return this.#signatures.unsigned(revision)
  }

  attempted(): string | null {
    return this.#attempted
  }

  trouble(): string | null {
    const said = [...Object.values(this.#why), this.#checkout.trouble()]
    return said.filter((each) => each !== null).join('; ') || null
  }

  read(context: ReadContext): Promise<DesiredState> {
    return this.#reads.run(() => this.#read(context))
  }

  async fetchNewest(): Promise<string | null> {
    await this.refresh().catch((error: unknown) => {
      if (!(error instanceof SourceError)) throw error
    })
    await (this.#begun ??= this.#begin())
    return this.#tip
  }

  async readRevision(revision: string, context: ReadContext): Promise<DesiredState> {
    await this.#bring(revision)
    return this.#reads.run(() => this.#snapshots.read(revision, context))
  }

  async readManifest(revision: string, file: string): Promise<CommittedFile> {
    await this.#bring(revision)
    return this.#reads.run(() => this.#snapshots.readManifest(revision, file)).catch(asSourceError)
  }

  readHeld(hold: Held, context: ReadContext): Promise<DesiredState | null> {
    return this.#reads.run(() => this.#readHeld(hold, context))
  }

  async #readHeld({ revision, against }: Held, context: ReadContext): Promise<DesiredState | null> {
    await (this.#begun ??= this.#begin())
    const tip = this.#tip
    this.#why.reading = null
    const tried = tip === null || tip === against ? null : await this.#tryRead(tip, context)
    if (tried?.complete) return null
    await this.#bring(revision)
    if (this.#heldCommit !== revision) await this.#mirror.keep(`held/${this.#key}`, revision).catch(asSourceError)
    this.#heldCommit = revision
    const state = await this.#snapshots.read(revision, context)
    if (this.#snapshots.namesProject(revision)) await this.#checkout.follow(revision)
    return tried ? this.#snapshots.refused(tried, state) : state
  }

  /** Fetches a commit and verifies its signature. Throws SourceError. */
  async #bring(revision: string): Promise<void> {
    const { place } = this.#options
    if (!isCommit(revision)) throw new SourceError(`${revision} is not a commit of ${place.url}`)
    await this.#mirror.fetch(revision, this.#stopping.signal).catch(asSourceError)
    const fault = await this.#signatures.refusal(revision)
    if (fault !== null) throw new SourceError(`commit ${revision} was rejected: ${fault}`)
  }

  /** Falls back to the last good commit, with the errors of the newest. */
  async #read(context: ReadContext): Promise<DesiredState> {
    await (this.#begun ??= this.#begin())
    const tip = this.#tip
    if (tip === null) throw new SourceError(this.trouble() ?? `${this.#options.place.url} has not been fetched yet`)
    const tried = await this.#tryRead(tip, context)
    if (tried?.complete) {
      await this.#markGood(tip)
      if (this.#snapshots.namesProject(tip)) await this.#checkout.follow(tip)
      return tried
    }
    const good = this.#good === tip ? null : this.#good
    const base = good === null ? null : await this.#snapshots.read(good, context)
    if (tried) return this.#snapshots.refused(tried, base)
    if (base) return base
    throw new SourceError(this.trouble()!)
  }

  /** Returns null if the commit cannot be read, and keeps the reason. */
  async #tryRead(tip: string, context: ReadContext): Promise<DesiredState | null> {
    try {
      const tried = await this.#snapshots.read(tip, context)
      this.#why.reading = null
      return tried
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      this.#why.reading = error.message
      return null
    }
  }

  async #markGood(commit: string): Promise<void> {
    if (this.#good === commit) return
    this.#good = commit
    await this.#mirror.keep(`good/${this.#key}`, commit).catch(asSourceError)
  }

  /** Uses the commits that an earlier daemon stored; waits for a fetch only if there are none. */
  async #begin(): Promise<void> {
    mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 })
    await this.#recall()
    if (this.#tip === null) await this.#look(false)
    if (this.#tip === null) this.#begun = null
  }

  async #recall(): Promise<void> {
    this.#good ??= await this.#mirror.kept(`good/${this.#key}`)
    this.#tip ??= await this.#mirror.kept(`tip/${this.#key}`)
    this.#attempted ??= this.#tip
  }

  /** Joins a running fetch, which may miss a newer commit. */
  #look(wakes: boolean): Promise<void> {
    this.#fetching ??= this.#fetch(wakes).finally(() => (this.#fetching = null))
    return this.#fetching
  }

  async #fetch(wakes: boolean): Promise<void> {
    const { place, clock, log } = this.#options
    const { signal } = this.#stopping
    this.#fetchedAt = clock.monotonic()
    try {
      await this.#recall()
      const commit = await this.#mirror.resolve(place.ref, signal)
      this.#attempted = commit
      const before = this.#tip
      if (commit === before) this.#why.rejected = null
      else await this.#take(commit)
      this.#why.fetching = null
      if (wakes && this.#tip !== before) this.#wake()
      this.#failures = 0
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof RemoteError)) throw error
      this.#failures++
      const inForce = this.#tip === null ? 'nothing is in force yet' : 'the last good state stays in force'
      const why = `${error.message}; ${inForce}`
      if (this.#why.fetching !== why) log.warn({ repository: place.url, error: error.message }, 'fetch failed')
      this.#why.fetching = why
    }
  }

  async #take(commit: string): Promise<void> {
    const { place, log } = this.#options
    await this.#mirror.fetch(commit, this.#stopping.signal)
    const fault = await this.#signatures.refusal(commit)
    if (fault !== null) {
      const inForce = this.#tip === null ? 'nothing is in force' : `commit ${this.#tip} stays in force`
      const why = `commit ${commit} was rejected: ${fault}; ${inForce}`
      if (this.#why.rejected !== why) log.warn({ repository: place.url, commit, fault }, 'commit rejected')
      this.#why.rejected = why
      return
    }
    await this.#mirror.keep(`tip/${this.#key}`, commit)
    this.#tip = commit
    this.#why.rejected = null
    log.info({ repository: place.url, commit }, 'fetched')
  }

  #schedule(afterMs: number): void {
    const { clock, log } = this.#options
    this.#timer?.cancel()
    const look = () => Promise.resolve(this.#fetching).then(() => this.#look(true))
    this.#timer = clock.after(afterMs, () => {
      this.#hastened = false
      look()
        .catch((error: Error) => log.error({ error: error.message }, 'failed to check for a new commit'))
        .finally(() => {
          this.#polled()
          if (!this.#stopping.signal.aborted) this.#schedule(this.#hastened ? this.#soonestMs() : this.#waitMs())
        })
    })
  }

  /** With jitter: daemons started together must not poll together. */
  #waitMs(): number {
    const usual = this.#options.place.pollSecs * 1000 * Math.min(2 ** this.#failures, MOST_BACKOFF)
    return usual * (0.8 + Math.random() * 0.4)
  }
}

function asSourceError(error: Error): never {
  throw error instanceof RemoteError ? new SourceError(error.message) : error
}
