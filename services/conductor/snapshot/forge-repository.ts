// One repository of a forge: snapshots by GraphQL, writes by REST.
import * as Type from 'typebox'
import { Forge, type ForgeOptions, type ForgeWrite } from '../../../platform/forge/forge.ts'
import type { ForgeRepository, MergeReply, MergeRequest } from '../forge.ts'
import { answer } from './answers.ts'
import { isOfSite } from './clone-address.ts'
import type { PullRequest, Snapshot } from './facts.ts'
import { readPullRequest, readSnapshot, type Reading, type ReadingOptions } from './reading.ts'

export interface ForgeRepositoryOptions extends ForgeOptions {
  /** `owner/name` */
  repository: string
  pipelineBase: string | null
  /** Logins whose reviews count though they may not write. */
  reviewers: readonly string[]
}

export function openForgeRepository({ repository, pipelineBase, reviewers, ...options }: ForgeRepositoryOptions) {
  const [owner, name] = repository.split('/') as [string, string]
  return new Repository({ forge: new Forge(options), owner, name, pipelineBase, reviewers, apiUrl: options.url })
}

interface RepositoryOptions extends ReadingOptions {
  /** Base of the REST API. */
  apiUrl: string
}

const labelNames = answer(Type.Array(Type.Object({ name: Type.String() })), 'labels')
const mergeResult = answer(Type.Object({ merged: Type.Literal(true), sha: Type.String() }), 'a merge')
const pullNumbers = answer(Type.Array(Type.Object({ number: Type.Integer() })), 'pull requests')
const repositoryAnswer = answer(Type.Object({ clone_url: Type.String() }), 'the repository')

const ISSUE = '/repos/{owner}/{repo}/issues/{issue_number}'
const PULL = '/repos/{owner}/{repo}/pulls/{pull_number}'

class Repository implements ForgeRepository {
  readonly #options: RepositoryOptions
  readonly #target: { owner: string; repo: string }
  #openIssues: ReadonlySet<number> = new Set()

  constructor(options: RepositoryOptions) {
    this.#options = options
    this.#target = { owner: options.owner, repo: options.name }
  }

  get requests(): number {
    return this.#options.forge.requests
  }

  async snapshot(signal: AbortSignal): Promise<Snapshot> {
    return (await this.reading(signal)).snapshot
  }

  /** The snapshot with its cost. */
  async reading(signal: AbortSignal): Promise<Reading> {
    const reading = await readSnapshot(this.#options, signal)
    this.#openIssues = new Set(reading.snapshot.issues.map(({ number }) => number))
    return reading
  }

  async pullRequest(number: number, signal: AbortSignal): Promise<PullRequest | null> {
    return readPullRequest(this.#options, number, this.#openIssues, signal)
  }

  async pullRequestsOf(branch: string, signal: AbortSignal): Promise<number[]> {
    const { forge, owner } = this.#options
    const numbers = new Set<number>()
    for (const filter of [{ base: branch }, { head: `${owner}:${branch}` }]) {
      const parameters = { ...this.#target, state: 'open', per_page: 100, ...filter }
      const found = await forge.readAll('GET /repos/{owner}/{repo}/pulls', parameters, { signal })
      for (const { number } of pullNumbers(found)) numbers.add(number)
    }
    return [...numbers]
  }

  /** The forge creates a label that the repository does not have. */
  async addLabel(number: number, label: string, signal: AbortSignal): Promise<'done' | 'unchanged'> {
    const parameters = { ...this.#target, issue_number: number }
    const labels = await this.#options.forge.readAll(
      `GET ${ISSUE}/labels`,
      { ...parameters, per_page: 100 },
      { signal },
    )
    const isThere = labelNames(labels).some(({ name }) => name.toLowerCase() === label.toLowerCase())
    if (isThere) return 'unchanged'
    await this.#write(`POST ${ISSUE}/labels`, { issue_number: number, labels: [label] }, { signal })
    return 'done'
  }

  async removeLabel(number: number, label: string, signal: AbortSignal): Promise<'done' | 'unchanged'> {
    const parameters = { issue_number: number, name: label }
    const { status } = await this.#write(`DELETE ${ISSUE}/labels/{name}`, parameters, { signal, expected: [404] })
    return status === 404 ? 'unchanged' : 'done'
  }

  async comment(number: number, text: string, signal: AbortSignal): Promise<void> {
    await this.#write(`POST ${ISSUE}/comments`, { issue_number: number, body: text }, { signal })
  }

  async retarget(number: number, base: string, signal: AbortSignal): Promise<void> {
    await this.#write(`PATCH ${PULL}`, { pull_number: number, base }, { signal })
  }

  async merge({ number, sha, title }: MergeRequest, signal: AbortSignal): Promise<MergeReply> {
    const parameters = { pull_number: number, sha, merge_method: 'squash', commit_title: title }
    // Labels could change during an interval after the pull request was read.
    const call = { signal, expected: [405, 409], isImmediate: true }
    const { status, data } = await this.#write(`PUT ${PULL}/merge`, parameters, call)
    if (status === 200) return { outcome: 'merged', sha: mergeResult(data).sha }
    return { outcome: status === 409 ? 'moved' : 'refused', reason: reasonOf(data) }
  }

  async updateBranch(number: number, sha: string, signal: AbortSignal): Promise<'done' | 'unchanged'> {
    const parameters = { pull_number: number, expected_head_sha: sha }
    const { status } = await this.#write(`PUT ${PULL}/update-branch`, parameters, { signal, expected: [422] })
    return status === 422 ? 'unchanged' : 'done'
  }

  async cloneUrl(signal: AbortSignal): Promise<string | null> {
    const answered = await this.#options.forge.read('GET /repos/{owner}/{repo}', this.#target, { signal })
    const { clone_url: url } = repositoryAnswer(answered)
    return isOfSite(url, this.#options.apiUrl) ? url : null
  }

  #write(route: string, parameters: Record<string, unknown>, call: ForgeWrite) {
    return this.#options.forge.write(route, { ...this.#target, ...parameters }, call)
  }
}

function reasonOf(data: unknown): string {
  const message = typeof data === 'object' && data !== null && 'message' in data ? data.message : data
  return typeof message === 'string' && message !== '' ? message : 'the forge gives no reason'
}
