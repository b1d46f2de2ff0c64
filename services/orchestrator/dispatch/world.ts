// What giving work to agents leans on beside their sessions.
import type { World } from '../../../platform/service/world.ts'
import type { DispatchStoreWorld } from '../record/dispatch-store.ts'
import type { SessionWorld } from '../session/world.ts'
import type { settings } from '../settings.ts'
import type { Draining } from './draining.ts'

export interface DispatchWorld extends SessionWorld, DispatchStoreWorld, Pick<World<typeof settings>, 'settings'> {
  draining: Draining
}
