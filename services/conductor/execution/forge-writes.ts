// Writes to the forge. After a 5xx answer or silence the forge is read again: the write may have arrived.
import type { ForgeRepository } from '../forge.ts'
import type { Act, ActReply } from '../decision/contract.ts'
import type { PullRequest } from '../snapshot/facts.ts'
import { faultCode } from './problems.ts'

/** The forge may have carried out a request that failed in this way. */
const UNCERTAIN = new Set(['forge-unreachable', 'forge-unreadable'])

export class ForgeWrites {
  readonly #forge: ForgeRepository
  readonly #signal: AbortSignal

  constructor(forge: ForgeRepository, signal: AbortSignal) {
    this.#forge = forge
    this.#signal = signal
  }

  async addLabel(number: number, label: string): Promise<ActReply> {
    const write = async () => ({ outcome: await this.#forge.addLabel(number, label, this.#signal) })
    // Adding a label twice adds it once.
    return this.#surely(write, async () => false)
  }

  async removeLabel(number: number, label: string): Promise<ActReply> {
    const write = async () => ({ outcome: await this.#forge.removeLabel(number, label, this.#signal) })
    return this.#surely(write, async () => false)
  }

  /** `sha`: head that the comment reports. */
  async comment(number: number, text: string, sha: string | null): Promise<ActReply> {
    const write = async (): Promise<ActReply> => {
      await this.#forge.comment(number, text, this.#signal)
      return { outcome: 'done' }
    }
    return this.#surely(write, async () => {
      const found = await this.#read(number)
      return sha !== null && found !== null && found.reportedHeads.includes(sha)
    })
  }

  async retarget(number: number, base: string): Promise<ActReply> {
    const write = async (): Promise<ActReply> => {
      await this.#forge.retarget(number, base, this.#signal)
      return { outcome: 'done' }
    }
    return this.#surely(write, async () => (await this.#read(number))?.base === base)
  }

  async updateBranch(number: number, sha: string): Promise<ActReply> {
    const write = async () => ({ outcome: await this.#forge.updateBranch(number, sha, this.#signal) })
    return this.#surely(write, async () => {
      const found = await this.#read(number)
      return found !== null && found.head !== sha
    })
  }

  /** Never sent twice: after a doubtful answer the next run judges the pull request anew. */
  async merge(number: number, sha: string, title: string): Promise<ActReply> {
    try {
      const reply = await this.#forge.merge({ number, sha, title }, this.#signal)
      if (reply.outcome === 'merged') return { outcome: 'done' }
      if (reply.outcome === 'moved') return { outcome: 'failed', code: 'moved', reason: reply.reason }
      return this.#refusedMerge(number, reply.reason)
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

  async #refusedMerge(number: number, reason: string): Promise<ActReply> {
    const found = await this.#read(number)
    const code = found === null ? 'closed' : found.mergeable === 'CONFLICTING' ? 'conflict' : 'gate'
    return { outcome: 'failed', code, reason }
  }

  /** Repeats a write once if `happened` finds no trace of it. */
  async #surely(write: () => Promise<ActReply>, happened: () => Promise<boolean>): Promise<ActReply> {
    try {
      return await write()
    } catch (error) {
      if (!isUncertain(error)) throw error
      return (await happened()) ? { outcome: 'done' } : write()
    }
  }

  #read(number: number): Promise<PullRequest | null> {
    return this.#forge.pullRequest(number, this.#signal)
  }
}

const isUncertain = (error: unknown): boolean => UNCERTAIN.has(faultCode(error) ?? '')

/** Performs an act that is a write to the forge. */
export function forgeWrite(
  writes: ForgeWrites,
  { action, number, label, base, sha, text = '' }: Act,
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
      return writes.merge(number!, sha!, text)
    default:
      throw new Error(`action ${action} is no write to the forge`)
  }
}
