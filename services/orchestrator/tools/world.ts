// Tools: answers the tool requests of agents by their policies, and holds those that a person decides.
import type { World } from '../../../platform/service/world.ts'
import type { StreamHub } from '../events/streams.ts'
import type { Sessions } from '../session/sessions.ts'
import type { settings } from '../settings.ts'

/** Knows which policy is in force, and where the tools of an agent work. */
export interface Judging extends Pick<World, 'config'> {
  sessions: Sessions
}

export interface ToolsWorld extends Judging, Pick<World<typeof settings>, 'settings' | 'mux'> {
  streams: StreamHub
  readonly stopping: AbortSignal
}
