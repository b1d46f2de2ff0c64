import type { Whoami } from '../../schemas/gateway/session.ts'
import type { OperationGroup } from '../../schemas/operations/operation.ts'
import type { Actor } from '../../platform/core/actor.ts'
import type { Inbox } from './inbox/inbox.ts'
import type { Live } from './live/live.ts'
import type { Sessions } from './session/sessions.ts'

export interface Gateway {
  whoami(actor: Actor): Promise<Whoami>
  /** Calls an operation of a service in another process, in the name of the current caller. */
  forward(group: OperationGroup, operation: string, input: object): Promise<unknown>
  readonly sessions: Sessions
  readonly inbox: Inbox
  readonly live: Live
}
