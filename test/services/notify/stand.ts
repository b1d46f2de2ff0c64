// The notification service with a test clock.
import { TestClock } from '../../../platform/core/clock.ts'
import { services } from '../../../daemon/services.ts'
import type { NotifyConfig } from '../../../schemas/notify/sinks.ts'
import { ask as askUrl, type Reply } from '../../support/http.ts'
import { startServices, type ServiceStand } from '../../support/services.ts'

export interface NotifyStand extends ServiceStand {
  clock: TestClock
  ask<T = any>(request: string, body?: unknown): Promise<Reply<T>>
}

export async function startNotify(url: string, config: NotifyConfig = {}): Promise<NotifyStand> {
  const clock = new TestClock(Date.UTC(2030, 0, 1, 12))
  const served = services({ sources: [], notify: config }).filter(({ name }) => name === 'notify')
  const stand = await startServices(served, { url, clock })
  return Object.assign(stand, {
    clock,
    ask: (request: string, body?: unknown) => {
      const [method, path] = request.split(' ') as [string, string]
      return askUrl(method, stand.host.urls.notify! + path, body)
    },
  })
}

export const input = {
  source: 'System',
  lifetime: 'Persistent',
  priority: 'Normal',
  title: 'Deployed',
  message: 'Version 1.4 is out',
  requires_response: false,
} as const

/** Expires in `ms` by the test clock; default one hour. */
export const ephemeral = (clock: TestClock, ms = 3_600_000) => ({
  Ephemeral: { expires_at: new Date(clock.now() + ms).toISOString() },
})
