import * as Type from 'typebox'
import { INBOX_KINDS, InboxReply } from '../../gateway/inbox.ts'
import { operation } from '../operation.ts'
import { cursorMembers, DEFAULT_PAGE, LARGEST_PAGE } from '../page.ts'

export const showInbox = operation('gateway.showInbox', 'GET /inbox', {
  summary: 'List pending decisions of all services',
  guard: 'approve',
  identity: 'caller',
  query: Type.Object({
    kind: Type.Optional(Type.Enum([...INBOX_KINDS], { description: 'Only items of this kind' })),
    limit: Type.Optional(
      Type.Integer({
        description: `Maximum number of items; default ${DEFAULT_PAGE}, clamped to 1 to ${LARGEST_PAGE}`,
      }),
    ),
    ...cursorMembers,
  }),
  reply: { 200: InboxReply },
  tagged: true,
})
