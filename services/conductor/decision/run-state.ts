// The state of a run: the snapshot with the changes made by earlier steps, and the record of what the run did.
import type { ConductorCounts, ConductorItem, ConductorProblem, Stop } from '../../../schemas/conductor/run.ts'
import type { Issue, Label, MergedPullRequest, PullRequest, Snapshot } from '../snapshot/facts.ts'
import type { Act, ActReply, DecisionInput, Intent, IntentChange, RunRecord, Step } from './contract.ts'
import { hasLabel, isSameLabel } from './labels.ts'
import { reportKey, Reports } from './reports.ts'
import { isTrunk } from './rules.ts'
import { itemOf, judge, type Judgement } from './situations.ts'
import { mergeLine, transitionsOf } from './transitions.ts'

/** Codes of failed actions that are part of normal work and leave nothing undone that the next run does not do. */
const EXPECTED: readonly ActReply['code'][] = ['conflict', 'moved', 'closed', 'gate', 'not-eligible', 'held']

export class RunState {
  readonly snapshot: Snapshot
  readonly intents: readonly Intent[]
  readonly mention: string | null
  readonly reports: Reports
  readonly restacked = new Set<number>()
  readonly retargeted = new Set<number>()
  /** Merged by this run, or by an interrupted one that did not report it. */
  readonly merged = new Set<number>()
  stopped: Stop | null = null
  isQueueBlocked = false
  isDegraded: boolean
  readonly #issues: Map<number, Issue>
  readonly #open: Map<number, PullRequest>
  /** By branch; not those of forks. */
  readonly #mergedBranches: Map<string, MergedPullRequest>
  /** Head of each base branch; null: the branch is gone. */
  readonly #tips: Map<string, string | null>
  readonly #transitions: Set<string>
  readonly #items = new Map<number, ConductorItem>()
  /** Lowest open pull request of each branch, not of forks; null after a merge: computed again when needed. */
  #heads: Map<string, number> | null = null

  constructor({ snapshot, reported, intents, transitions, mention }: DecisionInput) {
    this.snapshot = snapshot
    this.intents = intents
    this.#transitions = new Set(transitions)
    this.mention = mention
    this.reports = new Reports(reported, snapshot.time)
    this.isDegraded = reported === null || snapshot.problems.length > 0
    this.#issues = byNumber(snapshot.issues)
    this.#open = byNumber(snapshot.pullRequests)
    const branches = snapshot.merged.filter(({ isFork }) => !isFork).sort((one, other) => one.mergedAt - other.mergedAt)
    this.#mergedBranches = new Map(branches.map((merged) => [merged.branch, merged]))
    const bases = [...snapshot.merged, ...snapshot.pullRequests]
    this.#tips = new Map(bases.map(({ base, baseHead }) => [base, baseHead]))
  }

  /** Milliseconds since a time. */
  age(time: number): number {
    return this.snapshot.time - time
  }

