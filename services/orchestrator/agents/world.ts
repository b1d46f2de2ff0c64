// What agents lean on beside the work and the tools that they are given: terminals, and where the daemon is reached.
import type { World } from '../../../platform/service/world.ts'
import type { DispatchWorld } from '../dispatch/world.ts'
import type { ToolsWorld } from '../tools/world.ts'

export interface AgentsWorld extends DispatchWorld, ToolsWorld, Pick<World, 'bridge' | 'address' | 'addressOf'> {}
