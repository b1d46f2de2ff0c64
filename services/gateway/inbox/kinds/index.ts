import type { InboxKind } from '../../../../schemas/gateway/inbox.ts'
import { approval } from './approval.ts'
import { gate } from './gate.ts'
import { confirmation, deletions, deniedSteps, orphan, sync } from './sources.ts'
import type { InboxEntry } from './entry.ts'
import { notification } from './notification.ts'
import { question } from './question.ts'
import { contest, drift } from './resources.ts'

/** One entry per kind. */
export const inboxKinds: Readonly<Record<InboxKind, InboxEntry>> = {
  approval,
  question,
  notification,
  deletions,
  confirmation,
  'denied-steps': deniedSteps,
  sync,
  orphan,
  contest,
  drift,
  gate,
}
