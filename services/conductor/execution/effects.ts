// Performs the requests of a decision.
import type { Clock } from '../../../platform/core/clock.ts'
import type { Act, ActReply, IntentChange, Reread, RunRecord } from '../decision/contract.ts'
import { transitionsOf } from '../decision/transitions.ts'
import type { ForgeRepository } from '../forge.ts'
import type { PullRequest } from '../snapshot/facts.ts'
import { pause } from '../run-queue.ts'
import { forgeWrite, type ForgeWrites } from './forge-writes.ts'
import type { GitWrites } from './git-writes.ts'
import type { Intents } from './intents.ts'
import { placeOf, type Journal } from './journal.ts'
import type { CoordinationLock } from './lock.ts'
import { faultCode, type Problems } from './problems.ts'
import type { Rooms } from './rooms.ts'

export interface Effects {
  perform(act: Act): Promise<ActReply>
  /** Null: no longer open. */
  reread(request: Reread): Promise<PullRequest | null>
  intend(change: IntentChange): Promise<void>
}

/** Effects of a dry run: none. Every write succeeds, and the forge is as in the snapshot. */
export const plannedEffects: Effects = {
  perform: async () => ({ outcome: 'done' }),
  reread: async ({ seen }) => seen,
  intend: async () => undefined,
}

interface EffectParts {
  forge: ForgeRepository
  writes: ForgeWrites
  git: GitWrites
  rooms: Rooms
  lock: CoordinationLock
  intents: Intents
  journal: Journal
  problems: Problems
  clock: Clock
  /** Of the snapshot, in milliseconds. */
  time: number
  /** See Rooms. */
  record: string
  signal: AbortSignal
  /** Returns whether the record is stored. */
  remember(record: RunRecord): Promise<boolean>
}

/** Failures of one action that say nothing about the others. */
const PASSED_OVER = new Set(['forge-refused', 'forge-unsupported', 'git-failed'])

export class RealEffects implements Effects {
  readonly #parts: EffectParts
  /** Places of acts that failed, and of others. */
  readonly #failed = new Set<string>()
  readonly #succeeded = new Set<string>()
  /** Latest rereads of pull requests. */
  readonly #reread = new Map<number, PullRequest>()

  constructor(parts: EffectParts) {
    this.#parts = parts
  }

  /**
   * A refusal by the forge and a failure of git fail the action. Throws if the forge cannot be used: later actions
   * would depend on an unknown state.
   */
  async perform(act: Act): Promise<ActReply> {
    const { journal, problems } = this.#parts
    const lines = transitionsOf(act)
    const added = await journal.expect(lines)
    const reply = await this.#dispatch(act).catch((error: unknown): ActReply => {
      const code = faultCode(error)
      if (code === null || !PASSED_OVER.has(code)) throw error
      const reason = (error as Error).message
      return { outcome: 'failed', code: 'error', reason, problem: code }
    })
    if (reply.problem !== undefined) problems.add(reply.problem, reply.reason ?? '')
    if (reply.code === 'error') await this.#keepRecord(placeOf(act))
    else if (reply.outcome !== 'failed') this.#succeeded.add(placeOf(act))
    if (reply.outcome === 'done') await this.#note(act)
    // Of a change that is there already, an earlier run may have left the line.
    else await journal.retract(reply.outcome === 'failed' ? lines : added)
    return reply
  }

  async #note({ action, about, key, record }: Act): Promise<void> {
    const { journal, time } = this.#parts
    if (key !== undefined) await journal.report(key, time)
    // Before the record is stored: a run from a new record would report the lines again.
    if (about === 'digest') await journal.clearTransitions()
    if (action !== 'remember') return
    await journal.clearReports()
    // A stopped run has not tried everything again.
    const isWhole = record!.stopped === null
    await journal.clearRecords((place) => !this.#failed.has(place) && (isWhole || this.#succeeded.has(place)))
  }

  /** The post before a write that fails is made again by every run until the write succeeds. */
  async #keepRecord(place: string): Promise<void> {
    const { journal, record } = this.#parts
    this.#failed.add(place)
    await journal.keepRecord(place, record)
  }

  async reread({ reread, delay }: Reread): Promise<PullRequest | null> {
    const { forge, clock, signal } = this.#parts
    if (delay > 0) await pause(clock, delay, signal)
    signal.throwIfAborted()
    const read = await forge.pullRequest(reread, signal)
    if (read === null) this.#reread.delete(reread)
    else this.#reread.set(reread, read)
    return read
  }

  async intend(change: IntentChange): Promise<void> {
    const { intents } = this.#parts
    await ('open' in change ? intents.open(change.open) : intents.close(change.close))
  }

  async #dispatch(act: Act): Promise<ActReply> {
    const { rooms, git, lock, writes } = this.#parts
    switch (act.action) {
      case 'post':
        return rooms.post(act.about === 'digest' ? { ...act, id: this.#parts.journal.digestKey } : act)
      case 'lock':
        return lock.take(act.text!)
      case 'unlock':
        return lock.release(act.text!)
      case 'restack':
        return git.restack(act)
      case 'delete-branch':
        return git.deleteBranch(act)
      case 'remember':
        return { outcome: (await this.#parts.remember(act.record!)) ? 'done' : 'failed' }
      default:
        return forgeWrite(writes, act, this.#reread.get(act.number ?? 0) ?? null)
    }
  }
}
