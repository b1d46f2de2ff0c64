// State of the fake GitHub, and what tests do to it.
import { BareRepository } from './bare-repository.ts'
import { Faults, type Fault, type RecordedRequest } from './faults.ts'
import type {
  CheckRecord,
  EventType,
  IssueRecord,
  NewCheck,
  NewIssue,
  NewPullRequest,
  PullRequestRecord,
  ReviewState,
  Stamp,
  SuiteRecord,
} from './records.ts'
import { Webhooks, type WebhookTarget } from './webhooks.ts'

export interface GitHubOptions {
  /** `acme/shop` */
  repository: string
  /** Path of the bare repository. */
  git: string
  /** Clock of the forge in milliseconds. Default: a clock at 2026-05-01T12:00:00Z that `tick` moves. */
  now?: () => number
  /** Requests without it are refused with 401. Default `forge-token-1`. */
  token?: string
}

export type AnyItem = IssueRecord | PullRequestRecord

const PERSON = 'mia'

export class GitHubState {
  readonly repository: string
  /** Earlier names, which lead to it unless a query says otherwise. */
  readonly formerNames: string[] = []
  readonly token: string
  readonly git: BareRepository
  readonly items = new Map<number, AnyItem>()
  readonly checks: CheckRecord[] = []
  /** Check suites without check runs. */
  readonly suites: SuiteRecord[] = []
  /** Labels of the repository. */
  readonly labels = new Set<string>()
  readonly requests: RecordedRequest[] = []
  readonly faults = new Faults()
  readonly webhooks = new Webhooks()
  /** Of REST and GraphQL together; `reset` in Unix seconds. */
  readonly limit = { remaining: 5000, reset: 0 }
  readonly settings = {
    isSquashAllowed: true,
    isUpToDateRequired: false,
    hasMainBranch: true,
    isPrivate: false,
    /** Fine-grained tokens read those of public repositories only. */
    isTokenFineGrained: false,
  }
  /** Base of the REST API, as in SVC_FORGE_API_URL. */
  url = ''
  /** Account of a push to a branch. */
  pusher = PERSON
  /** Address for clones in REST answers. */
  cloneUrl: string
  /** Entries of nested lists in one page, at most; GitHub: 100. */
  nestedPage = 100
  #elapsed = 0
  #next = 1
  readonly #now: () => number

  constructor({ repository, git, now, token = 'forge-token-1' }: GitHubOptions) {
    this.repository = repository
    this.token = token
    this.#now = now ?? (() => Date.UTC(2026, 4, 1, 12))
    this.git = new BareRepository(git, () => this.now)
    this.cloneUrl = `https://forge.example/${repository}.git`
    this.limit.reset = this.now / 1000 + 3600
  }

  get now(): number {
    return this.#now() + this.#elapsed
  }

  get areChecksReadable(): boolean {
    return !(this.settings.isPrivate && this.settings.isTokenFineGrained)
  }

  tick(ms: number): void {
    this.#elapsed += ms
  }

  fail(fault: Fault): void {
    this.faults.add(fault)
  }

  /** Sends a webhook for each label that is added to a pull request. */
  deliverTo(target: WebhookTarget | null): void {
    this.webhooks.target = target
  }

  issue(members: NewIssue = {}): number {
    const issue = this.#newItem('issue', members)
    this.items.set(issue.number, issue)
    return issue.number
  }

  pullRequest(members: NewPullRequest): number {
    const { branch, base = this.git.mainBranch(), isFork = false } = members
    const branches = this.git.branches()
    const head = isFork ? (members.head ?? branches.get(base)!) : branches.get(branch)
    if (head === undefined) throw new Error(`the bare repository has no branch ${branch}`)
    const item: PullRequestRecord = {
      ...this.#newItem('pull-request', members),
      kind: 'pull-request',
      branch,
      base,
      isFork,
      head,
      baseHead: branches.get(base) ?? head,
      isDraft: members.isDraft ?? false,
      headAt: members.headAt ?? null,
      shownCommit: null,
      isAutoMerge: members.isAutoMerge ?? false,
      isInMergeQueue: members.isInMergeQueue ?? false,
      reviews: [],
      mergeable: members.mergeable ?? null,
      mergeState: members.mergeState ?? null,
      mergeRefusal: members.mergeRefusal ?? null,
      closes: members.closes ?? [],
      mergedAt: null,
      mergeCommit: null,
    }
    this.items.set(item.number, item)
    this.git.keepHead(item.number, head)
    return item.number
  }

