import type { TranscriptEntry } from '../../../../schemas/agent/transcript.ts'
import type { InboxItem } from '../../../../schemas/gateway/inbox.ts'

/**
 * Inbox items of the requests in a conversation that are still pending, the earliest deadline first. An entry has the
 * status of when it was read, so the inbox decides.
 */
export function pendingRequests(entries: readonly TranscriptEntry[], inbox: readonly InboxItem[]): InboxItem[] {
  const ids = new Set<string>()
  for (const entry of entries)
    if (entry.type === 'approval' && entry.status === 'pending') ids.add(`approval/${entry.approval_id}`)
  const time = ({ deadline }: InboxItem) => (deadline === null ? Infinity : Date.parse(deadline))
  return inbox.filter(({ id }) => ids.has(id)).toSorted((a, b) => time(a) - time(b))
}

/** Id of the approval of an inbox item. */
export const approvalId = ({ id }: Pick<InboxItem, 'id'>): string => id.slice('approval/'.length)
