// The client of the forge: pages, retries and intervals are those of Octokit's plugins.
import { Octokit } from '@octokit/core'
import { paginateGraphQL } from '@octokit/plugin-paginate-graphql'
import { paginateRest } from '@octokit/plugin-paginate-rest'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import { RequestError } from '@octokit/request-error'
import { inPieces } from '../async/time-slices.ts'
import { parsedJson } from '../json/sliced-parse.ts'
import { ForgeFault, statusFault } from './faults.ts'
import type { Headers } from './rate-limits.ts'
import { readText } from './response-body.ts'

export interface Guard {
  /** Base of the REST API, without a trailing slash. */
  url: string
  token: string | null
  timeoutMs: number
  /** Throws if the rate limit forbids a request now. */
  checkLimit(): void
  /** Receives the answer to each request. */
  noteAnswer(status: number, headers: Headers): void
  noteRequest(): void
}

/** Options of one request, beside those of Octokit. */
export interface RequestExtras {
  onDate?: (date: string | undefined) => void
}

const MOST_BYTES = 32 * 1024 * 1024
/** Bytes of the body of an error. */
const MOST_OF_ERROR = 4096
/** Characters of a body that is longer: its end could be the beginning of a token. */
const SHOWN_OF_ERROR = 1000
const RETRIES = 1
/** Refusals that a retry does not change, beside the default ones: 405, 409, 429. */
const FINAL = [400, 401, 403, 404, 405, 409, 410, 422, 429, 451]
const silent = () => undefined
const SILENT = { debug: silent, info: silent, warn: silent, error: silent }

export type ForgeClient = ReturnType<typeof forgeClient>

/** Starts each job without an interval. */
const UNPACED = { key: () => ({ schedule: async (_job: object, work: () => unknown) => work() }) }

/**
 * `writes`: at least one second between writes, and three between those that notify people, as GitHub asks. `requests`:
 * at most ten requests at a time. `none`: each request is sent at once.
 */
export type Pacing = 'writes' | 'requests' | 'none'

/** Creates a client whose requests carry the token, stay on the origin of `url` and have bounded answers. */
export function forgeClient(guard: Guard, pacing: Pacing) {
  const guarded = (octokit: Octokit) => guardRequests(octokit, guard)
  const Client = Octokit.plugin(guarded, throttling, retry, paginateRest, paginateGraphQL)
  // A run must not sleep until the limit resets: it fails with the time.
  const decline = () => undefined
  const unpaced = pacing === 'writes' ? {} : ({ write: UNPACED, notifications: UNPACED } as object)
  const limits = { id: guard.url, onRateLimit: decline, onSecondaryRateLimit: decline, ...unpaced }
  return new Client({
    baseUrl: guard.url,
    log: SILENT,
    request: { fetch: boundedFetch(guard), log: SILENT, parseSuccessResponseBody: false },
    throttle: { ...limits, enabled: pacing !== 'none' },
    retry: { doNotRetry: FINAL, retries: RETRIES },
  })
}

/** Wraps each attempt. It is registered first: plugins that are registered later see parsed answers. */
function guardRequests(octokit: Octokit, guard: Guard): void {
  octokit.hook.wrap('request', async (request, options) => {
    guard.checkLimit()
    const { url, method } = octokit.request.endpoint(options)
    checkAddress(url, guard.url)
    const headers = {
      ...options.headers,
      accept: 'application/vnd.github+json',
      'user-agent': 'svc',
      'x-github-api-version': '2022-11-28',
      ...(guard.token === null ? {} : { authorization: `Bearer ${guard.token}` }),
    }
    try {
      const response = await request({ ...options, headers })
      guard.noteAnswer(response.status, response.headers as Headers)
      ;(options.request as RequestExtras).onDate?.(response.headers.date)
      if (response.status >= 300) throw statusFault({ url, method }, response.status, 'a redirect')
      const text = await readText((response.data || null) as ReadableStream<Uint8Array> | null, MOST_BYTES)
      const data: unknown = text === '' ? null : await inPieces(parsedJson(redacted(text, guard)))
      return { ...response, data }
    } catch (error) {
      // An unchanged answer does not count against the limit.
      if (error instanceof RequestError && error.response && error.status !== 304)
        guard.noteAnswer(error.status, error.response.headers as Headers)
      throw error
    }
  })
}

/** A response must not direct the token to another origin. */
function checkAddress(url: string, base: string): void {
  if (URL.canParse(url) && new URL(url).origin === new URL(base).origin) return
  throw new ForgeFault(
    'forge-unreadable',
    `the forge returned a next page outside ${base}, which was not requested: check SVC_FORGE_API_URL`,
  )
}

/** Reads only the start of error bodies. A redirect could turn a write into a read: only GET follows. */
function boundedFetch(guard: Guard): typeof fetch {
  return async (input, init = {}) => {
    guard.noteRequest()
    const signals = [...(init.signal ? [init.signal] : []), AbortSignal.timeout(guard.timeoutMs)]
    const redirect = init.method === 'GET' ? 'follow' : 'manual'
    const response = await fetch(input, { ...init, redirect, signal: AbortSignal.any(signals) })
    if (response.status < 400) return response
    const { status, headers } = response
    const text = await readText(response.body, MOST_OF_ERROR, 'cut')
    const shown = redacted(text, guard)
    const isCut = Buffer.byteLength(text) > MOST_OF_ERROR
    return new Response(isCut ? shown.slice(0, SHOWN_OF_ERROR) : shown, { status, headers })
  }
}

/** The forge could repeat the token. */
export function redacted(text: string, { token }: Pick<Guard, 'token'>): string {
  return token === null || token === '' ? text : text.replaceAll(token, '[redacted]')
}
