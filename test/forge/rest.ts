// REST side of the fake GitHub, with the types of the published OpenAPI description.
import type { components } from '@octokit/openapi-types'
import type { RecordedRequest } from './faults.ts'
import { squash } from './merges.ts'
import { type PullRequestRecord, VIEWER } from './records.ts'
import type { AnyItem, GitHubState } from './state.ts'

type Schemas = components['schemas']

export interface Answer {
  status: number
  headers?: Record<string, string>
  /** Sent as JSON; a string verbatim. */
  body?: unknown
  isUndated?: boolean
}

export function refusal(status: number, message: string, headers: Record<string, string> = {}): Answer {
  const body: Schemas['basic-error'] = {
    message,
    documentation_url: 'https://docs.forge.example/rest',
    status: String(status),
  }
  return { status, headers, body }
}

type Handler = (request: RecordedRequest, ...parts: string[]) => Answer

const NOT_FOUND = refusal(404, 'Not Found')
const DEFAULT_PAGE = 30
const LARGEST_PAGE = 100

export class Rest {
  readonly #github: GitHubState

  constructor(github: GitHubState) {
    this.#github = github
  }

  answer(request: RecordedRequest): Answer {
    const prefix = `/repos/${this.#github.repository}`
    if (!request.path.toLowerCase().startsWith(prefix.toLowerCase())) return NOT_FOUND
    const path = `${request.method} ${request.path.slice(prefix.length)}`
    for (const [pattern, handler] of this.#routes) {
      const match = pattern.exec(path)
      if (match) return handler(request, ...match.slice(1).map(decodeURIComponent))
    }
    return NOT_FOUND
  }

