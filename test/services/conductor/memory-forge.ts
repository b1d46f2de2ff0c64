// A repository of a forge in memory, with the branches of its pull requests and a clone that rewrites them.
import { createHash } from 'node:crypto'
import { ForgeFault, type ForgeCode } from '../../../platform/forge/faults.ts'
import type { ForgeRepository, MergeReply, MergeRequest } from '../../../services/conductor/forge.ts'
import type { ConductorGit, Deletion, Restack, RestackReply } from '../../../services/conductor/git.ts'
import type { PullRequest, Snapshot } from '../../../services/conductor/snapshot/facts.ts'
import { snapshotOf } from './snapshots.ts'

export interface Comment {
  number: number
  text: string
}

type Tip = Pick<PullRequest, 'base' | 'baseHead'>

const MARKER = /<!-- svc:conductor checks-failed (\S+) -->/

export const forgeFault = (code: ForgeCode, message = 'the forge is down'): ForgeFault => new ForgeFault(code, message)

export class MemoryForge implements ForgeRepository {
  requests = 0
  state: Snapshot
  readonly comments: Comment[] = []
  readonly branches = new Map<string, string>()
  /** Called before a write is carried out, and after it; a throw is its failure. */
  onWrite: (write: string, moment: 'before' | 'after') => void | Promise<void> = () => undefined
  /** Called before a read. */
  onRead: (read: string) => void | Promise<void> = () => undefined

  constructor(given: Partial<Snapshot>) {
    this.state = snapshotOf(given)
    for (const { branch, head, isFork } of this.state.pullRequests) if (!isFork) this.branches.set(branch, head)
    for (const { branch, head } of this.state.merged) if (!this.branches.has(branch)) this.branches.set(branch, head)
  }

  /** Comparable state of the forge and its branches. */
  get picture() {
    const { issues, pullRequests, merged } = this.state
    const labels = ({ number, labels: own }: Pick<PullRequest, 'number' | 'labels'>): [number, string[]] => [
      number,
      own.map(({ name }) => name).toSorted(),
    ]
    return {
      issues: issues.map(labels),
      pullRequests: pullRequests.map((each) => [...labels(each), each.base, each.head]),
      merged: merged.map(({ number, head }) => [number, head]),
      comments: this.comments,
      branches: [...this.branches].map(([branch, head]) => `${branch} ${head}`).toSorted(),
    }
  }

  async snapshot(): Promise<Snapshot> {
    await this.#read('snapshot')
    const { pullRequests, merged } = this.state
    const read = <Each extends Tip>(each: Each): Each => ({ ...each, baseHead: this.#baseHead(each) })
    return structuredClone({ ...this.state, pullRequests: pullRequests.map(read), merged: merged.map(read) })
  }

  async pullRequest(number: number): Promise<PullRequest | null> {
    await this.#read(`pull request ${number}`)
    const found = this.#open(number)
    return found ? structuredClone({ ...found, baseHead: this.#baseHead(found) }) : null
  }

  async pullRequestsOf(branch: string): Promise<number[]> {
    await this.#read(`pull requests of ${branch}`)
    const of = ({ base, branch: own, isFork }: PullRequest) => base === branch || (own === branch && !isFork)
    return this.state.pullRequests.filter(of).map(({ number }) => number)
  }

  addLabel(number: number, label: string): Promise<'done' | 'unchanged'> {
    return this.#write(`add-label ${label} ${number}`, () => this.#relabel(number, label, true))
  }

  removeLabel(number: number, label: string): Promise<'done' | 'unchanged'> {
    return this.#write(`remove-label ${label} ${number}`, () => this.#relabel(number, label, false))
  }

  async comment(number: number, text: string): Promise<void> {
    await this.#write(`comment ${number}`, () => {
      this.comments.push({ number, text })
      const head = MARKER.exec(text)?.[1]
      if (head !== undefined) this.change(number, ({ reportedHeads }) => ({ reportedHeads: [...reportedHeads, head] }))
    })
  }

  async retarget(number: number, base: string): Promise<void> {
    await this.#write(`retarget ${number} ${base}`, () => this.change(number, () => ({ base })))
  }

  merge({ number, sha }: MergeRequest): Promise<MergeReply> {
    return this.#write(`merge ${number}`, (): MergeReply => {
      const found = this.#open(number)
      if (!found) return { outcome: 'refused', reason: 'Pull Request is not mergeable' }
      if (found.head !== sha) return { outcome: 'moved', reason: 'Head branch was modified' }
      const { pullRequests, merged, time } = this.state
      this.state = {
        ...this.state,
        pullRequests: pullRequests.filter((each) => each !== found),
        merged: [...merged, { ...found, mergedAt: time }],
      }
      return { outcome: 'merged', sha: hash(`merge of ${sha}`) }
    })
  }