  #newItem(kind: IssueRecord['kind'], members: NewIssue): IssueRecord {
    const number = members.number ?? this.#next
    this.#next = Math.max(this.#next, number) + 1
    const { title = `Item ${number}`, body = '', author = PERSON, createdAt = this.now, labels = [] } = members
    for (const label of labels) this.labels.add(label)
    return {
      kind,
      number,
      title,
      body,
      author,
      createdAt,
      editedAt: null,
      editor: null,
      updatedAt: createdAt,
      state: 'OPEN',
      labels: [...labels],
      events: labels.map((label) => ({ type: 'LabeledEvent', at: createdAt, by: author, label })),
      comments: [],
      assignees: [...(members.assignees ?? [])],
    }
  }

  item(number: number): AnyItem {
    const item = this.items.get(number)
    if (!item) throw new Error(`there is no item ${number}`)
    return item
  }

  pull(number: number): PullRequestRecord {
    const item = this.item(number)
    if (item.kind !== 'pull-request') throw new Error(`item ${number} is no pull request`)
    return item as PullRequestRecord
  }

  label(number: number, label: string, stamp: Stamp = {}): void {
    const item = this.item(number)
    this.labels.add(label)
    if (item.labels.some((name) => name.toLowerCase() === label.toLowerCase())) return
    item.labels.push(label)
    this.event(number, 'LabeledEvent', { ...stamp, label })
    if (item.kind === 'pull-request') this.webhooks.labeled(this.repository, item as PullRequestRecord, label)
  }

  /** Returns false if the item does not have the label. */
  unlabel(number: number, label: string, stamp: Stamp = {}): boolean {
    const item = this.item(number)
    const at = item.labels.findIndex((name) => name.toLowerCase() === label.toLowerCase())
    if (at < 0) return false
    item.labels.splice(at, 1)
    this.event(number, 'UnlabeledEvent', { ...stamp, label })
    return true
  }

  event(number: number, type: EventType, { at = this.now, by = PERSON, label }: Stamp & { label?: string } = {}): void {
    const item = this.item(number)
    item.events.push({ type, at, by, ...(label === undefined ? {} : { label }) })
    item.updatedAt = Math.max(item.updatedAt, at)
  }

  comment(number: number, body: string, { at = this.now, by = PERSON }: Stamp = {}): void {
    const item = this.item(number)
    item.comments.push({ id: number * 1000 + item.comments.length, at, by, body })
    item.updatedAt = Math.max(item.updatedAt, at)
  }

  review(number: number, state: ReviewState, stamp: Stamp & { isWriter?: boolean } = {}): void {
    const { at = this.now, by = 'noor', isWriter = true } = stamp
    this.pull(number).reviews.push({ at, by, state, isWriter })
  }

  /** Adds a check to the current head of the pull request, or to `head`. */
  check(number: number, check: NewCheck): void {
    this.sync()
    const { name, head = this.pull(number).head, at = this.now, state } = check
    const { status = 'COMPLETED', conclusion = status === 'COMPLETED' ? 'SUCCESS' : null } = check
    const isRun = state === undefined
    this.checks.push({
      head,
      name,
      app: isRun ? (check.app ?? 'github-actions') : null,
      status,
      conclusion,
      state: state ?? 'SUCCESS',
      startedAt: status === 'QUEUED' ? null : at,
      completedAt: status === 'COMPLETED' ? at : null,
    })
  }

  /** Adds a check suite without check runs to the current head of the pull request. */
  suite(number: number, suite: Omit<SuiteRecord, 'head'>): void {
    this.sync()
    this.suites.push({ ...suite, head: this.pull(number).head })
  }

  edit(number: number, body: string, { at = this.now, by = PERSON }: Stamp = {}): void {
    Object.assign(this.item(number), { body, editedAt: at, editor: by, updatedAt: at })
  }

  closeItem(number: number, stamp: Stamp = {}): void {
    this.item(number).state = 'CLOSED'
    this.event(number, 'ClosedEvent', stamp)
  }

  reopen(number: number, stamp: Stamp = {}): void {
    this.item(number).state = 'OPEN'
    this.event(number, 'ReopenedEvent', stamp)
  }

  /** Reads the branches again, as each request does: heads move, pull requests without a branch or base close. */
  sync(): void {
    const branches = this.git.branches()
    for (const item of this.items.values()) {
      if (item.kind !== 'pull-request' || item.state !== 'OPEN') continue
      const pull = item as PullRequestRecord
      const base = branches.get(pull.base)
      const head = pull.isFork ? pull.head : branches.get(pull.branch)
      if (base === undefined || head === undefined) this.closeItem(pull.number, { by: this.pusher })
      if (base !== undefined) pull.baseHead = base
      if (head !== undefined && head !== pull.head) this.#moveHead(pull, head)
    }
  }

  #moveHead(pull: PullRequestRecord, head: string): void {
    if (!this.git.isAncestor(pull.head, head)) this.event(pull.number, 'HeadRefForcePushedEvent', { by: this.pusher })
    pull.head = head
    pull.headAt = null
    this.git.keepHead(pull.number, head)
  }

  mergeableOf(pull: PullRequestRecord): NonNullable<PullRequestRecord['mergeable']> {
    if (pull.mergeable !== null) return pull.mergeable
    return this.git.conflicts(pull.baseHead, pull.head) ? 'CONFLICTING' : 'MERGEABLE'
  }

  /** True if the head lacks commits of the base. */
  isBehind(pull: PullRequestRecord): boolean {
    return !this.git.isAncestor(pull.baseHead, pull.head)
  }

  mergeStateOf(pull: PullRequestRecord): NonNullable<PullRequestRecord['mergeState']> {
    if (pull.mergeState !== null) return pull.mergeState
    const mergeable = this.mergeableOf(pull)
    if (mergeable !== 'MERGEABLE') return mergeable === 'UNKNOWN' ? 'UNKNOWN' : 'DIRTY'
    if (pull.isDraft) return 'DRAFT'
    return this.settings.isUpToDateRequired && this.isBehind(pull) ? 'BEHIND' : 'CLEAN'
  }
}
