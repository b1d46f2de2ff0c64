import type { FastifyInstance } from 'fastify'
import { implement } from '../../platform/http/implement.ts'
import { cursorOf } from '../../platform/http/lists.ts'
import { showInbox } from '../../schemas/operations/gateway/inbox.ts'
import type { Gateway } from '../../services/gateway/face.ts'

export function inboxRoutes(app: FastifyInstance, { inbox }: Pick<Gateway, 'inbox'>): void {
  implement(app, showInbox, ({ query: { kind, ...page } }) => {
    const asked = cursorOf(page.before === undefined ? { after: '', ...page } : page)!
    return inbox.show({ kind }, asked)
  })
}
