import type { World } from '../../../platform/service/world.ts'
import type { PromptSender } from '../dispatch/prompt-sender.ts'
import type { EventsWorld } from '../events/world.ts'
import type { settings } from '../settings.ts'

export interface RoomsWorld
  extends
    Pick<EventsWorld, 'feed'>,
    Pick<World<typeof settings>, 'settings' | 'config' | 'call' | 'addressOf' | 'serviceToken' | 'refusedCalls'> {
  prompts: PromptSender
  readonly stopping: AbortSignal
}
