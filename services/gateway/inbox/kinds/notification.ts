import { expiryOf, type Notification } from '../../../../schemas/notify/notification.ts'
import {
  getNotification,
  notifyOperations as group,
  updateNotification,
} from '../../../../schemas/operations/notify.ts'
import { link, named, plain, quoted, type ItemDraft } from '../parts.ts'
import type { Reads } from '../reads.ts'
import type { InboxEntry } from './entry.ts'

/** Questions of the ask service are items of the kind question. */
export const notification: InboxEntry = {
  service: group.service,
  find: async (reads) => {
    const [{ items, isWhole }, asked] = await Promise.all([reads.notifications(), ofQuestions(reads)])
    const others = items.filter(({ id, requires_response }) => requires_response && !asked.has(id))
    return { items: others.map(itemOf), isWhole }
  },
}

/** Not by `source`, which every sender can claim. Without the questions, their notifications are items. */
async function ofQuestions(reads: Reads): Promise<Set<string | null>> {
  const questions = await reads.questions().catch(() => null)
  return new Set(questions?.items.map(({ notification_id }) => notification_id))
}

/** Signed with the owner, because the source is as given by the sender. */
function itemOf({ id, owner, lifetime, title, message, created_at }: Notification): ItemDraft {
  return {
    id: `notification/${id}`,
    deadline: expiryOf(lifetime),
    since: created_at,
    title: [owner === null ? plain('A notification') : named(owner), plain(' asks for an answer')],
    detail: [quoted(title, owner), ...(message === '' ? [] : [plain(': '), quoted(message, owner)])],
    links: [link(group, updateNotification, { params: { id } }), link(group, getNotification, { params: { id } })],
  }
}
