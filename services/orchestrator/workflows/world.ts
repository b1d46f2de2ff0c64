import type { DispatchWorld } from '../dispatch/world.ts'
import type { EventsWorld } from '../events/world.ts'
import type { FiringLog } from '../record/firing-log.ts'
import type { Firings } from '../record/firings.ts'
import type { Sessions } from '../session/sessions.ts'
import type { TriggerDefinition } from './triggers/contract.ts'

export interface WorkflowsWorld extends Pick<EventsWorld, 'feed' | 'dispatches'>, DispatchWorld {
  sessions: Sessions
  firings: Firings
  firingLog: FiringLog
  triggers: readonly TriggerDefinition[]
}
