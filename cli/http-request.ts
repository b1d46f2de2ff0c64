// Uses node:http, because fetch takes longer to load than most commands run.
import http, { STATUS_CODES, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Answer } from '../platform/http/client.ts'

export interface HttpRequest {
  method: string
  headers: Readonly<Record<string, string>>
  body?: string | undefined
  signal: AbortSignal
}

export interface HttpAnswer extends Answer {
  ok: boolean
  reason: string
  /** Redirects are not followed: the token must not leak to another host. */
  location: string | undefined
}

/** Resolves with the response head; rejects with the reason of `signal` or the connection error. */
export async function sendRequest(url: string, { method, headers, body, signal }: HttpRequest): Promise<HttpAnswer> {
  const { request } = url.startsWith('https:') ? await import('node:https') : http
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
    const sent = request(url, { method, headers: { ...headers, ...length }, signal })
    sent.on('response', resolve).on('error', reject).end(body)
  }).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error
  })
  const status = message.statusCode!
  return {
    status,
    ok: status >= 200 && status < 300,
    reason: message.statusMessage || STATUS_CODES[status] || '',
    location: message.headers.location,
    body: message,
    text: () => text(message),
  }
}
