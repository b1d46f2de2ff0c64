// What the turns of agents lean on: the work that they are given, and the tools that they ask for.
import type { DispatchWorld } from '../dispatch/world.ts'
import type { ToolsWorld } from '../tools/world.ts'

export interface TurnsWorld extends DispatchWorld, ToolsWorld {}
