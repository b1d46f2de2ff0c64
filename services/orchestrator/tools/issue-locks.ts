// Locks of the room for engineering: while an agent or person holds one, others must not create or close issues.
import { randomUUID } from 'node:crypto'
import { asActor, ownActor } from '../../../platform/core/actor.ts'
import { timestamp } from '../../../platform/core/clock.ts'
import { Problem } from '../../../platform/core/problem.ts'
import type { World } from '../../../platform/service/world.ts'
import type { RoomLock } from '../../../schemas/communicate/message.ts'
import { communicateOperations } from '../../../schemas/operations/communicate.ts'
import { changesIssues } from '../policy/issues/issue-changes.ts'
import type { AgentRow } from '../record/agent-store.ts'
import type { AgentSecrets } from '../session/agent-secrets.ts'
import { placeOf } from './agent-workplace.ts'

const ROOM = 'engineering'
const SELF = 'svc-orchestrator'
const CACHED_MS = 1000
const PATIENCE_MS = 2000
/** Maximum age of an answer that is used while the rooms do not answer. */
const LONGEST_KEPT_MS = 60_000

interface Answer {
  /** Monotonic. */
  at: number
  locks: readonly RoomLock[]
}

type LocksWorld = Pick<World, 'call' | 'clock' | 'config' | 'log'> & { secrets: Pick<AgentSecrets, 'maskCut'> }

export class IssueLocks {
  readonly #world: LocksWorld
  #cached: Answer | null = null
  /** Last answer of the rooms. */
  #last: Answer | null = null
  #reading: Promise<readonly RoomLock[]> | null = null

  constructor(world: LocksWorld) {
    this.#world = world
  }

  /** Returns why the call is denied now, or null. */
  async denial(
    agent: AgentRow,
    { tool, inputs }: { tool: string; inputs: readonly unknown[] },
  ): Promise<string | null> {
    const { clock, config, secrets } = this.#world
    if (!inputs.some((input) => changesIssues(tool, input, () => placeOf(config, agent)))) return null
    const locks = await this.#read()
    const lock = locks.find(
      ({ holder, expires_at }) => holder !== agent.id && holder !== agent.name && expires_at > timestamp(clock),
    )
    if (!lock) return null
    const { holder_name, expires_at, purpose } = lock
    return secrets.maskCut(agent, `issues are locked by ${holder_name} until ${expires_at}: ${purpose}`)
  }

  /** Never rejects. */
  #read(): Promise<readonly RoomLock[]> {
    const cached = this.#cached
    if (cached && this.#world.clock.monotonic() - cached.at < CACHED_MS) return Promise.resolve(cached.locks)
    this.#reading ??= this.#answerOrLast().finally(() => (this.#reading = null))
    return this.#reading
  }

  async #answerOrLast(): Promise<readonly RoomLock[]> {
    const { clock, log } = this.#world
    try {
      const locks = await this.#answer()
      this.#last = { at: clock.monotonic(), locks }
      this.#cached = this.#last
    } catch (error) {
      const at = clock.monotonic()
      const last = this.#last && at - this.#last.at <= LONGEST_KEPT_MS ? this.#last : null
      const next = last ? 'using the last answer' : 'not holding back changes of issues'
      log.warn({ room: ROOM, error: (error as Error).message }, `failed to read the locks of a room, ${next}`)
      this.#cached = { at, locks: last?.locks ?? [] }
    }
    return this.#cached.locks
  }

  /** Without the room there are no locks. */
  #answer(): Promise<readonly RoomLock[]> {
    const { call, clock } = this.#world
    const abort = new AbortController()
    const request = { params: { id: ROOM }, signal: abort.signal }
    // As the daemon, not as the person who approves a request.
    const asked = asActor(ownActor(SELF, randomUUID()), () => call(communicateOperations).listLocks(request))
    return new Promise((resolve, reject) => {
      const timer = clock.after(PATIENCE_MS, () => {
        reject(new Error(`the rooms did not answer within ${PATIENCE_MS} ms`))
        abort.abort()
      })
      void asked
        .then(resolve, (error: unknown) => (isMissing(error) ? resolve([]) : reject(error)))
        .finally(() => timer.cancel())
    })
  }
}

const isMissing = (error: unknown): boolean => error instanceof Problem && error.status === 404
