// A webhook, signed as Standard Webhooks says: id, timestamp and body together, by HMAC-SHA256.
import { createHmac } from 'node:crypto'
import type { SinkConfig } from '../../../schemas/notify/sinks.ts'
import { post } from './post.ts'
import type { Send } from './sending.ts'

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
