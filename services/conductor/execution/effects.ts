// Performs the requests of a decision.
import type { Clock } from '../../../platform/core/clock.ts'
import type { Act, ActReply, Conclusion, Intent } from '../decision/contract.ts'
import type { ForgeRepository } from '../forge.ts'
import type { PullRequest, Snapshot } from '../snapshot/facts.ts'
import { pause } from '../turns.ts'
import { forgeWrite, ForgeWrites } from './forge-writes.ts'
import type { GitWrites } from './git-writes.ts'
import type { Intents } from './intents.ts'
import type { CoordinationLock } from './lock.ts'
import { faultCode, type Problems } from './problems.ts'
import type { Rooms } from './rooms.ts'

export interface Effects {
  perform(act: Act): Promise<ActReply>
  reread(number: number): Promise<PullRequest | null>
}

/** Effects of a dry run: none. Every write succeeds, and the forge is as in the snapshot. */
export function plannedEffects({ pullRequests }: Snapshot): Effects {
  return {
    perform: async () => ({ outcome: 'done' }),
    reread: async (number) => pullRequests.find((each) => each.number === number) ?? null,
  }
}

/** Attempts to learn an unknown mergeability, and the time between them. */
const READS = 3
const READ_PAUSE_MS = 5000

interface EffectParts {
  snapshot: Snapshot
  forge: ForgeRepository
  git: GitWrites
  rooms: Rooms
  lock: CoordinationLock
  intents: Intents
  problems: Problems
  clock: Clock
  signal: AbortSignal
  /** Returns whether the record is stored. */
  remember(conclusion: Conclusion): Promise<boolean>
}

export class RealEffects implements Effects {
  readonly #parts: EffectParts
  readonly #writes: ForgeWrites
  readonly #titles: Map<number, string>
  /** Merges of this run that the forge did not confirm. */
  readonly #doubtful = new Set<number>()

  constructor(parts: EffectParts) {
    this.#parts = parts
    this.#writes = new ForgeWrites(parts.forge, parts.signal)
    this.#titles = new Map(parts.snapshot.pullRequests.map(({ number, title }) => [number, title]))
  }

  /**
   * A refusal by the forge and a failure of git fail the action. Throws if the forge cannot be used: later actions
   * would depend on an unknown state.
   */
  async perform(act: Act): Promise<ActReply> {
    const { intents, problems } = this.#parts
    const intent = intentOf(act)
    if (intent) await intents.open(intent)
    const reply = await this.#dispatch(act).catch((error: unknown): ActReply => {
      const code = faultCode(error)
      if (code === null || !PASSED_OVER.has(code)) throw error
      const reason = (error as Error).message
      problems.add(code, reason)
      return { outcome: 'failed', code: 'error', reason }
    })
    if (intent?.kind === 'merge' && reply.outcome === 'failed') await this.#giveUp(intent, reply)
    const ended = endedIntent(act)
    if (ended) await intents.close(ended)
    return reply
  }

  /** GitHub computes mergeability after it was asked for. */
  async reread(number: number): Promise<PullRequest | null> {
    const { forge, clock, signal } = this.#parts
    for (let read = 1; ; read++) {
      const found = await forge.pullRequest(number, signal)
      if (found) this.#titles.set(number, found.title)
      if (found?.mergeable !== 'UNKNOWN' || read === READS) return found
      await pause(clock, READ_PAUSE_MS, signal)
    }
  }

  async #giveUp(intent: Intent, { code }: ActReply): Promise<void> {
    if (code === 'error') this.#doubtful.add(intent.number)
    else await this.#parts.intents.close(intent)
  }

  async #dispatch(act: Act): Promise<ActReply> {
    const { rooms, git, lock } = this.#parts
    switch (act.action) {
      case 'post':
        return rooms.post(act)
      case 'lock':
        return lock.take(act.text ?? '')
      case 'unlock':
        return lock.release(act.text ?? '')
      case 'restack':
        return git.restack(act)
      case 'delete-branch':
        return git.deleteBranch(act)
      case 'remember':
        return this.#remember(act)
      default:
        return forgeWrite(this.#writes, act, this.#titles.get(act.number!) ?? '')!
    }
  }

  /** Intents are closed before: a run that begins from the new record must not finish them again. */
  async #remember({ memory }: Act): Promise<ActReply> {
    await this.#parts.intents.closeAll(this.#doubtful)
    return { outcome: (await this.#parts.remember(memory!)) ? 'done' : 'failed' }
  }
}

/** Failures of one action that say nothing about the others. */
const PASSED_OVER = new Set(['forge-refused', 'forge-unsupported', 'git-failed'])

function intentOf({ action, number, sha }: Act): Intent | null {
  return action === 'merge' || action === 'restack' ? { kind: action, number: number!, head: sha! } : null
}

/** A merge ends with its announcement, a restack with the new base. */
function endedIntent({ action, about, number }: Act): Pick<Intent, 'kind' | 'number'> | null {
  if (number === null) return null
  if (action === 'post' && about === 'merged') return { kind: 'merge', number }
  return action === 'retarget' ? { kind: 'restack', number } : null
}
