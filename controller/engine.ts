// The engine: reads sources, plans, converges, and watches what is live. It knows no kind by name.
import { randomUUID } from 'node:crypto'
import type { Actor } from '../platform/actor.ts'
import { ChangeFeed, type Unsubscribe } from '../platform/change-feed.ts'
import { timestamp, type Timer } from '../platform/clock.ts'
import { conflict, invalid, unprocessable } from '../platform/problem.ts'
import type { Plan, PlanInput } from '../schemas/plan.ts'
import type { Run } from '../schemas/run.ts'
import type { SourceSync } from '../schemas/source.ts'
import { Canon } from './canonical.ts'
import { SourceError, type DesiredResource, type DesiredState, type ReadContext } from './desired.ts'
import { DriftRecords } from './drift-records.ts'
import { drainDeadline, recordIntent, takeSteps } from './execute.ts'
import type { ControllerEvent } from './face.ts'
import { gatherFacts, inventoryLookup, lastGood, observeKinds, refuseUnknownTargets, type Facts } from './facts.ts'
import { Inventory, type Owned } from './inventory.ts'
import { LiveWatch } from './live-watch.ts'
import { readManifests } from './manifest.ts'
import { definitionsOf, type ControllerParts } from './parts.ts'
import { heldBack, idOf, makePlan } from './plan.ts'
import type { Lookup } from './reconciler.ts'
import { Runs } from './runs.ts'
import { APPLY_PREFIX, defaultSync, Sources, type SourceState } from './sources.ts'
import { syncRules, type SyncRules } from './sync-rules.ts'
import { updated } from './updated-entry.ts'
import { Workqueue } from './workqueue.ts'

const SOURCE_KEY = 'source:'
const LIVE_PRIORITY = 10

export interface PassOptions {
  targets?: readonly string[]
  override?: string
  prune?: boolean
  deleteAll?: boolean
  /** Rules that win over every other: a revert heals whatever the source says. */
  overruling?: SourceSync
}

interface Prospect {
  plan: Plan
  facts: Facts
  desired: Map<string, DesiredResource>
}

export class Engine {
  readonly parts: ControllerParts
  readonly inventory: Inventory
  readonly drift: DriftRecords
  readonly runs: Runs
  readonly sources: Sources
  readonly canon: Canon
  readonly watch: LiveWatch
  readonly queue: Workqueue
  readonly events = new ChangeFeed<ControllerEvent>()
  lastPassMs: number | null = null
  readonly #lookup: Lookup
  readonly #inFlight = new Set<string>()
  readonly #stopping = new AbortController()
  #unsubscribes: Unsubscribe[] = []
  #resync: Timer | null = null
  /** One convergence at a time: runs never overlap. */
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(parts: ControllerParts, loaded: { inventory: Inventory; drift: DriftRecords; sources: Sources }) {
    this.parts = parts
    this.inventory = loaded.inventory
    this.drift = loaded.drift
    this.sources = loaded.sources
    this.runs = new Runs(parts.db, parts.clock)
    this.canon = new Canon(parts.vault)
    this.#lookup = inventoryLookup(this.inventory)
    this.watch = new LiveWatch({
      parts,
      canon: this.canon,
      inventory: this.inventory,
      drift: this.drift,
      lookup: this.#lookup,
      rulesOf: (owned) => this.#rulesOf(owned),
      publish: (event) => this.events.publish(event),
    })
    this.queue = new Workqueue({
      clock: parts.clock,
      handle: (key) => (key.startsWith(SOURCE_KEY) ? this.#passOver(key.slice(SOURCE_KEY.length)) : this.#lookAt(key)),
      onError: (key, error, retryInMs) =>
        parts.log.warn({ key, error: (error as Error).message, retry_in_ms: retryInMs }, 'work failed'),
    })
  }

  static async create(parts: ControllerParts): Promise<Engine> {
    return new Engine(parts, {
      inventory: await Inventory.load(parts.db, parts.vault),
      drift: await DriftRecords.load(parts.db, parts.clock),
      sources: await Sources.load(parts),
    })
  }

  async start(): Promise<void> {
    const interrupted = await this.runs.closeInterrupted()
    if (interrupted > 0)
      this.parts.log.warn({ runs: interrupted }, 'runs were interrupted; what they began is observed again')
    for (const reconciler of this.parts.reconcilers) {
      const { kind } = reconciler.definition
      this.#unsubscribes.push(reconciler.changes((liveId, name) => this.#moved(kind, liveId, name)))
    }
    for (const source of this.sources.all())
      if (source.reader) this.#unsubscribes.push(source.reader.watch(() => this.queue.add(SOURCE_KEY + source.name)))
    this.#lookAtEverything()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const unsubscribe of this.#unsubscribes.splice(0)) unsubscribe()
    this.#resync?.cancel()
    await this.queue.stop()
    await this.#turn.catch(() => undefined)
  }

  /** Events are a shortcut, not the truth: at times everything is read anew. */
  #lookAtEverything(): void {
    for (const source of this.sources.all()) {
      if (source.reader) this.queue.add(SOURCE_KEY + source.name)
      else for (const owned of this.inventory.ofSource(source.name)) this.queue.add(idOf(owned), -1)
    }
    this.#resync = this.parts.clock.after(this.parts.resyncMs ?? 120_000, () => this.#lookAtEverything())
  }