  updateBranch(number: number, sha: string): Promise<'done' | 'unchanged'> {
    return this.#write(`update-branch ${number}`, () => {
      const found = this.#open(number)
      if (found?.head !== sha) return 'unchanged'
      this.push(found.branch, hash(`update of ${sha}`))
      this.change(number, () => ({ mergeState: 'CLEAN' }))
      return 'done'
    })
  }

  async cloneUrl(): Promise<string | null> {
    return null
  }

  /** Changes an open pull request. */
  change(number: number, change: (found: PullRequest) => Partial<PullRequest>): void {
    const pullRequests = this.state.pullRequests.map((each) =>
      each.number === number ? { ...each, ...change(each) } : each,
    )
    this.state = { ...this.state, pullRequests }
  }

  /** Moves a branch, and the head of its pull request, which has no checks yet. */
  push(branch: string, head: string): void {
    this.branches.set(branch, head)
    for (const { number, branch: own } of this.state.pullRequests)
      if (own === branch) this.change(number, () => ({ head, headAt: this.state.time, checks: [] }))
  }

  /** A write of the clone; runs the same hooks as one by REST. */
  write<T>(name: string, work: () => T): Promise<T> {
    return this.#write(name, work)
  }

  async #write<T>(name: string, work: () => T): Promise<T> {
    this.requests++
    await this.onWrite(name, 'before')
    const result = work()
    await this.onWrite(name, 'after')
    return result
  }

  async #read(name: string): Promise<void> {
    this.requests++
    await this.onRead(name)
  }

  /** Branches that are no head of a pull request do not move. */
  #baseHead({ base, baseHead }: Tip): string | null {
    const { mainBranch, pipelineBase } = this.state
    return this.branches.get(base) ?? ([mainBranch, pipelineBase].includes(base) ? baseHead : null)
  }

  #open(number: number): PullRequest | undefined {
    return this.state.pullRequests.find((each) => each.number === number)
  }

  #relabel(number: number, name: string, isAdded: boolean): 'done' | 'unchanged' {
    const items = [...this.state.issues, ...this.state.pullRequests]
    const found = items.find((each) => each.number === number)
    if (!found) throw forgeFault('forge-refused', `#${number} does not exist`)
    if (found.labels.some((each) => each.name === name) === isAdded) return 'unchanged'
    const others = found.labels.filter((each) => each.name !== name)
    const labels = isAdded ? [...others, { name, since: this.state.time }] : others
    const change = <Item extends { number: number }>(each: Item): Item =>
      each.number === number ? { ...each, labels } : each
    const { issues, pullRequests } = this.state
    this.state = { ...this.state, issues: issues.map(change), pullRequests: pullRequests.map(change) }
    return 'done'
  }
}

/** Rewrites the branches of a MemoryForge. A rebased head depends on the old one and the new base only. */
export class MemoryGit implements ConductorGit {
  /** Numbers of pull requests that conflict when they are rebased. */
  readonly conflicts = new Set<number>()
  readonly #forge: MemoryForge
  /** Heads that this clone made, with their base. */
  readonly #made = new Map<string, string>()

  constructor(forge: MemoryForge) {
    this.#forge = forge
  }

  restack({ onto, branches }: Restack): Promise<RestackReply> {
    return this.#forge.write(`restack ${branches.map(({ number }) => number).join(' ')}`, (): RestackReply => {
      const moved = branches.find(({ branch, head }) => this.#forge.branches.get(branch) !== head)
      if (moved) return { outcome: 'moved', branch: moved.branch }
      // What is above a branch that has moved already is on it, or has lost its place.
      if (this.#made.get(branches[0]!.head) === onto)
        return { outcome: 'unchanged', heads: new Map(branches.map(({ number, head }) => [number, head])) }
      const conflict = branches.find(({ number }) => this.conflicts.has(number))
      if (conflict) return { outcome: 'conflict', number: conflict.number, files: ['shared.txt'] }
      const heads = new Map(branches.map(({ number, head }) => [number, hash(`${head} onto ${onto}`)]))
      for (const { number, branch } of branches) {
        this.#made.set(heads.get(number)!, onto)
        this.#forge.push(branch, heads.get(number)!)
      }
      return { outcome: 'done', heads }
    })
  }

  deleteBranch({ branch, head }: Deletion): Promise<'done' | 'unchanged' | 'moved'> {
    return this.#forge.write(`delete-branch ${branch}`, () => {
      const present = this.#forge.branches.get(branch)
      if (present === undefined) return 'unchanged'
      if (present !== head) return 'moved'
      this.#forge.branches.delete(branch)
      return 'done'
    })
  }
}

const hash = (text: string): string => createHash('sha1').update(text).digest('hex')
