// What giving work to agents leans on beside their sessions.
import type { World } from '../../../platform/service/world.ts'
import type { DispatchStoreWorld } from '../record/dispatch-store.ts'
import type { SessionWorld } from '../session/world.ts'
import type { settings } from '../settings.ts'

export interface DispatchWorld extends SessionWorld, DispatchStoreWorld, Pick<World<typeof settings>, 'settings'> {
  /** While somebody waits to stop the daemon no more work is taken, until then in milliseconds since 1970. */
  drainingUntil: number | null
}
