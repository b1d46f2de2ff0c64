import type { Answer, Outgoing, Transport } from '../../platform/http/client.ts'
import { problemOf, RequestProblem } from './problem.ts'

/** Header of the session key, sent with every request: neither cookie nor key is accepted alone. */
const KEY_HEADER = 'X-Svc-Session-Key'

export interface TransportOptions {
  /** Address of the API without a slash at the end: `/api`, or `/prefix/api`. */
  base: string
  fetch(address: string, request: RequestInit): Promise<Response>
  /** Resolves once an open tab had time to share its key. */
  sessionKey(): Promise<string | null>
  /** Called when the daemon no longer accepts the session. `key`: of the request; null without one. */
  onSignedOut(key: string | null): void
  /** Milliseconds; default 30 s. Streams have none. */
  timeoutMs?: number
}

const TIMEOUT_MS = 30_000

/** Sends requests with the session of the page. Throws a RequestProblem for any failure. */
export function browserTransport(options: TransportOptions): Transport {
  return {
    send: (outgoing) => send(options, outgoing),
    refuse: (problem) => problemOf(500, JSON.stringify(problem), null),
    unreadable: (_text, where) => new RequestProblem(0, 'foreign-answer', `the answer to ${where} is not JSON`),
    brokenOff: (_error, where) => unreachable(where),
  }
}

const unreachable = (where: string) => new RequestProblem(0, 'unreachable', `the daemon did not answer ${where}`)

async function send(options: TransportOptions, outgoing: Outgoing): Promise<Answer> {
  const { method, path, body, headers, endless, signal } = outgoing
  const { base, sessionKey, onSignedOut, timeoutMs = TIMEOUT_MS } = options
  const where = `${method} ${path.split('?')[0]}`
  const key = await sessionKey()
  const limits = [...(endless ? [] : [AbortSignal.timeout(timeoutMs)]), ...(signal ? [signal] : [])]
  const response = await options
    .fetch(base + path, {
      method,
      credentials: 'same-origin',
      redirect: 'error',
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key === null ? {} : { [KEY_HEADER]: key }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any(limits),
    })
    .catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw unreachable(where)
    })
  const text = () =>
    response.text().catch(() => {
      throw unreachable(where)
    })
  if (response.ok) return { status: response.status, body: response.body, text }
  if (response.status === 401) onSignedOut(key)
  throw problemOf(response.status, await response.text().catch(() => ''), response.headers.get('x-request-id'))
}