  #moved(kind: string, liveId: string, name: string): void {
    const owned = this.inventory.byLiveId(kind, liveId) ?? this.inventory.get(kind, name)
    if (owned) this.queue.add(idOf(owned), LIVE_PRIORITY)
  }

  async #lookAt(id: string): Promise<void> {
    if (this.#inFlight.has(id)) return this.queue.addAfter(id, 200, LIVE_PRIORITY)
    const outcome = await this.watch.observe(id, this.#stopping.signal)
    const [kind = '', ...name] = id.split('/')
    const source = this.inventory.get(kind, name.join('/'))?.source
    if (outcome !== 'settled' && source && this.sources.find(source)?.reader) this.queue.add(SOURCE_KEY + source)
  }

  /** One pass over a source that nobody asked for by name; a failed step backs the source off. */
  async #passOver(name: string): Promise<void> {
    const source = this.sources.find(name)
    if (!source?.reader || source.suspended) return
    const run = await this.inTurn(async () => (source.suspended ? null : this.pass(source, null, {})))
    if (run?.status === 'failed')
      throw new Error(
        `run ${run.id}: ${run.steps.filter((step) => step.status === 'failed').length} of ${run.steps.length} steps failed`,
      )
    if (run?.status === 'waiting') this.queue.addAfter(SOURCE_KEY + name, 5000)
  }

  /** Waits for its turn: convergences never overlap. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.catch(() => undefined).then(work)
    this.#turn = mine
    return mine
  }

  /** Read, plan, apply, prune. `asked` is the run somebody waits for; without one, a pass that finds nothing leaves no run. */
  async pass(source: SourceState, asked: Run | null, options: PassOptions): Promise<Run | null> {
    const startedAt = this.parts.clock.now()
    const prospect = await this.#look(source, asked, options).catch(async (error: Error) => {
      if (error instanceof SourceError) source.error = error.message
      if (asked) await this.runs.close(Object.assign(asked, { status: 'failed', error: error.message }))
      throw error
    })
    const waitMs = asked ? null : this.#stillWaiting(prospect.plan)
    if (waitMs !== null) {
      this.queue.addAfter(SOURCE_KEY + source.name, waitMs)
      return null
    }
    const run = await this.converge(source, prospect, asked)
    this.lastPassMs = this.parts.clock.now() - startedAt
    if (run)
      this.parts.log.info(
        { source: source.name, run: run.id, status: run.status, ...run.summary, took_ms: this.lastPassMs },
        'reconciled',
      )
    return run
  }

  /** Milliseconds until the next drain deadline where every step waits for idle work as it did before: no news, so no run. */
  #stillWaiting(plan: Plan): number | null {
    if (plan.steps.length === 0) return null
    const now = this.parts.clock.now()
    const waits = plan.steps.map((step) => {
      const since = step.interrupts && this.inventory.get(step.kind, step.name)?.deferredSince
      return since ? drainDeadline(since, this.parts) - now : 0
    })
    return waits.every((wait) => wait > 0) ? Math.min(...waits) : null
  }

  /** The first half of a pass: reads the source, plans, and remembers both. */
  async #look(source: SourceState, asked: Run | null, options: PassOptions): Promise<Prospect> {
    const state = await source.reader!.read(this.readContext(source.name))
    await this.sources.observed(source, state)
    const prospect = await this.prospect(
      source,
      state,
      asked ? options : { ...options, targets: this.#automatic(source, state) },
    )
    source.held = prospect.plan.guard && heldBack(prospect.plan.guard)
    await this.remember(source, state, prospect)
    return prospect
  }

  readContext(source: string, variables: Readonly<Record<string, string | undefined>> = this.parts.env): ReadContext {
    return {
      exists: (kind, name) => {
        const owned = this.inventory.get(kind, name)
        return owned !== undefined && owned.source !== source
      },
      resolve: (kind, name) => {
        const owned = this.inventory.get(kind, name)
        return owned && owned.source !== source ? owned.desired : undefined
      },
      variable: (name) => variables[name],
    }
  }

  /** The state that manifests sent in a request ask for. */
  readSent(input: PlanInput, source: SourceState): DesiredState {
    const { parts } = this
    return readManifests(input.manifests ?? [], {
      root: input.root ?? source.location,
      kinds: definitionsOf(parts.reconcilers),
      kindsToCome: parts.kindsToCome,
      home: parts.home,
      strict: input.strict,
      context: this.readContext(source.name, input.variables ? { ...parts.env, ...input.variables } : parts.env),
    })
  }

  /** What would change; changes nothing. */
  async prospect(source: SourceState, state: DesiredState, options: PassOptions): Promise<Prospect> {
    const { parts, inventory, canon } = this
    refuseUnknownTargets(source.name, state, options.targets ?? [], inventory)
    const sourceSync: SourceSync = {
      ...defaultSync(source),
      ...source.configured,
      ...(options.prune === undefined ? {} : { prune: options.prune }),
    }
    const live = await observeKinds(parts.reconcilers, this.#lookup, this.#stopping.signal)
    const facts = gatherFacts({
      source: source.name,
      state,
      deleteAll: options.deleteAll ?? false,
      inventory,
      live,
      reconcilers: parts.reconcilers,
      canon,
      sourceSync,
    })
    if (options.deleteAll) for (const subject of facts.subjects) subject.rules = syncRules({ prune: true })
    if (options.overruling) for (const subject of facts.subjects) subject.rules = syncRules(options.overruling)
    const rules = syncRules(sourceSync, state.sync)
    const plan = makePlan(
      {
        id: randomUUID(),
        source: source.name,
        root: source.location,
        revision: state.revision,
        createdAt: timestamp(parts.clock),
        diagnostics: [...state.diagnostics, ...facts.diagnostics],
        complete: state.complete || options.deleteAll === true,
        prune: options.deleteAll === true || (options.prune ?? rules.prune),
        maxDelete: options.deleteAll ? '100%' : rules.maxDelete,
        owned: inventory.ofSource(source.name).length,
        override: options.override,
        targets: options.targets && new Set(options.targets),
      },
      facts.subjects,
    )
    const desired = new Map<string, DesiredResource>(state.resources.map((resource) => [idOf(resource), resource]))
    if (!state.complete && !options.deleteAll) {
      for (const owned of inventory.ofSource(source.name))
        if (!desired.has(idOf(owned))) desired.set(idOf(owned), lastGood(owned))
    }
    return { plan, facts, desired }
  }

  /** Desired specs and positions of what is owned, and the drift that the plan saw: recorded before anything is healed. */
  async remember(source: SourceState, state: DesiredState, prospect: Prospect): Promise<void> {
    const waiting = new Set(prospect.plan.steps.filter((step) => step.interrupts).map(idOf))
    const moved: Owned[] = []
    for (const subject of prospect.facts.subjects) {
      const owned = this.inventory.get(subject.kind, subject.name)
      if (!owned || owned.source !== source.name) continue
      const next = updated(
        owned,
        {
          desired: prospect.desired.get(idOf(owned)),
          live: prospect.facts.live.get(idOf(owned)),
          revision: state.revision,
        },
        this.canon,
        subject.atoms,
      )
      const settled = next.deferredSince && !waiting.has(idOf(next)) ? { ...next, deferredSince: null } : next
      if (settled !== owned) moved.push(settled)
    }
    if (moved.length > 0) await this.inventory.put(moved)
    for (const subject of prospect.facts.subjects) {
      const owned = this.inventory.get(subject.kind, subject.name)
      if (
        !owned ||
        owned.source !== source.name ||
        this.watch.confirm(owned, prospect.facts.live.get(idOf(subject)) ?? null) === 'confirmed'
      )
        continue
      if (subject.rules.drift === 'heal') await this.watch.observe(idOf(subject), this.#stopping.signal)
      else this.queue.add(idOf(subject), LIVE_PRIORITY)
    }
  }

  /** Carries a plan out. Without anything to do and nobody asking, leaves no trace. */
  async converge(
    source: SourceState,
    prospect: Prospect,
    asked: Run | null,
    progress: (event: ControllerEvent) => void = () => undefined,
  ): Promise<Run | null> {
    const { plan, desired, facts } = prospect
    const say = (event: ControllerEvent) => {
      this.events.publish(event)
      progress(event)
    }
    if (plan.steps.length === 0 && !asked) return null
    const run = asked ?? (await this.runs.open(randomUUID(), source.name, 'controller'))
    say({ type: 'plan', source: source.name, plan })
    const execution = {
      changing: new Map(),
      run,
      plan,
      desired,
      live: facts.live,
      lookup: this.#lookup,
      parts: this.parts,
      inventory: this.inventory,
      runs: this.runs,
      inFlight: this.#inFlight,
      signal: this.#stopping.signal,
      progress: (step: Run['steps'][number]) => say({ type: 'step', run_id: run.id, step: { ...step } }),
    }
    try {
      await recordIntent(execution)
      await takeSteps(execution)
      if (plan.guard) run.error = heldBack(plan.guard)
    } catch (error) {
      Object.assign(run, { status: 'failed', error: (error as Error).message })
    }
    await this.runs.close(run)
    say({ type: 'run', run })
    for (const step of run.steps) if (step.status === 'done' && step.action !== 'delete') this.queue.add(idOf(step))
    return run
  }

  /** Resources that may change without being asked; undefined when that is all of them. */
  #automatic(source: SourceState, state: DesiredState): string[] | undefined {
    const base = [defaultSync(source), source.configured, state.sync]
    const owned = this.inventory.ofSource(source.name)
    const subjects: { kind: string; name: string; sync: SourceSync }[] = [
      ...state.resources,
      ...owned.filter((entry) => !state.resources.some((resource) => idOf(resource) === idOf(entry))),
    ]
    const automatic = subjects.filter((subject) => syncRules(...base, subject.sync).mode === 'auto')
    return automatic.length === subjects.length ? undefined : automatic.map(idOf)
  }

  #rulesOf(owned: Owned): SyncRules {
    const source = this.sources.find(owned.source)
    return syncRules(source && defaultSync(source), source?.configured, source?.declared, owned.sync)
  }

  /** The source that a plan or apply speaks of: a configured one, or the one its manifests are applied under. */
  sourceFor(input: PlanInput): SourceState {
    if (!input.manifests) {
      if (!input.source) throw invalid('name a source, or send manifests', [{ path: 'source', message: 'missing' }])
      return this.sources.get(input.source)
    }
    const name = input.source ?? `${APPLY_PREFIX}${input.root ?? ''}`
    const known = this.sources.find(name)
    if (known?.reader)
      throw conflict(
        `source ${name} is read from ${known.location}: change the files there, or apply under another name`,
      )
    return (
      known ?? {
        name,
        location: input.root ?? '/',
        reader: null,
        configured: undefined,
        declared: {},
        revision: null,
        observedAt: null,
        suspended: false,
        error: null,
      }
    )
  }

  async #readToPlan(source: SourceState): Promise<DesiredState> {
    if (!source.reader)
      throw conflict(`source ${source.name} is read only when somebody applies it: send its manifests`)
    return source.reader.read(this.readContext(source.name)).catch((error: Error) => {
      throw error instanceof SourceError ? unprocessable(error.message) : error
    })
  }

  async planFor(input: PlanInput): Promise<{ source: SourceState; state: DesiredState; prospect: Prospect }> {
    const source = this.sourceFor(input)
    const state = input.manifests ? this.readSent(input, source) : await this.#readToPlan(source)
    const prospect = await this.prospect(source, state, {
      targets: input.targets,
      override: input.prune_override,
      prune: input.prune,
      deleteAll: input.delete_all,
    })
    return { source, state, prospect }
  }

  /** Starts a pass that was asked for, after its run was recorded. */
  async begin(source: SourceState, by: Actor, options: PassOptions): Promise<{ run: Run; done: Promise<Run | null> }> {
    const run = await this.runs.open(randomUUID(), source.name, by.actor)
    return { run, done: this.inTurn(() => this.pass(source, run, options)) }
  }
}