  readonly #routes: [RegExp, Handler][] = [
    [/^GET $/, () => this.#repository()],
    [/^GET \/issues$/, (request) => this.#list(request, 'issues')],
    [/^GET \/pulls$/, (request) => this.#list(request, 'pulls')],
    [/^GET \/issues\/(\d+)\/labels$/, (request, number) => this.#labels(request, Number(number))],
    [/^POST \/issues\/(\d+)\/labels$/, (request, number) => this.#addLabels(request, Number(number))],
    [
      /^DELETE \/issues\/(\d+)\/labels\/([^/]+)$/,
      (_request, number, label) => this.#unlabel(Number(number), label ?? ''),
    ],
    [/^POST \/issues\/(\d+)\/comments$/, (request, number) => this.#comment(request, Number(number))],
    [/^PATCH \/pulls\/(\d+)$/, (request, number) => this.#patch(request, Number(number))],
    [/^PUT \/pulls\/(\d+)\/merge$/, (request, number) => this.#merge(request, Number(number))],
    [/^GET \/commits\/[0-9a-f]+\/check-suites$/, () => this.#suites()],
    [/^PUT \/pulls\/(\d+)\/update-branch$/, (request, number) => this.#update(request, Number(number))],
  ]

  #repository(): Answer {
    const { repository, git, cloneUrl, settings } = this.#github
    const body: Pick<
      Schemas['full-repository'],
      'id' | 'name' | 'full_name' | 'default_branch' | 'clone_url' | 'private' | 'allow_squash_merge'
    > = {
      id: 1296269,
      name: repository.split('/')[1]!,
      full_name: repository,
      default_branch: git.mainBranch(),
      clone_url: cloneUrl,
      private: settings.isPrivate,
      allow_squash_merge: settings.isSquashAllowed,
    }
    return { status: 200, body }
  }

  /** Shows none: readers want to know only whether they may read them. */
  #suites(): Answer {
    if (!this.#github.areChecksReadable) return refusal(403, 'Resource not accessible by personal access token')
    return { status: 200, body: { total_count: 0, check_suites: [] } }
  }

  #list(request: RecordedRequest, kind: 'issues' | 'pulls'): Answer {
    const state = request.query.get('state') ?? 'open'
    const [base, head] = [request.query.get('base'), request.query.get('head')]
    const labels = kind === 'issues' ? (request.query.get('labels')?.split(',') ?? []) : []
    const all = [...this.#github.items.values()].filter(
      (item) =>
        (kind === 'issues' || item.kind === 'pull-request') &&
        (state === 'all' || stateOf(item) === state) &&
        labels.every((label) => item.labels.includes(label)) &&
        (kind === 'issues' || this.#isBetween(item as PullRequestRecord, base, head)),
    )
    const ordered = request.query.get('direction') === 'asc' ? all : all.toReversed()
    return this.#page(request, ordered, (item) => (kind === 'pulls' ? this.#pull(item) : this.#issue(item)))
  }

  /** `head`: `owner:branch`; null: any. */
  #isBetween({ base, branch, isFork }: PullRequestRecord, wantedBase: string | null, head: string | null): boolean {
    const owner = isFork ? 'another' : this.#github.repository.split('/')[0]
    return (wantedBase === null || wantedBase === base) && (head === null || head === `${owner}:${branch}`)
  }

  #page<T>({ path, query }: RecordedRequest, all: readonly T[], shown: (item: T) => unknown): Answer {
    const size = Math.min(Number(query.get('per_page') ?? DEFAULT_PAGE), LARGEST_PAGE)
    const page = Number(query.get('page') ?? 1)
    const after = new URLSearchParams({ ...Object.fromEntries(query), page: String(page + 1) })
    const link = `<${this.#github.url}${path}?${after.toString()}>; rel="next"`
    const body = all.slice((page - 1) * size, page * size).map(shown)
    return { status: 200, headers: all.length > page * size ? { link } : {}, body }
  }

  #issue(item: AnyItem): unknown {
    const address = `https://forge.example/${this.#github.repository}/issues/${item.number}`
    const issue: Pick<
      Schemas['issue'],
      'id' | 'number' | 'state' | 'title' | 'body' | 'html_url' | 'labels' | 'created_at' | 'updated_at' | 'comments'
    > = {
      id: 1000 + item.number,
      number: item.number,
      state: stateOf(item),
      title: item.title,
      body: item.body,
      html_url: address,
      labels: item.labels.map(labelOf),
      comments: item.comments.length,
      created_at: new Date(item.createdAt).toISOString(),
      updated_at: new Date(item.updatedAt).toISOString(),
    }
    return item.kind === 'issue' ? issue : { ...issue, pull_request: { html_url: address } }
  }

  #pull(item: AnyItem): unknown {
    const pull = item as PullRequestRecord
    const branches: Pick<Schemas['pull-request-simple'], 'draft'> & {
      head: Pick<Schemas['pull-request-simple']['head'], 'ref' | 'sha'>
      base: Pick<Schemas['pull-request-simple']['base'], 'ref' | 'sha'>
    } = {
      draft: pull.isDraft,
      head: { ref: pull.branch, sha: pull.head },
      base: { ref: pull.base, sha: pull.baseHead },
    }
    return { ...(this.#issue(item) as object), ...branches }
  }

  #labels(request: RecordedRequest, number: number): Answer {
    const item = this.#github.items.get(number)
    return item ? this.#page(request, item.labels, labelOf) : NOT_FOUND
  }

  /** Creates labels that the repository does not have, as GitHub does. */
  #addLabels({ body }: RecordedRequest, number: number): Answer {
    const item = this.#github.items.get(number)
    if (!item) return NOT_FOUND
    for (const label of (body?.labels ?? []) as string[]) this.#github.label(number, label, { by: VIEWER })
    return { status: 200, body: item.labels.map(labelOf) }
  }

  #unlabel(number: number, label: string): Answer {
    const item = this.#github.items.get(number)
    if (!item) return NOT_FOUND
    if (!this.#github.unlabel(number, label, { by: VIEWER })) return refusal(404, 'Label does not exist')
    return { status: 200, body: item.labels.map(labelOf) }
  }

  #comment({ body }: RecordedRequest, number: number): Answer {
    const item = this.#github.items.get(number)
    if (!item) return NOT_FOUND
    this.#github.comment(number, String(body?.body), { by: VIEWER })
    const { id, at } = item.comments.at(-1)!
    const comment: Pick<Schemas['issue-comment'], 'id' | 'body' | 'created_at'> = {
      id,
      body: String(body?.body),
      created_at: new Date(at).toISOString(),
    }
    return { status: 201, body: comment }
  }

  #patch({ body }: RecordedRequest, number: number): Answer {
    const item = this.#github.items.get(number)
    if (item?.kind !== 'pull-request') return NOT_FOUND
    const pull = item as PullRequestRecord
    const base = String(body?.base)
    if (pull.state !== 'OPEN') return refusal(422, 'Validation Failed: cannot change the base of a closed pull request')
    const baseHead = this.#github.git.branches().get(base)
    if (baseHead === undefined) return refusal(422, 'Validation Failed: the base does not exist')
    Object.assign(pull, { base, baseHead })
    return { status: 200, body: this.#pull(pull) }
  }

  #merge({ body }: RecordedRequest, number: number): Answer {
    const { items, settings } = this.#github
    const item = items.get(number)
    if (item?.kind !== 'pull-request') return NOT_FOUND
    const pull = item as PullRequestRecord
    const refused = this.#mergeRefusal(pull, body ?? {})
    if (refused !== null) return refusal(405, refused)
    if (body?.sha !== undefined && body.sha !== pull.head)
      return refusal(409, 'Head branch was modified. Review and try the merge again.')
    if (body?.merge_method !== 'squash' || !settings.isSquashAllowed)
      return refusal(405, 'Merges of this kind are not allowed on this repository.')
    const sha = squash(this.#github, number, String(body.commit_title))
    const merged: Schemas['pull-request-merge-result'] = {
      sha,
      merged: true,
      message: 'Pull Request successfully merged',
    }
    return { status: 200, body: merged }
  }

  #mergeRefusal(pull: PullRequestRecord, { merge_method }: Record<string, unknown>): string | null {
    if (pull.state !== 'OPEN') return 'Pull Request is not mergeable'
    if (pull.isDraft) return 'Pull Request is still a draft'
    if (pull.mergeRefusal !== null) return pull.mergeRefusal
    if (this.#github.mergeableOf(pull) !== 'MERGEABLE') return 'Pull Request has merge conflicts'
    if (this.#github.mergeStateOf(pull) === 'BLOCKED') return 'At least 1 approving review is required'
    if (merge_method === 'squash' && !this.#github.settings.isSquashAllowed)
      return 'Squash merges are not allowed on this repository.'
    return null
  }

  #update({ body }: RecordedRequest, number: number): Answer {
    const { git, items } = this.#github
    const item = items.get(number)
    if (item?.kind !== 'pull-request') return NOT_FOUND
    const pull = item as PullRequestRecord
    if (body?.expected_head_sha !== pull.head) return refusal(422, 'expected head sha does not match')
    if (!this.#github.isBehind(pull)) return refusal(422, 'There are no new commits on the base branch.')
    const tree = git.mergeTree(pull.baseHead, pull.head)
    if (tree === null) return refusal(422, 'merge conflict between base and head')
    const message = `Merge branch '${pull.base}' into ${pull.branch}`
    pull.head = git.commit(pull.branch, tree, [pull.head, pull.baseHead], message)
    git.keepHead(number, pull.head)
    return { status: 202, body: { message: 'Updating pull request branch.', url: `https://forge.example/${number}` } }
  }
}

const stateOf = ({ state }: AnyItem): 'open' | 'closed' => (state === 'OPEN' ? 'open' : 'closed')

function labelOf(name: string): Schemas['label'] {
  const rest = { id: 1, node_id: 'L1', url: 'https://forge.example/label', description: null, color: 'ededed' }
  return { ...rest, name, default: false }
}
