// What the bridge to the rooms leans on beside the room that gives work to agents.
import type { World } from '../../../platform/service/world.ts'
import type { DispatchWorld } from '../dispatch/world.ts'

export interface RoomsWorld extends DispatchWorld, Pick<World, 'config' | 'call' | 'addressOf'> {}
