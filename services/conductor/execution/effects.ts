// Performs the requests of a decision.
import type { Clock } from '../../../platform/core/clock.ts'
import type { Act, ActReply, IntentChange, Reread, RunRecord } from '../decision/contract.ts'
import { transitionsOf } from '../decision/transitions.ts'
import type { PullRequest } from '../snapshot/facts.ts'
import { pause } from '../run-queue.ts'
import { forgeWrite, type ForgeWrites } from './forge-writes.ts'
import type { GitWrites } from './git-writes.ts'
import type { Intents } from './intents.ts'
import { keysOf, topicOf, type Journal } from './journal.ts'
import type { KnownPullRequests } from './known-pull-requests.ts'
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
  pullRequests: KnownPullRequests
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
  namespace: string
  signal: AbortSignal
  /** Returns whether the record is stored. */
  remember(record: RunRecord): Promise<boolean>
}

/** Problems of one action; after any other the forge cannot be used. */
const ACTION_PROBLEMS = new Set(['forge-refused', 'forge-unsupported', 'git-failed'])

/** A digest of more lines is given up if no room takes it: they would gather without limit. */
const MOST_LINES = 1000

export class RealEffects implements Effects {
  readonly #parts: EffectParts
  /** Topics of acts that failed, and of others. */
  readonly #failed = new Set<string>()
  readonly #succeeded = new Set<string>()

  constructor(parts: EffectParts) {
    this.#parts = parts
  }

  /**
   * A refusal by the forge and a failure of git fail the action. Throws if the forge cannot be used: later actions
   * would depend on an unknown state.
   */
  async perform(act: Act): Promise<ActReply> {
    const { journal, problems, pullRequests } = this.#parts
    const lines = transitionsOf(act)
    const added = await journal.expect(lines)
    const reply = await this.#dispatch(act).catch((error: unknown): ActReply => {
      const code = faultCode(error)
      if (code === null || !ACTION_PROBLEMS.has(code)) throw error
      const reason = (error as Error).message
      return { outcome: 'failed', code: 'error', reason, problem: code }
    })
    if (reply.problem !== undefined) problems.add(reply.problem, reply.reason ?? '')
    pullRequests.apply(act, reply)
    if (reply.code === 'error') await this.#keepNamespace(topicOf(act))
    else if (reply.outcome !== 'failed') this.#succeeded.add(topicOf(act))
    if (reply.outcome === 'done') await this.#note(act)
    // Of a change that is there already, an earlier run may have left the line.
    else await journal.retract(reply.outcome === 'failed' ? lines : added)
    // Also if the room refuses it: its lines would gather. Before the record is stored: a run from a new record
    // would report them again.
    const isOver = reply.code !== 'error' || journal.transitions.length > MOST_LINES
    if (act.about === 'digest' && isOver) await journal.clearTransitions()
    return reply
  }

  async #note(act: Act): Promise<void> {
    const { action, record } = act
    const { journal, time } = this.#parts
    await journal.keepReports(keysOf(act), time)
    if (action !== 'remember') return
    await journal.clearReports()
    // A stopped run has not tried everything again.
    const isWhole = record!.stopped === null
    await journal.clearNamespaces((topic) => !this.#failed.has(topic) && (isWhole || this.#succeeded.has(topic)))
  }

  /** The post before a write that fails is made again by every run until the write succeeds. */
  async #keepNamespace(topic: string): Promise<void> {
    const { journal, namespace } = this.#parts
    this.#failed.add(topic)
    await journal.keepNamespace(topic, namespace)
  }

  async reread({ reread, delay }: Reread): Promise<PullRequest | null> {
    const { pullRequests, clock, signal } = this.#parts
    if (delay > 0) await pause(clock, delay, signal)
    signal.throwIfAborted()
    return pullRequests.reread(reread)
  }

  async intend(change: IntentChange): Promise<void> {
    const { intents } = this.#parts
    await ('open' in change ? intents.open(change.open) : intents.close(change.close))
  }

  async #dispatch(act: Act): Promise<ActReply> {
    const { rooms, git, lock, writes, pullRequests } = this.#parts
    const objection = await pullRequests.objectionTo(act)
    if (objection !== null) return objection
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
        return forgeWrite(writes, act, pullRequests.get(act.number))
    }
  }
}
