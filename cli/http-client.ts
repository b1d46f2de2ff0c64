// The commands' way to the daemon: JSON over HTTP, with errors in words a person can act on.
import type { ServiceName } from '../platform/config.ts'
import type { ProblemBody } from '../schemas/problem.ts'
import { addressOf, type Address } from './address.ts'
import { Failure } from './failure.ts'
import { actor, variable } from './settings.ts'

export interface Client {
  readonly base: string
  get<T>(path: string): Promise<T>
  post<T>(path: string, body?: unknown): Promise<T>
  put<T>(path: string, body?: unknown): Promise<T>
  patch<T>(path: string, body?: unknown): Promise<T>
  delete<T>(path: string, body?: unknown): Promise<T>
  /** Each line of a newline-delimited JSON answer as it comes. */
  lines<T>(method: string, path: string, body?: unknown): AsyncGenerator<T>
  /** Each event of a server-sent event stream, until `signal`. */
  events<T>(path: string, signal: AbortSignal): AsyncGenerator<T>
  /** The same address for a WebSocket. */
  socketUrl(path: string): string
  headers(): Record<string, string>
}

export interface ClientOptions {
  url?: string
  /** Longest wait for an answer; default 60 s. Streams have none. */
  timeoutMs?: number
}

export function connect(service: ServiceName, options: ClientOptions = {}): Client {
  const address = addressOf(service, options.url)
  const timeoutMs = options.timeoutMs ?? 60_000
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await request(address, method, path, body, AbortSignal.timeout(timeoutMs))
    return (await parsed(response, `${method} ${path}`)) as T
  }
  return {
    base: address.base,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    patch: (path, body) => call('PATCH', path, body),
    delete: (path, body) => call('DELETE', path, body),
    lines: (method, path, body) => jsonLines(address, method, path, body),
    events: (path, signal) => serverEvents(address, path, signal),
    socketUrl: (path) => address.base.replace(/^http/, 'ws') + path,
    headers,
  }
}

/** Path segment from a name or an id. */
export const segment = (text: string): string => encodeURIComponent(text)

function headers(): Record<string, string> {
  const token = variable('SVC_TOKEN')
  const name = actor()
  // A header carries ASCII only.
  return {
    'X-Svc-Actor': /^[\x20-\x7e]+$/.test(name) ? name : encodeURIComponent(name),
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  }
}

async function request(
  address: Address,
  method: string,
  path: string,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<Response> {
  let response: Response
  try {
    response = await fetch(address.base + path, {
      method,
      headers: {
        Accept: 'application/json',
        ...headers(),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    })
  } catch (error) {
    throw unreachable(address, error)
  }
  if (!response.ok) throw await refusal(response, `${method} ${path}`)
  return response
}

async function parsed(response: Response, where: string): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure(`the answer is not JSON: ${text.slice(0, 80)}`, {
      where,
      hint: 'is it a daemon of this program that listens there? Check --url',
    })
  }
}

/** Nobody answers: says where it looked and how to start one. */
export function unreachable(address: Address, error: unknown): Failure {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new Failure(`the daemon at ${address.base} did not answer in time`, {
      hint: 'look at its log, or try again',
      cause: error,
    })
  }
  const code = cause?.code ?? ''
  const reason = ['', 'ECONNREFUSED'].includes(code) ? '' : `: ${code}`
  return new Failure(`no daemon answers at ${address.base}${reason}`, {
    where: `address from ${address.from}`,
    hint: 'start one with "svc serve --manifests DIR" (or npm start), or name another with --url',
    cause: error,
  })
}

const HINTS: Record<number, string> = {
  401: 'set SVC_TOKEN to a token of this daemon',
  403: 'ask with a token or an actor (SVC_ACTOR) that may do this',
  404: 'look the name or id up with list-agents, list-workflows or "svc get"',
  409: 'look at the present state, then try again',
  413: 'send less at once',
  421: 'use the name the daemon answers to, such as 127.0.0.1',
  500: 'look at the log of the daemon for the request id',
  503: 'try again in a moment',
}

/** A problem+json answer as a failure. */
export async function refusal(response: Response, where: string): Promise<Failure> {
  const text = await response.text().catch(() => '')
  let problem: Partial<ProblemBody> = {}
  try {
    problem = JSON.parse(text) as Partial<ProblemBody>
  } catch {
    problem = { detail: text.slice(0, 200) }
  }
  return problemFailure({ ...problem, status: response.status }, where, response.statusText)
}

export function problemFailure(problem: Partial<ProblemBody>, where: string, fallback = 'the daemon refused'): Failure {
  const status = problem.status ?? 500
  const fields = (problem.errors ?? [])
    .filter((entry) => !problem.detail?.includes(entry.message))
    .map((entry) => `\n  ${entry.path}: ${entry.message}`)
  const request = status === 500 && problem.request_id ? `, request ${problem.request_id}` : ''
  return new Failure(`${problem.detail || problem.title || fallback}${fields.join('')}`, {
    where: `${where}: ${status}${request}`,
    hint: HINTS[status],
    exit: status === 409 ? 'conflict' : 'error',
    status,
  })
}

async function* textLines(response: Response): AsyncGenerator<string> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    yield* lines
  }
  if (rest !== '') yield rest
}

async function* jsonLines<T>(address: Address, method: string, path: string, body: unknown): AsyncGenerator<T> {
  const response = await request(address, method, path, body, undefined)
  try {
    for await (const line of textLines(response)) {
      if (line.trim() === '') continue
      const value: unknown = JSON.parse(line)
      const problem = (
        (value as { type?: string }).type === 'error' ? (value as { problem: unknown }).problem : value
      ) as Partial<ProblemBody>
      if (typeof problem.status === 'number' && typeof problem.title === 'string')
        throw problemFailure(problem, `${method} ${path}`)
      yield value as T
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('the daemon broke its answer off', {
      where: `${method} ${path}`,
      hint: 'see "svc history" for how far it came',
      cause: error,
    })
  }
}

async function* serverEvents<T>(address: Address, path: string, signal: AbortSignal): AsyncGenerator<T> {
  try {
    const response = await request(address, 'GET', path, undefined, signal)
    for await (const line of textLines(response)) if (line.startsWith('data:')) yield JSON.parse(line.slice(5)) as T
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
