// HTTP side of the fake GitHub: token, limits, conditional requests and failures.
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Failure, RecordedRequest } from './faults.ts'
import { GraphQl } from './graphql.ts'
import { refusal, Rest, type Answer } from './rest.ts'
import type { GitHubState } from './state.ts'

const BASE = '/api/v3'
const GRAPHQL = '/api/graphql'

export class Requests {
  readonly #github: GitHubState
  readonly #rest: Rest
  readonly #graphql: GraphQl

  constructor(github: GitHubState) {
    this.#github = github
    this.#rest = new Rest(github)
    this.#graphql = new GraphQl(github)
  }

  async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await recordOf(incoming)
    const github = this.#github
    github.requests.push(request)
    const failure = github.faults.of(request)
    if (failure === 'down') return void incoming.socket.destroy()
    if (failure === 'late') return
    try {
      const answer = withFailure(failure, request) ?? (await this.#answer(request))
      if (failure === 'silent') return
      if (failure === 'lost') return void incoming.socket.destroy()
      this.#send(request, response, failing(failure, answer))
    } catch (error) {
      this.#send(request, response, refusal(500, `the fake GitHub failed: ${String(error)}`))
    }
  }

  async #answer(request: RecordedRequest): Promise<Answer> {
    const { token, limit } = this.#github
    if (request.headers.authorization !== `Bearer ${token}` && request.headers.authorization !== `token ${token}`)
      return refusal(401, 'Bad credentials')
    const isGraphQl = request.path === '/graphql'
    if (limit.remaining <= 0) return isGraphQl ? limitedQuery() : refusal(403, 'API rate limit exceeded for user ID 1.')
    this.#github.sync()
    return isGraphQl ? this.#graphql.answer(request.body ?? {}) : this.#rest.answer(request)
  }

  #send(
    request: RecordedRequest,
    response: ServerResponse,
    { status, headers = {}, body, isUndated = false }: Answer,
  ): void {
    const { limit, now } = this.#github
    const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
    const etag = `W/"${createHash('sha256').update(text).digest('hex')}"`
    const isUnchanged = request.method === 'GET' && status === 200 && request.headers['if-none-match'] === etag
    request.status = isUnchanged ? 304 : status
    if (status < 400 && !isUnchanged && limit.remaining > 0) limit.remaining--
    response.sendDate = false
    response.writeHead(request.status, {
      ...(isUndated ? {} : { date: new Date(now).toUTCString() }),
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': String(limit.remaining),
      'x-ratelimit-reset': String(Math.floor(limit.reset)),
      ...(request.method === 'GET' && status === 200 ? { etag } : {}),
      ...headers,
    })
    response.end(isUnchanged || status === 204 ? undefined : text)
  }
}

async function recordOf(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { pathname, searchParams: query } = new URL(incoming.url!, 'http://forge.example')
  const path = pathname === GRAPHQL ? '/graphql' : pathname.startsWith(BASE) ? pathname.slice(BASE.length) : pathname
  const text = Buffer.concat(chunks).toString()
  const body = text === '' ? null : (JSON.parse(text) as Record<string, unknown>)
  return { method: incoming.method!, path, query, headers: incoming.headers, body, status: null }
}

function forbiddenQuery(): Answer {
  const error = { type: 'FORBIDDEN', path: ['repository', 'pullRequest'], message: 'Resource not accessible' }
  return { status: 200, body: { data: { repository: { pullRequest: null } }, errors: [error] } }
}

const SPENT = { 'x-ratelimit-remaining': '0' }

function limitedQuery(): Answer {
  return {
    status: 200,
    headers: SPENT,
    body: { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] },
  }
}

/** Answers that replace the effect of the request. */
function withFailure(failure: Failure | null, { path }: RecordedRequest): Answer | null {
  if (typeof failure === 'number') return refusal(failure, `failure ${failure}`)
  if (failure === 'nonsense') return { status: 200, body: '{"data":' }
  if (failure === 'forbidden') return forbiddenQuery()
  if (failure === 'secondary')
    return refusal(429, 'You have exceeded a secondary rate limit.', { 'retry-after': '120' })
  if (failure !== 'limited') return null
  return path === '/graphql' ? limitedQuery() : refusal(403, 'API rate limit exceeded for user ID 1.', SPENT)
}

/** Changes of an answer. */
function failing(failure: Failure | null, answer: Answer): Answer {
  if (failure === 'no-date') return { ...answer, isUndated: true }
  const body = answer.body as { data?: unknown }
  if (failure === 'errors') {
    const error = { message: 'a part of the answer timed out', path: ['repository'] }
    return { ...answer, body: { ...body, errors: [error] } }
  }
  const page = failure === 'null-node' || failure === 'no-cursor' ? firstPage(body.data) : null
  if (page && failure === 'null-node') page.nodes[0] = null
  if (page && failure === 'no-cursor') page.pageInfo = { ...page.pageInfo, hasNextPage: true, endCursor: null }
  return answer
}

interface Page {
  nodes: unknown[]
  pageInfo: object
}

function firstPage(value: unknown): Page | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  if ('nodes' in value && 'pageInfo' in value) return value as Page
  for (const member of Object.values(value)) {
    const page = firstPage(member)
    if (page) return page
  }
  return null
}