  /** Open issues, lowest number first. */
  get issues(): Issue[] {
    return [...this.#issues.values()]
  }

  /** Open pull requests, lowest number first. */
  get pullRequests(): PullRequest[] {
    return [...this.#open.values()]
  }

  item(number: number): Issue | PullRequest | undefined {
    return this.#open.get(number) ?? this.#issues.get(number)
  }

  /** Undefined: not open. */
  pullRequest(number: number): PullRequest | undefined {
    return this.#open.get(number)
  }

  /** Changes since the last digest, one line each. */
  get transitions(): string[] {
    return [...this.#transitions]
  }

  /** Branches that are never rewritten or deleted. */
  get trunks(): string[] {
    const { mainBranch, pipelineBase } = this.snapshot
    return pipelineBase === null ? [mainBranch] : [mainBranch, pipelineBase]
  }

  isTrunk(branch: string): boolean {
    return isTrunk(branch, this.snapshot)
  }

  /** Main and the pipeline base may be heads of pull requests: they are never rewritten. */
  isTrunkHead({ branch, isFork }: PullRequest): boolean {
    return !isFork && this.isTrunk(branch)
  }

  /** Pull request whose branch is the base of this one. */
  parentOf({ base }: Pick<PullRequest, 'base'>): PullRequest | undefined {
    const number = this.isTrunk(base) ? undefined : this.#openHeads().get(base)
    return number === undefined ? undefined : this.#open.get(number)
  }

  /** Whether a pull request with this one's base was open at the beginning. */
  hadParent({ base }: PullRequest): boolean {
    return this.snapshot.pullRequests.some(({ branch, isFork }) => branch === base && !isFork)
  }

  /**
   * Merged pull request whose branch is the base of this one and the branch of no open one. A branch that has moved
   * since its merge lives on.
   */
  mergedBelow({ base }: Pick<PullRequest, 'base'>): MergedPullRequest | undefined {
    if (this.isTrunk(base) || this.#openHeads().has(base)) return undefined
    const merged = this.#mergedBranches.get(base)
    const tip = this.#tips.get(base)
    return tip === null || tip === merged?.head ? merged : undefined
  }

  /** Base that pull requests on a merged one get: that of the lowest merged one of its stack. Null: there is none. */
  baseBelow(merged: MergedPullRequest): string | null {
    const seen = new Set([merged.number])
    let lowest = merged
    for (;;) {
      const below = this.mergedBelow(lowest)
      if (below === undefined) return this.#tips.get(lowest.base) === null ? null : lowest.base
      if (seen.has(below.number)) return null
      seen.add(below.number)
      lowest = below
    }
  }

  judge(pullRequest: PullRequest): Judgement {
    const { number, head, createdAt } = pullRequest
    // Heads outside of the queue are not remembered, and none of them is merged.
    const isInQueue = hasLabel(pullRequest, 'merge-ready')
    return judge(pullRequest, {
      repository: this.snapshot,
      seenAt: isInQueue ? this.reports.firstTime(reportKey('seen', number, head)) : createdAt,
      isRestacked: this.restacked.has(number),
      isRetargeted: this.retargeted.has(number),
    })
  }

  /** Records a judgement for the items of the run. */
  settle(judgement: Judgement): void {
    this.#items.set(judgement.pullRequest.number, itemOf(judgement))
  }

  /** Pull requests open at the beginning; those that no step has judged are judged now. */
  items(): ConductorItem[] {
    for (const pullRequest of this.pullRequests)
      if (!this.#items.has(pullRequest.number)) this.settle(this.judge(pullRequest))
    return [...this.#items.values()].sort((one, other) => one.number - other.number)
  }

  counts(): ConductorCounts {
    const open = this.pullRequests
    const count = (items: readonly (Issue | PullRequest)[], label: string) =>
      items.filter((item) => hasLabel(item, label)).length
    return {
      needs_triage: count(this.issues, 'needs-triage'),
      merge_queue: count(open, 'merge-ready'),
      in_review: count(open, 'review-agent'),
      needs_rework: count(open, 'needs-rework'),
      active_branches: new Set(open.filter(({ isFork }) => !isFork).map(({ branch }) => branch)).size,
    }
  }

  /** The state of the run now. */
  record(): RunRecord {
    const { stopped } = this
    const isBlocked = stopped !== null || this.isQueueBlocked
    return {
      status: stopped === null ? 'done' : 'stopped',
      health: isBlocked ? 'blocked' : this.isDegraded || this.reports.isFull ? 'degraded' : 'ok',
      stopped,
      counts: this.counts(),
      reported: this.reports.remaining(stopped !== null),
    }
  }

  /** Problems of the snapshot and the decision; the executor adds those of actions. */
  get problems(): ConductorProblem[] {
    const { repository, problems } = this.snapshot
    const detail = `the record of ${repository} has no room for more reports: those without room are not posted. Close stale items`
    return this.reports.isFull ? [...problems, { code: 'memory-unavailable', detail }] : [...problems]
  }

  *perform(act: Act): Step<ActReply> {
    const reply = (yield { act }) as ActReply
    if (reply.outcome === 'failed') {
      this.isDegraded ||= !EXPECTED.includes(reply.code)
      for (const line of transitionsOf(act)) this.#transitions.delete(line)
    } else this.#apply(act, reply)
    return reply
  }

  /** False: the writes after this one must wait for the next run. A room that refuses a post holds back no write. */
  *attempt(act: Act): Step<boolean> {
    const { outcome, code } = yield* this.perform(act)
    return outcome !== 'failed' || code === 'missing' || code === 'refused'
  }

  /** Posts unless this was reported before. Returns as attempt() does. `interval`: milliseconds, see Reports.isDue(). */
  *postOnce(key: string, post: Act, interval?: number): Step<boolean> {
    this.reports.raise(key)
    if (!this.reports.isDue(key, interval)) return true
    const { outcome, code } = yield* this.perform({ ...post, key })
    if (outcome !== 'failed') this.reports.add(key)
    return outcome !== 'failed' || code === 'missing' || code === 'refused'
  }

  /** The pull request now, after `delay` milliseconds; null: no longer open. */
  *reread(seen: PullRequest, delay: number): Step<PullRequest | null> {
    const read = (yield { reread: seen.number, seen, delay }) as PullRequest | null
    if (read !== null) {
      this.#open.set(read.number, read)
      this.#tips.set(read.base, read.baseHead)
    } else this.#close(seen.number)
    return read
  }

  *intend(change: IntentChange): Step {
    yield change
  }

  stop(stop: Stop): void {
    this.stopped ??= stop
  }

  /** Adds a pull request merged by this run, or by a run that crashed afterwards. */
  applyMerge({ number, branch, isFork }: MergedPullRequest | PullRequest): void {
    this.merged.add(number)
    this.#transitions.add(mergeLine(number))
    const pullRequest = this.#open.get(number)
    if (pullRequest === undefined) return
    this.#close(number)
    if (isFork) return
    this.#mergedBranches.set(branch, { ...pullRequest, mergedAt: this.snapshot.time })
    // Its head may have been read after the other pull requests.
    this.#tips.set(branch, pullRequest.head)
  }

  #close(number: number): void {
    this.#open.delete(number)
    this.#heads = null
  }

  #openHeads(): Map<string, number> {
    this.#heads ??= new Map(
      this.pullRequests
        .filter(({ isFork }) => !isFork)
        .reverse()
        .map(({ branch, number }) => [branch, number]),
    )
    return this.#heads
  }

  #apply(act: Act, reply: ActReply): void {
    const changed = reply.outcome === 'done'
    if (changed) for (const line of transitionsOf(act)) this.#transitions.add(line)
    if (act.action === 'add-label' || act.action === 'remove-label') this.#relabel(act)
    if (act.action === 'retarget') this.#retarget(act)
    if (act.action === 'restack' && changed) this.#restack(act, reply)
  }

  #relabel({ action, number, label }: Act): void {
    const items: Map<number, Issue | PullRequest> = this.#open.has(number!) ? this.#open : this.#issues
    const item = items.get(number!)
    const isAdded = action === 'add-label'
    if (item !== undefined) {
      const others = item.labels.filter(({ name }) => !isSameLabel(name, label!))
      const added: Label = { name: label!, since: this.snapshot.time }
      items.set(number!, { ...item, labels: isAdded ? [...others, added] : others })
    }
  }

  #retarget({ number, base }: Act): void {
    const pullRequest = this.#open.get(number!)
    if (pullRequest !== undefined) this.#open.set(number!, { ...pullRequest, base: base! })
    this.retargeted.add(number!)
  }

  #restack({ restack }: Act, { heads }: ActReply): void {
    for (const { number } of restack?.branches ?? []) {
      const pullRequest = this.#open.get(number)
      if (pullRequest === undefined || (heads !== undefined && !heads.has(number))) continue
      this.#open.set(number, { ...pullRequest, head: heads?.get(number) ?? pullRequest.head })
      this.restacked.add(number)
    }
  }
}

/** In the order of numbers, which replacing an item keeps. */
const byNumber = <Item extends { number: number }>(items: readonly Item[]): Map<number, Item> =>
  new Map([...items].sort((one, other) => one.number - other.number).map((item) => [item.number, item]))
