// One run: lock, memory, snapshot, decision, actions.
import { asActor, ownActor } from '../../../platform/core/actor.ts'
import { timestamp } from '../../../platform/core/clock.ts'
import type { World } from '../../../platform/service/world.ts'
import type { ConductorAction, ConductorCounts, ConductorRun, Health } from '../../../schemas/conductor/run.ts'
import { communicateOperations } from '../../../schemas/operations/communicate.ts'
import { docstoreOperations } from '../../../schemas/operations/docstore.ts'
import { act } from '../decision/actions.ts'
import type { Reported } from '../decision/contract.ts'
import { decision } from '../decision/decide.ts'
import { contradictedLines } from '../decision/transitions.ts'
import type { ForgeRepository } from '../forge.ts'
import type { ConductorGit } from '../git.ts'
import { keyOf } from '../runs.ts'
import type { Snapshot } from '../snapshot/facts.ts'
import { actionOf, drive } from './drive.ts'
import { plannedEffects, RealEffects, type Effects } from './effects.ts'
import { ForgeWrites } from './forge-writes.ts'
import { GitWrites } from './git-writes.ts'
import { Intents } from './intents.ts'
import { Journal } from './journal.ts'
import { KnownPullRequests } from './known-pull-requests.ts'
import { CoordinationLock } from './lock.ts'
import { CONDUCTOR, PipelineMemory } from './memory.ts'
import { NIL_UUID } from './message-ids.ts'
import { faultCode, Problems } from './problems.ts'
import { Rooms } from './rooms.ts'

export interface RunParts {
  world: Pick<World, 'db' | 'vault' | 'clock' | 'log' | 'ids' | 'call'>
  /** As the forge or the settings spell it. */
  repository: string
  isDry: boolean
  mention: string | null
  forge: ForgeRepository
  git: ConductorGit
  /** The last run that was not interrupted; null if there is none. */
  lastEnded(): Promise<{ id: string; isRemembered: boolean } | null>
  signal: AbortSignal
}

/** Calls other services as `conductor`. Rejects with the reason of the signal. */
export function performRun(parts: RunParts): Promise<ConductorRun> {
  const id = parts.world.ids()
  return asActor(ownActor(CONDUCTOR, id), () => new Run(parts, id).perform())
}

type Ending = Pick<ConductorRun, 'status' | 'health'> &
  Partial<Pick<ConductorRun, 'stopped' | 'waiting_for' | 'items' | 'counts'>>

interface Coordination {
  rooms: Rooms
  lock: CoordinationLock
  /** See Rooms. */
  namespace: string
}

class Run {
  readonly #parts: RunParts
  readonly #id: string
  readonly #startedAt: string
  readonly #requestsBefore: number
  readonly #problems = new Problems()
  readonly #actions: ConductorAction[] = []
  readonly #memory: PipelineMemory
  readonly #intents: Intents
  readonly #journal: Journal
  #snapshot: Snapshot | null = null

  constructor(parts: RunParts, id: string) {
    const { world, repository, forge } = parts
    this.#parts = parts
    this.#id = id
    this.#startedAt = timestamp(world.clock)
    this.#requestsBefore = forge.requests
    const docstore = world.call(docstoreOperations)
    this.#memory = new PipelineMemory({ docstore, problems: this.#problems, log: world.log, repository })
    this.#intents = new Intents(world, keyOf(repository))
    this.#journal = new Journal(world, keyOf(repository))
  }

  async perform(): Promise<ConductorRun> {
    const { world, repository, lastEnded, isDry } = this.#parts
    const { id, reported } = await this.#memory.read()
    // Of a run that the memory does not have, the id tells a repeat after a crash from a new report.
    const last = await lastEnded()
    const namespace = (last?.isRemembered === false ? last.id : id) ?? last?.id ?? NIL_UUID
    await this.#journal.read()
    const rooms = this.#roomsOf(namespace)
    const lock = new CoordinationLock(rooms, world.clock, repository)
    const { other, own } = await lock.read()
    if (other !== null) return this.#runOf({ status: 'deferred', health: this.#healthOf('ok'), waiting_for: other })
    try {
      // A dry run has no lease: a run in progress may hold it.
      if (own === 'orphaned' && !isDry) await this.#releaseLock(lock)
      return this.#runOf(await this.#carryOut({ rooms, lock, reported, namespace }))
    } catch (error) {
      return this.#runOf(this.#failed(error))
    }
  }

