// One request of a command and its answer. Commands live shortly: fetch of the platform takes longer to load than most
// of them to run.
import http, { STATUS_CODES, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Answer } from '../platform/http/client.ts'

export interface HttpRequest {
  method: string
  headers: Readonly<Record<string, string>>
  /** Sent as it is. */
  body?: string | undefined
  signal: AbortSignal
}

export interface HttpAnswer extends Answer {
  ok: boolean
  /** The words beside the status. */
  reason: string
  /** Where a redirect leads. It is not followed: a token must not go where nobody sent it. */
  location: string | undefined
}

/** Resolves with the head of the answer; rejects with the reason of `signal`, or the fault of the connection. */
export async function sendRequest(url: string, { method, headers, body, signal }: HttpRequest): Promise<HttpAnswer> {
  // TLS takes longer to load than a command.
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
