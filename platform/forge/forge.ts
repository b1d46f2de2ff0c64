import { request } from '@octokit/request'
import { RequestError } from '@octokit/request-error'
import type { Clock } from '../core/clock.ts'
import { ForgeFault, isRateLimited, queryFault, type QueryError, statusFault } from './faults.ts'
import { type ForgeClient, forgeClient, type Guard, redacted, type RequestExtras } from './octokit.ts'
import { ForgeLimit, type Headers } from './rate-limits.ts'

export { ForgeFault, ForgeLimit }

/** The trigger's schema validates the names. */
export interface ForgeList {
  kind: 'issues' | 'pulls'
  owner: string
  repo: string
  state: string
  /** Not supported for pull requests. */
  labels: readonly string[]
}

export interface ForgePage {
  /** Unvalidated. */
  items: unknown
  /** Null if it would hide a page added later. */
  etag: string | null
  next: string | null
}

export interface ForgeOptions {
  /** `https://api.github.com` */
  url: string
  /** Sent only to `url`. */
  token: string | null
  clock: Clock
  /** Limit of one attempt. Default 30 seconds. */
  timeoutMs?: number
  /** Writes at least a second apart. Default: true for GitHub's own sites, which ask for it. */
  isPaced?: boolean
  /** Default: a new one. */
  limit?: ForgeLimit
}

export interface ForgeCall {
  signal: AbortSignal
  /** Receives the `Date` of each answer. */
  onDate?: RequestExtras['onDate']
}

export interface ForgeWrite extends ForgeCall {
  /** Statuses that are answers, not faults. */
  expected?: readonly number[]
  /** Sent without the interval to earlier writes: for a write that depends on a recent read. */
  isImmediate?: boolean
}

export interface ForgeAnswer {
  status: number
  /** Unvalidated. */
  data: unknown
}

/** Values of the placeholders of a route, and of the query or body. */
export type Parameters = Readonly<Record<string, unknown>>

/** Pages of one list. */
export const MOST_PAGES = 200
const PAGE_SIZE = 50
const TIMEOUT_MS = 30_000
/** Characters of a message from outside. */
const SHOWN = 300

/**
 * A forge's REST and GraphQL interfaces. Reads are retried once after a second if the forge does not answer; writes and
 * polled pages never. All methods throw ForgeFault, or the signal's reason.
 */
export class Forge {
  readonly #options: ForgeOptions
  readonly #reading: ForgeClient
  readonly #writing: ForgeClient
  readonly #immediate: ForgeClient
  readonly #limit: ForgeLimit
  #requests = 0

  constructor(options: ForgeOptions) {
    this.#options = options
    this.#limit = options.limit ?? new ForgeLimit()
    const guard: Guard = {
      url: options.url.replace(/\/+$/, ''),
      token: options.token,
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      checkLimit: () => this.#checkLimit(),
      noteAnswer: (status, headers) => this.#noteLimit(status, headers),
      noteRequest: () => void this.#requests++,
    }
    this.#reading = forgeClient(guard, 'requests')
    const isPaced = options.isPaced ?? isHosted(options.url)
    this.#writing = isPaced ? forgeClient(guard, 'writes') : this.#reading
    this.#immediate = forgeClient(guard, 'none')
  }

  /** Time until which the rate limit forbids requests, in milliseconds since 1970. */
  get freeAt(): number {
    return this.#limit.freeAt
  }

  /** Number of requests sent, with retries. */
  get requests(): number {
    return this.#requests
  }

  /** Returns the URL of the first page, oldest first. */
  firstPage({ kind, owner, repo, state, labels }: ForgeList): string {
    const byLabel = kind === 'issues' && labels.length > 0 ? { labels: labels.join(',') } : {}
    return request.endpoint(`GET /repos/{owner}/{repo}/${kind}`, {
      baseUrl: this.#options.url.replace(/\/+$/, ''),
      owner,
      repo,
      state,
      ...byLabel,
      sort: 'created',
      direction: 'asc',
      per_page: PAGE_SIZE,
    }).url
  }

  /** Returns null if the ETag still matches. */
  async page(url: string, etag: string | null, signal: AbortSignal): Promise<ForgePage | null> {
    const headers = etag === null ? {} : { 'if-none-match': etag }
    const work = () => this.#reading.request({ method: 'GET', url, headers, request: { signal, retries: 0 } })
    const answer = await this.#run(signal, work, [304])
    if (answer.status === 304) return null
    const given = answer.headers as Headers
    const next = nextPage(given.link)
    const items: unknown = answer.data
    // The ETag of a full last page does not cover a later page.
    const mayGrow = next === null && Array.isArray(items) && items.length >= PAGE_SIZE
    return { items, etag: mayGrow ? null : (given.etag ?? null), next }
  }

