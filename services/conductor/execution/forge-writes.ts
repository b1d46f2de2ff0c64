// Writes to the forge. After a 5xx answer or silence the forge is read again: the write may have arrived.
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../../platform/core/clock.ts'
import type { ForgeRepository, MergeRequest } from '../forge.ts'
import type { Act, ActReply } from '../decision/contract.ts'
import type { PullRequest } from '../snapshot/facts.ts'
import { pause } from '../run-queue.ts'
import { faultCode } from './problems.ts'

/** The forge may have carried out a request that failed in this way. */
const UNCERTAIN = new Set(['forge-unreachable', 'forge-unreadable'])

/** Milliseconds before a refused merge is tried again. */
const REFUSAL_MS = 2000

export class ForgeWrites {
  readonly #forge: ForgeRepository
  readonly #signal: AbortSignal
  readonly #clock: Clock

  constructor(forge: ForgeRepository, signal: AbortSignal, clock: Clock) {
    this.#forge = forge
    this.#signal = signal
    this.#clock = clock
  }

  async addLabel(number: number, label: string): Promise<ActReply> {
    const write = async () => ({ outcome: await this.#forge.addLabel(number, label, this.#signal) })
    // Adding a label twice adds it once.
    return this.#confirmed(write, async () => false)
  }

  async removeLabel(number: number, label: string): Promise<ActReply> {
    const write = async () => ({ outcome: await this.#forge.removeLabel(number, label, this.#signal) })
    return this.#confirmed(write, async () => false)
  }

  /** `sha`: head that the comment reports. */
  async comment(number: number, text: string, sha: string | null): Promise<ActReply> {
    const write = async (): Promise<ActReply> => {
      await this.#forge.comment(number, text, this.#signal)
      return { outcome: 'done' }
    }
    return this.#confirmed(write, async () => {
      const found = await this.#read(number)
      return sha !== null && found !== null && found.reportedHeads.includes(sha)
    })
  }

  async retarget(number: number, base: string): Promise<ActReply> {
    const write = async (): Promise<ActReply> => {
      await this.#forge.retarget(number, base, this.#signal)
      return { outcome: 'done' }
    }
    return this.#confirmed(write, async () => (await this.#read(number))?.base === base)
  }

  async updateBranch(number: number, sha: string): Promise<ActReply> {
    const write = async () => ({ outcome: await this.#forge.updateBranch(number, sha, this.#signal) })
    return this.#confirmed(write, async () => {
      const found = await this.#read(number)
      return found !== null && found.head !== sha
    })
  }

  /**
   * Never sent twice after a doubtful answer: the next run judges the pull request again. `judged`: as it was read for
   * the judgement; null: unknown, so a refusal (405) is not tried again.
   */
  async merge(number: number, sha: string, title: string, judged: PullRequest | null): Promise<ActReply> {
    try {
      return await this.#merge({ number, sha, title }, judged)
    } catch (error) {
      if (!isUncertain(error)) throw error
      const { merged, pullRequests } = await this.#forge.snapshot(this.#signal)
      if (merged.some((each) => each.number === number && each.head === sha)) return { outcome: 'done' }
      const isOpen = pullRequests.some((each) => each.number === number)
      const reason = (error as Error).message
      const problem = faultCode(error) ?? undefined
      return isOpen
        ? { outcome: 'failed', code: 'error', reason, problem }
        : { outcome: 'failed', code: 'closed', reason }
    }
  }

  /** The forge refuses a merge also for a moment, as while it computes: two refusals of the same facts are a gate. */
  async #merge(request: MergeRequest, judged: PullRequest | null): Promise<ActReply> {
    for (let isRepeated = false; ; isRepeated = true) {
      const reply = await this.#forge.merge(request, this.#signal)
      if (reply.outcome === 'merged') return { outcome: 'done' }
      const failed = (code: ActReply['code']): ActReply => ({ outcome: 'failed', code, reason: reply.reason })
      if (reply.outcome === 'moved') return failed('moved')
      const code = await this.#changeOf(request.number, judged)
      if (code !== null) return failed(code)
      if (isRepeated) return failed('gate')
      await pause(this.#clock, REFUSAL_MS, this.#signal)
      this.#signal.throwIfAborted()
      const later = await this.#changeOf(request.number, judged)
      if (later !== null) return failed(later)
    }
  }

  /** What differs from the judged facts; null: nothing. */
  async #changeOf(number: number, judged: PullRequest | null): Promise<'closed' | 'conflict' | 'moved' | null> {
    const found = await this.#read(number)
    if (found === null) return 'closed'
    if (found.mergeable === 'CONFLICTING') return 'conflict'
    return isDeepStrictEqual(found, judged) ? null : 'moved'
  }

  /** Repeats a write of which no answer says whether it was applied, unless `isApplied` finds that it was. */
  async #confirmed(write: () => Promise<ActReply>, isApplied: () => Promise<boolean>): Promise<ActReply> {
    try {
      return await write()
    } catch (error) {
      if (!isUncertain(error)) throw error
      return (await isApplied()) ? { outcome: 'done' } : write()
    }
  }

  #read(number: number): Promise<PullRequest | null> {
    return this.#forge.pullRequest(number, this.#signal)
  }
}

const isUncertain = (error: unknown): boolean => UNCERTAIN.has(faultCode(error) ?? '')

/** Performs an act that is a write to the forge. `judged`: see ForgeWrites.merge(). */
export function forgeWrite(
  writes: ForgeWrites,
  { action, number, label, base, sha, text = '' }: Act,
  judged: PullRequest | null,
): Promise<ActReply> {
  switch (action) {
    case 'add-label':
      return writes.addLabel(number!, label!)
    case 'remove-label':
      return writes.removeLabel(number!, label!)
    case 'comment':
      return writes.comment(number!, text, sha)
    case 'retarget':
      return writes.retarget(number!, base!)
    case 'update-branch':
      return writes.updateBranch(number!, sha!)
    case 'merge':
      return writes.merge(number!, sha!, text, judged)
    default:
      throw new Error(`action ${action} is no write to the forge`)
  }
}
