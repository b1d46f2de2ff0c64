// Sinks that send a POST: webhooks, signed as Standard Webhooks defines (HMAC-SHA256), and ntfy, for phones.
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

/** `whsec_` and base64; any other text is its own key. */
function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)
}

/** Of the five of ntfy; 1 is for what nobody needs to see. */
const LEVELS: Record<Priority, number> = { Low: 2, Normal: 3, High: 4, Critical: 5 }

export function ntfySink({ url, topic, token }: Extract<SinkConfig, { type: 'ntfy' }>): Send {
  return async ({ notification, signal }) => {
    const { title, message, priority, requires_response } = notification
    const tags = requires_response ? ['question'] : []
    const body = JSON.stringify({ topic, title, message, priority: LEVELS[priority], tags })
    await post(url, body, token === undefined ? {} : { authorization: `Bearer ${token}` }, signal)
  }
}

/** Throws when it was not taken; the message shows neither the address nor what was sent, both may hold secrets. */
async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'svc-notify', ...headers },
    body,
    // What was signed for one address is not told to another.
    redirect: 'manual',
    signal,
  }).catch((error: Error & { cause?: { code?: string } }) => {
    if (error.name === 'TimeoutError') throw new Error('the server did not answer in time', { cause: error })
    throw new Error(`the server cannot be reached (${error.cause?.code ?? error.name})`, { cause: error })
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
}
