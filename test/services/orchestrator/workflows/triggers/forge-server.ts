// A forge that behaves like the real ones: pages with `Link`, ETags and rate limits.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ForgeRequest {
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  status: number
}

interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string
}

interface Item {
  number: number
  state: string
  title: string
  body: string | null
  url: string
  html_url: string
  labels: { id: number; name: string; color: string; default: boolean }[]
  assignee: { login: string; id: number } | null
}

export class ForgeServer {
  readonly requests: ForgeRequest[] = []
  readonly instead: Answer[] = []
  /** `reset` is in Unix seconds of the forge's own clock. */
  limit = { remaining: 5000, reset: 1_777_640_400 }
  /** If set, requests without it are refused. */
  token: string | null = null
  /** Upper limit of entries per page. */
  pageSize = 100
  onRequest: (path: string, query: URLSearchParams) => void = () => undefined
  readonly #items = new Map<string, Item[]>()
  readonly #server = createServer((request, response) => this.#answer(request, response))
  readonly now = Date.parse('2026-05-01T12:00:00Z')

  static async start(): Promise<ForgeServer> {
    const forge = new ForgeServer()
    await new Promise<void>((done) => forge.#server.listen(0, '127.0.0.1', done))
    return forge
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api/v3`
  }

  addIssue(repo: string, more: Partial<Item> = {}): Item {
    return this.#add(repo, this.itemOf(repo, 'issues', more))
  }

  addPullRequest(repo: string, more: Partial<Item> & Record<string, unknown> = {}): Item {
    const branches = {
      draft: false,
      head: { label: 'mia:fix-login', ref: 'fix-login', sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e' },
      base: { label: 'o:main', ref: 'main', sha: 'c5b97d5ae6c19d5c5df71a34c7fbeeda2479ccbc' },
    }
    return this.#add(repo, this.itemOf(repo, 'pull', { ...branches, ...more }))
  }

  item(repo: string, number: number): Item {
    return this.#items.get(repo)!.find((item) => item.number === number)!
  }

  itemOf(repo: string, page: 'issues' | 'pull', more: object): Item {
    const number = (this.#items.get(repo)?.length ?? 0) + 1
    return {
      id: 1_000_000 + number,
      node_id: 'MDU6SXNzdWUx',
      url: `${this.url}/repos/${repo}/issues/${number}`,
      html_url: `https://forge.example/${repo}/${page}/${number}`,
      number,
      state: 'open',
      title: `Login fails ${number}`,
      body: 'Since yesterday.',
      user: { login: 'mia', id: 1, type: 'User', site_admin: false },
      labels: [],
      assignee: null,
      assignees: [],
      milestone: null,
      locked: false,
      comments: 0,
      created_at: '2026-04-30T08:00:00Z',
      updated_at: '2026-04-30T08:00:00Z',
      closed_at: null,
      author_association: 'COLLABORATOR',
      ...more,
    } as Item
  }

  #add(repo: string, item: Item): Item {
    this.#items.set(repo, [...(this.#items.get(repo) ?? []), item])
    return item
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname: path, searchParams: query } = new URL(request.url!, this.url)
    const asked = { path, query, headers: request.headers, status: 0 }
    this.requests.push(asked)
    this.onRequest(path, query)
    const { status, headers = {}, body = '' } = this.instead.shift() ?? this.#list(asked)
    asked.status = status
    if (status === 200) this.limit.remaining--
    response.sendDate = false
    response.writeHead(status, {
      date: new Date(this.now).toUTCString(),
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': String(this.limit.remaining),
      'x-ratelimit-reset': String(this.limit.reset),
      ...headers,
    })
    response.end(body)
  }

  #list({ path, query, headers }: Omit<ForgeRequest, 'status'>): Answer {
    if (this.token !== null && headers.authorization !== `Bearer ${this.token}`) return refusal(401, 'Bad credentials')
    if (this.limit.remaining === 0) return refusal(403, 'API rate limit exceeded for user ID 1.')
    const [, repo, kind] = /^\/api\/v3\/repos\/([^/]+\/[^/]+)\/(issues|pulls)$/.exec(path) ?? []
    const all = repo === undefined ? undefined : this.#items.get(repo)
    if (!all && repo?.startsWith('missing/')) return refusal(404, 'Not Found')
    const listed = (all ?? []).filter((item) => isListed(item, kind!, query))
    const size = Math.min(Number(query.get('per_page') ?? 30), this.pageSize)
    const page = Number(query.get('page') ?? 1)
    const body = JSON.stringify(listed.slice((page - 1) * size, page * size).map((item) => shownAs(item, kind!)))
    const etag = `W/"${createHash('sha256').update(body).digest('hex')}"`
    if (headers['if-none-match'] === etag) return { status: 304, headers: { etag } }
    const after = new URLSearchParams({ ...Object.fromEntries(query), page: String(page + 1) })
    const next = `<${this.url.replace('/api/v3', '')}${path}?${after.toString()}>; rel="next"`
    const link = `${next}, <${this.url}?page=99>; rel="last"`
    return { status: 200, headers: { etag, ...(listed.length > page * size ? { link } : {}) }, body }
  }
}

function isListed(item: Item, kind: string, query: URLSearchParams): boolean {
  if (kind === 'pulls' && !('head' in item)) return false
  const state = query.get('state') ?? 'open'
  const labels = query.get('labels')?.split(',') ?? []
  const has = labels.every((label) => item.labels.some(({ name }) => name === label))
  return (state === 'all' || item.state === state) && (kind === 'pulls' || has)
}

/** Lists of issues include pull requests, marked as such. */
function shownAs(item: Item, kind: string): object {
  if (kind === 'pulls' || !('head' in item)) return item
  const { head: _head, base: _base, ...issue } = item as Item & Record<string, unknown>
  return { ...issue, pull_request: { url: item.url.replace('issues', 'pulls'), html_url: item.html_url } }
}

export function refusal(status: number, message: string, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: JSON.stringify({ message, documentation_url: 'https://docs.forge.example/rest' }) }
}
