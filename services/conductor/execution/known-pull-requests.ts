// Pull requests as the run knows them. A person may change one between the judgement and a write that no lease protects.
import type { ActionName } from '../../../schemas/conductor/run.ts'
import type { Act, ActReply } from '../decision/contract.ts'
import type { PullRequest } from '../snapshot/facts.ts'

/**
 * Facts that must be the same as in the judgement. The forge compares the head itself for a merge and an update of a
 * branch, and git for a push. After a push the forge may show the new head late.
 */
const CONDITIONS: Partial<Record<ActionName, readonly ('head' | 'base')[]>> = {
  'add-label': ['head', 'base'],
  'remove-label': ['head', 'base'],
  comment: ['head', 'base'],
  restack: ['base'],
  retarget: ['base'],
}

type Read = (number: number) => Promise<PullRequest | null>

export class KnownPullRequests {
  readonly #read: Read
  readonly #known: Map<number, PullRequest>

  /** `read`: from the forge, null if it is not open. `known`: of the snapshot. */
  constructor(read: Read, known: readonly PullRequest[]) {
    this.#read = read
    this.#known = new Map(known.map((each) => [each.number, each]))
  }

  /** The last reading, with the heads and bases that this run has written. */
  get(number: number | null): PullRequest | null {
    return this.#known.get(number ?? 0) ?? null
  }

  async reread(number: number): Promise<PullRequest | null> {
    const read = await this.#read(number)
    if (read === null) this.#known.delete(number)
    else this.#known.set(number, read)
    return read
  }

  /** Reads the pull requests of an act again. Null: the act may be performed. */
  async objectionTo({ action, number, sha, base, onto, restack }: Act): Promise<ActReply | null> {
    const conditions = CONDITIONS[action]
    if (conditions === undefined) return null
    for (const each of restack?.branches.map((branch) => branch.number) ?? [number]) {
      if (each === null || !this.#known.has(each)) continue
      const read = await this.#read(each)
      if (read === null) return { outcome: 'failed', code: 'closed', reason: `#${each} is no longer open` }
      // A forge may delete merged branches, and then moves their dependents.
      const isRetargeted = each === number && read.base === (action === 'retarget' ? base : onto)
      if (isRetargeted) this.#change(each, { base: read.base })
      if (isRetargeted && action === 'retarget')
        return { outcome: 'unchanged', reason: `#${each} has this base already` }
      const known = this.#known.get(each)!
      const changed = conditions.find((fact) => read[fact] !== known[fact])
      if (changed !== undefined)
        return {
          outcome: 'failed',
          code: 'moved',
          reason: `the ${changed} of #${each} is ${read[changed]} instead of ${known[changed]}`,
        }
      const isReported = action === 'comment' && sha !== null && read.reportedHeads.includes(sha)
      if (isReported) return { outcome: 'unchanged', reason: 'another comment reports this head' }
    }
    return null
  }

  /** Takes over what an act has changed. */
  apply({ action, number, base, restack }: Act, { outcome, heads }: ActReply): void {
    if (outcome === 'failed') return
    if (action === 'retarget') this.#change(number!, { base: base! })
    // The new head is not known.
    if (action === 'update-branch') this.#known.delete(number!)
    for (const each of action === 'restack' ? (restack?.branches ?? []) : []) {
      const head = heads?.get(each.number)
      if (head !== undefined) this.#change(each.number, { head })
    }
  }

  #change(number: number, change: Partial<PullRequest>): void {
    const known = this.#known.get(number)
    if (known !== undefined) this.#known.set(number, { ...known, ...change })
  }
}
