// What tool requests lean on beside the sessions of the agents that ask.
import type { World } from '../../../platform/service/world.ts'
import type { SessionWorld } from '../session/world.ts'
import type { settings } from '../settings.ts'

export interface ToolsWorld extends SessionWorld, Pick<World<typeof settings>, 'settings' | 'config' | 'mux'> {}
