import { createHmac } from 'node:crypto'
import type { Priority } from '../../../schemas/notify/notification.ts'
import type { SinkConfig } from '../../../schemas/notify/sinks.ts'
import type { Send } from './sink.ts'

export function webhookSink({ url, secret }: Extract<SinkConfig, { type: 'webhook' }>): Send {
  const key = secret === undefined ? null : keyOf(secret)
  return async ({ id, notification, now, signal }) => {
    const timestamp = String(Math.floor(now / 1000))
    const body = JSON.stringify({
      type: 'notification.created',
      timestamp: notification.created_at,
      data: notification,
    })
    const signature = key && createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      ...(signature ? { 'webhook-signature': `v1,${signature}` } : {}),
    }
    await post(url, body, headers, signal)
  }
}

/** `whsec_` prefixes a base64 key; other text is the key itself. */
function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)
}

/** 1, the lowest level of ntfy, is not used. */
const LEVELS: Record<Priority, number> = { Low: 2, Normal: 3, High: 4, Critical: 5 }

export function ntfySink({ url, topic, token }: Extract<SinkConfig, { type: 'ntfy' }>): Send {
  return async ({ notification, signal }) => {
    const { title, message, priority, requires_response } = notification
    const tags = requires_response ? ['question'] : []
    const body = JSON.stringify({ topic, title, message, priority: LEVELS[priority], tags })
    await post(url, body, token === undefined ? {} : { authorization: `Bearer ${token}` }, signal)
  }
}

/** Errors omit URL and body: both may contain secrets. */
async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const { address, authorization } = withoutCredentials(url)
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'svc-notify', ...authorization, ...headers },
    body,
    // Signature and token must not reach another address.
    redirect: 'manual',
    signal,
  }).catch((error: Error & { cause?: { code?: string } }) => {
    if (error.name === 'TimeoutError') throw new Error('the server timed out', { cause: error })
    throw new Error(`server unreachable (${error.cause?.code ?? error.name})`, { cause: error })
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the server returned ${response.status}`)
}

/** `fetch` refuses an address with credentials. */
function withoutCredentials(url: string): { address: URL; authorization: { authorization?: string } } {
  const address = new URL(url)
  const { username, password } = address
  if (username === '' && password === '') return { address, authorization: {} }
  address.username = ''
  address.password = ''
  const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')
  return { address, authorization: { authorization: `Basic ${credentials}` } }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