  /** `route`: `GET /repos/{owner}/{repo}`. */
  async read(route: string, parameters: Parameters, call: ForgeCall): Promise<unknown> {
    const work = () => this.#reading.request(route, { ...parameters, request: extras(call) })
    return (await this.#run(call.signal, work)).data
  }

  /** Returns the entries of all pages. Throws `forge-unsupported` for more than 200. */
  async readAll(route: string, parameters: Parameters, call: ForgeCall): Promise<unknown[]> {
    // Options of a single request do not reach later pages.
    const requests = this.#reading.request.defaults({ request: extras(call) })
    const { method, url } = requests.endpoint(route, parameters)
    let pages = 0
    const entries = ({ data }: { data: unknown[] }): unknown[] => {
      if (++pages <= MOST_PAGES) return data
      throw new ForgeFault('forge-unsupported', `${url} has more than ${MOST_PAGES} pages: make the list shorter`)
    }
    return this.#run(call.signal, () => this.#reading.paginate(requests.defaults({ method, url }), entries))
  }

  /** `route`: `PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge`. After `forge-unreachable` it may have had its effect. */
  async write(route: string, parameters: Parameters, given: ForgeWrite): Promise<ForgeAnswer> {
    const { expected = [], isImmediate = false, ...call } = given
    const options = { ...extras(call), retries: 0 }
    const client = isImmediate ? this.#immediate : this.#writing
    const work = () => client.request(route, { ...parameters, request: options })
    const { status, data } = await this.#run(call.signal, work, expected)
    return { status, data }
  }

  /** Returns the unvalidated data of a GraphQL query. Data with errors beside it is a fault. */
  async query(text: string, variables: Parameters, call: ForgeCall): Promise<unknown> {
    return this.#run(call.signal, () => this.#reading.graphql(text, { ...variables, request: extras(call) }))
  }

  /** Yields the data of each page; `text` has a variable `$cursor` and one list with a `pageInfo`. */
  async *queryPages(text: string, variables: Parameters, call: ForgeCall): AsyncGenerator<unknown, void> {
    const given = { ...variables, request: extras(call) }
    const pages = this.#reading.graphql.paginate.iterator<unknown>(text, given)[Symbol.asyncIterator]()
    for (;;) {
      const page = await this.#run(call.signal, () => pages.next())
      if (page.done) return
      yield page.value
    }
  }

  async #run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
  async #run<T extends { status: number; data: unknown; headers: object }>(
    signal: AbortSignal,
    work: () => Promise<T>,
    expected: readonly number[],
  ): Promise<Pick<T, 'status' | 'data' | 'headers'>>
  async #run<T>(signal: AbortSignal, work: () => Promise<T>, expected: readonly number[] = []): Promise<unknown> {
    try {
      return await unlessAborted(work, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof RequestError && error.response && expected.includes(error.status)) {
        const isLimited = error.status >= 400 && this.#noteLimit(error.status, error.response.headers as Headers)
        if (!isLimited) return error.response
      }
      throw this.#faultOf(error)
    }
  }

  #checkLimit(): void {
    if (this.#options.clock.now() < this.freeAt) throw this.#limited()
  }

  #limited(): ForgeFault {
    const until = new Date(this.freeAt).toISOString()
    const raise = this.#options.token === null ? '; set a token (SVC_FORGE_TOKEN) for a higher limit' : ''
    return new ForgeFault('forge-limited', `forge rate limit reached: retrying at ${until}${raise}`)
  }

  #noteLimit(status: number, headers: Headers): boolean {
    return this.#limit.note(status, headers, this.#options.clock.now())
  }

  /** An error of the transport can repeat a header, and so the token. */
  #shown(message: unknown): string {
    return redacted(String(message), this.#options)
  }

  #faultOf(error: unknown): ForgeFault {
    if (error instanceof ForgeFault) return error
    const { origin } = new URL(this.#options.url)
    if (error instanceof RequestError) {
      const { response, status } = error
      const message = this.#shown(error.message)
      if (!response)
        return new ForgeFault(
          'forge-unreachable',
          `${origin} does not answer (${message}): check SVC_FORGE_API_URL and the network`,
        )
      if (this.#noteLimit(status, response.headers as Headers)) return this.#limited()
      return statusFault(error.request, status, message)
    }
    // The throttling plugin has the errors in `data`.
    const { data, message, errors = data?.errors } = error as FailedQuery
    if (!Array.isArray(errors)) {
      const reason = this.#shown(message).slice(0, SHOWN)
      return new ForgeFault('forge-unreadable', `an answer of ${origin} cannot be read (${reason}): retrying`)
    }
    if (!isRateLimited(errors)) return queryFault(errors, origin)
    this.#limit.forbid(this.#options.clock.now())
    return this.#limited()
  }
}

interface FailedQuery {
  errors?: QueryError[]
  data?: { errors?: QueryError[] } | null
  message?: string
}

function isHosted(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'api.github.com' || hostname.endsWith('.ghe.com')
}

const extras = ({ signal, onDate }: ForgeCall) => ({ signal, ...(onDate ? { onDate } : {}) })

/** Rejects at the abort: a plugin may be in an interval that it does not abort. */
async function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let stop = () => undefined as void
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
  })
  return Promise.race([work(), aborted]).finally(() => signal.removeEventListener('abort', stop))
}

/** The subset of RFC 8288 that forges use. */
function nextPage(link: string | undefined): string | null {
  return /<([^<>]+)>\s*;[^,<]*\brel="?next"?/.exec(link ?? '')?.[1] ?? null
}
