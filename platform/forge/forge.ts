import { request } from '@octokit/request'
import { RequestError } from '@octokit/request-error'
import { inPieces } from '../async/time-slices.ts'
import type { Clock } from '../core/clock.ts'
import { parsedJson } from '../json/sliced-parse.ts'
import { readText } from './response-body.ts'
import { freeAfter } from './rate-limits.ts'

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

export class ForgeFault extends Error {
  override readonly name = 'ForgeFault'
}

export interface ForgeOptions {
  /** `https://api.github.com` */
  url: string
  /** Sent only to `url`. */
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

  /** Time until which the rate limit forbids requests, in milliseconds since 1970. */
  get freeAt(): number {
    return this.#freeAt
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

  /** Returns null if the ETag still matches. Throws ForgeFault, or the signal's reason. */
  async page(url: string, etag: string | null, signal: AbortSignal): Promise<ForgePage | null> {
    this.#waitForLimit()
    this.#checkAddress(url)
    try {
      const { headers, data } = await this.#get(url, etag, signal)
      this.#noteLimit(200, headers)
      const next = nextPage(headers.link)
      const items = await inPieces(parsedJson(await readText(data, MOST_BYTES)))
      // The ETag of a full last page does not cover a later page.
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
    const raise = this.#options.token === null ? '; set a token (SVC_FORGE_TOKEN) for a higher limit' : ''
    return new ForgeFault(`forge rate limit reached: retrying at ${until}${raise}`)
  }

  /** A response must not redirect the token to another origin. */
  #checkAddress(url: string): void {
    if (URL.canParse(url) && new URL(url).origin === new URL(this.#options.url).origin) return
    throw new ForgeFault(
      `the forge returned a next page outside ${this.#options.url}, which was not requested: check SVC_FORGE_API_URL`,
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
      return new ForgeFault(`GET ${pathname} of ${origin} cannot be read (${message}): retrying`)
    }
    const { response, status } = error
    if (!response)
      return new ForgeFault(`${origin} does not answer (${error.message}): check SVC_FORGE_API_URL and the network`)
    if (this.#noteLimit(status, response.headers as Answer['headers'])) return this.#limited()
    return new ForgeFault(`GET ${pathname} of ${origin} answered ${status} (${error.message}): ${remedyFor(status)}`)
  }
}

interface Answer {
  headers: Readonly<Record<string, string | undefined>>
  data: ReadableStream<Uint8Array> | null
}

const ACCESS = 'set SVC_FORGE_TOKEN to a token that may read the repository'

function remedyFor(status: number): string {
  if (status === 401 || status === 403) return ACCESS
  if (status === 404) return `check owner and repo, or ${ACCESS}`
  return 'retrying'
}

/** The subset of RFC 8288 that forges use. */
function nextPage(link: string | undefined): string | null {
  return /<([^<>]+)>\s*;[^,<]*\brel="?next"?/.exec(link ?? '')?.[1] ?? null
}

/** Reads only the start of error bodies. */
const withShortErrors: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (response.status < 400) return response
  const { status, headers } = response
  return new Response(await readText(response.body, SHOWN_OF_ERROR, 'cut'), { status, headers })
}
