// The forge's lists of issues and pull requests, a page at a time: asked by ETag, within the forge's limits, with the
// token that the environment holds.
import { request } from '@octokit/request'
import { RequestError } from '@octokit/request-error'
import { inPieces } from '../async/time-slices.ts'
import type { Clock } from '../core/clock.ts'
import { parsedJson } from '../json/sliced-parse.ts'
import { readText } from './response-body.ts'
import { freeAfter } from './rate-limits.ts'

/** What is asked for. Names are checked by the trigger's schema, and encoded here. */
export interface ForgeList {
  kind: 'issues' | 'pulls'
  owner: string
  repo: string
  state: string
  /** All of which an issue must have; pull requests cannot be asked for by them. */
  labels: readonly string[]
}

export interface ForgePage {
  /** As the forge says them: to be checked. */
  items: unknown
  /** To ask by next time; null where an answer by it would not tell of a page that came after this one. */
  etag: string | null
  /** Address of the page after this one. */
  next: string | null
}

/** What keeps the forge's lists from being read. It says so, and what to do. */
export class ForgeFault extends Error {
  override readonly name = 'ForgeFault'
}

export interface ForgeOptions {
  /** Of its API: `https://api.github.com`. */
  url: string
  /** Sent to that address alone. */
  token: string | null
  clock: Clock
}

const PAGE_SIZE = 50
const TIMEOUT_MS = 30_000
const MOST_BYTES = 32 * 1024 * 1024
const SHOWN_OF_ERROR = 4096

export class Forge {
  readonly #options: ForgeOptions
  #freeAt = 0

  constructor(options: ForgeOptions) {
    this.#options = options
  }

  /** Until then, in milliseconds since 1970, the forge wants to be left alone, and is. */
  get freeAt(): number {
    return this.#freeAt
  }

  /** Address of the first page of a list, the oldest first. */
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

  /** Null where the page is as it was when it had this ETag. Throws ForgeFault; the abort of the signal. */
  async page(url: string, etag: string | null, signal: AbortSignal): Promise<ForgePage | null> {
    this.#waitForLimit()
    this.#checkAddress(url)
    try {
      const { headers, data } = await this.#get(url, etag, signal)
      this.#noteLimit(200, headers)
      const next = nextPage(headers.link)
      const items = await inPieces(parsedJson(await readText(data, MOST_BYTES)))
      // Where a full page is the last one, a page may follow that its own ETag says nothing of.
      const mayGrow = next === null && Array.isArray(items) && items.length >= PAGE_SIZE
      return { items, etag: mayGrow ? null : (headers.etag ?? null), next }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof RequestError && error.status === 304) return null
      throw this.#faultOf(error, url)
    }
  }

  async #get(url: string, etag: string | null, signal: AbortSignal): Promise<Answer> {
    const { token } = this.#options
    const { headers, data } = await request({
      method: 'GET',
      url,
      headers: {
        accept: 'application/vnd.github+json',
        'user-agent': 'svc',
        'x-github-api-version': '2022-11-28',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(etag === null ? {} : { 'if-none-match': etag }),
      },
      request: {
        fetch: withShortErrors,
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        parseSuccessResponseBody: false,
      },
    })
    return { headers: headers as Answer['headers'], data: data as Answer['data'] }
  }

  #waitForLimit(): void {
    if (this.#options.clock.now() < this.#freeAt) throw this.#limited()
  }

  #limited(): ForgeFault {
    const until = new Date(this.#freeAt).toISOString()
    const raise = this.#options.token === null ? '; with a token (SVC_FORGE_TOKEN) it lets more through' : ''
    return new ForgeFault(`the forge's rate limit is reached: it is asked again at ${until}${raise}`)
  }

  /** The token goes where it belongs and nowhere else, whatever an answer names as its next page. */
  #checkAddress(url: string): void {
    if (URL.canParse(url) && new URL(url).origin === new URL(this.#options.url).origin) return
    throw new ForgeFault(
      `the forge names a next page outside of ${this.#options.url}: it is not asked for; check SVC_FORGE_API_URL`,
    )
  }

  #noteLimit(status: number, headers: Answer['headers']): boolean {
    const freeAt = freeAfter(status, headers, this.#options.clock.now())
    this.#freeAt = Math.max(this.#freeAt, freeAt ?? 0)
    return freeAt !== null
  }

  #faultOf(error: unknown, url: string): Error {
    const { origin, pathname } = new URL(url)
    if (!(error instanceof RequestError)) {
      const { message } = error as Error
      return new ForgeFault(`GET ${pathname} of ${origin} cannot be read (${message}): it is asked again`)
    }
    const { response, status } = error
    if (!response)
      return new ForgeFault(`${origin} does not answer (${error.message}): check SVC_FORGE_API_URL and the network`)
    if (this.#noteLimit(status, response.headers as Answer['headers'])) return this.#limited()
    return new ForgeFault(`GET ${pathname} of ${origin} answered ${status} (${error.message}): ${wayOut(status)}`)
  }
}

interface Answer {
  headers: Readonly<Record<string, string | undefined>>
  data: ReadableStream<Uint8Array> | null
}

const ACCESS = 'set SVC_FORGE_TOKEN to a token that may read the repository'

function wayOut(status: number): string {
  if (status === 401 || status === 403) return ACCESS
  if (status === 404) return `check owner and repo, or ${ACCESS}`
  return 'it is asked again'
}

/** RFC 8288, of which forges use this much. */
function nextPage(link: string | undefined): string | null {
  return /<([^<>]+)>\s*;[^,<]*\brel="?next"?/.exec(link ?? '')?.[1] ?? null
}

/** An error's body is shown to people: what goes on beyond that is not read. */
const withShortErrors: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (response.status < 400) return response
  const { status, headers } = response
  return new Response(await readText(response.body, SHOWN_OF_ERROR, 'cut'), { status, headers })
}