  async #carryOut({ reported, ...coordination }: Coordination & { reported: Reported }): Promise<Ending> {
    const { rooms, lock } = coordination
    const { forge, mention, signal, isDry } = this.#parts
    const snapshot = await forge.snapshot(signal)
    this.#snapshot = snapshot
    await this.#skipReported(rooms)
    const transitions = await this.#unreported(snapshot)
    const { reports } = this.#journal
    const steps = decision({
      snapshot,
      reported: reported && new Map([...reported, ...reports]),
      intents: await this.#intents.list(),
      transitions,
      mention,
    })
    const effects = isDry ? plannedEffects : this.#realEffects(snapshot, coordination)
    try {
      const decided = await drive(steps, effects, { actions: this.#actions, signal, isDry })
      const { status, stopped, items, counts } = decided
      for (const { code, detail } of decided.problems) this.#problems.add(code, detail)
      return { status, stopped, items: [...items], counts, health: this.#healthOf(decided.health) }
    } finally {
      if (lock.isHeld) await this.#releaseLock(lock)
    }
  }

  /** A run may be interrupted after its digest. */
  async #skipReported(rooms: Rooms): Promise<void> {
    if (this.#journal.transitions.length === 0 || !(await rooms.has(this.#journal.digestKey, 'digest'))) return
    if (this.#parts.isDry) this.#journal.skipTransitions()
    else await this.#journal.clearTransitions()
  }

  /** Transitions of interrupted runs that the snapshot does not contradict. */
  async #unreported(snapshot: Snapshot): Promise<string[]> {
    const { transitions } = this.#journal
    if (transitions.length === 0) return []
    const contradicted = contradictedLines(snapshot)
    if (!this.#parts.isDry) await this.#journal.retract(transitions.filter((line) => contradicted.has(line)))
    return transitions.filter((line) => !contradicted.has(line))
  }

  #realEffects({ time, pullRequests }: Snapshot, { rooms, lock, namespace }: Coordination): Effects {
    const { forge, git, world, signal } = this.#parts
    const { clock } = world
    return new RealEffects({
      pullRequests: new KnownPullRequests((number) => forge.pullRequest(number, signal), pullRequests),
      writes: new ForgeWrites(forge, signal, clock),
      git: new GitWrites(git, forge, signal),
      rooms,
      lock,
      intents: this.#intents,
      journal: this.#journal,
      problems: this.#problems,
      clock,
      time,
      namespace,
      signal,
      remember: (given) => {
        const health = this.#healthOf(given.health)
        return this.#memory.remember({ ...given, health }, { id: this.#id, at: timestamp(clock) })
      },
    })
  }

  #roomsOf(namespace: string): Rooms {
    const { world, repository, signal } = this.#parts
    const communicate = world.call(communicateOperations)
    const { clock } = world
    const own = { problems: this.#problems, journal: this.#journal, run: this.#id }
    return new Rooms({ communicate, clock, ...own, repository, namespace, signal })
  }

  /** Releases a lock that a crash or a failure has left. */
  async #releaseLock(lock: CoordinationLock): Promise<void> {
    const { outcome, reason } = await lock.release(`[UNLOCK] ${this.#parts.repository}`)
    const step = this.#actions.at(-1)?.step ?? 0
    this.#actions.push(actionOf({ ...UNLOCK, step }, outcome, reason))
  }

  /** Throws if the forge is not at fault: the run was interrupted, or has a bug. */
  #failed(error: unknown): Ending {
    const code = faultCode(error)
    if (code === null) throw error
    this.#problems.add(code, (error as Error).message)
    return { status: 'failed', health: 'degraded' }
  }

  /** `decided`: without the problems that only the executor knows. */
  #healthOf(decided: Health): Health {
    return decided === 'ok' && this.#problems.all.length > 0 ? 'degraded' : decided
  }

  #runOf(ending: Ending): ConductorRun {
    const { world, repository, isDry, forge } = this.#parts
    const snapshot = this.#snapshot
    return {
      id: this.#id,
      repository: snapshot?.repository ?? repository,
      dry_run: isDry,
      forge_time: snapshot && new Date(snapshot.time).toISOString(),
      started_at: this.#startedAt,
      ended_at: timestamp(world.clock),
      requests: forge.requests - this.#requestsBefore,
      stopped: null,
      waiting_for: null,
      actions: this.#actions,
      items: [],
      counts: NO_COUNTS,
      problems: [...this.#problems.all],
      ...ending,
    }
  }
}

const UNLOCK = act(0, 'unlock', { room: 'engineering' })

const NO_COUNTS: ConductorCounts = {
  needs_triage: 0,
  merge_queue: 0,
  in_review: 0,
  needs_rework: 0,
  active_branches: 0,
}
