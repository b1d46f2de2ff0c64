// ntfy: a push message on a phone.
import type { Priority } from '../../../schemas/notify/notification.ts'
import type { SinkConfig } from '../../../schemas/notify/sinks.ts'
import { post } from './post.ts'
import type { Send } from './sending.ts'

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
