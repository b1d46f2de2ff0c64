import type { FastifyInstance } from 'fastify'
import { implement } from '../platform/http/implement.ts'
import * as operations from '../schemas/operations/notify.ts'
import type { Notify } from '../services/notify/face.ts'

export function notifyRoutes(app: FastifyInstance, notify: Notify): void {
  const { records } = notify
  implement(app, operations.createNotification, ({ body }) => notify.create(body))
  implement(app, operations.listNotifications, ({ query, part }) => records.list({ status: query.status }, part))
  implement(app, operations.listActionable, ({ part }) => records.listActionable(part))
  implement(app, operations.listHistory, ({ part }) => records.listHistory(part))
  implement(app, operations.countNotifications, () => records.count())
  implement(app, operations.getNotification, ({ params }) => records.get(params.id))
  implement(app, operations.updateNotification, ({ params, body }) => records.update(params.id, body))
  implement(app, operations.deleteNotification, ({ params }) => records.delete(params.id))
  implement(app, operations.listSinks, () => notify.sinks())
  implement(app, operations.testSink, ({ params }) => notify.testSink(params.name))
  implement(app, operations.listDeliveries, ({ query, part }) =>
    notify.deliveries({ status: query.status, sink: query.sink }, part),
  )
  implement(app, operations.retryDelivery, ({ params }) => notify.retry(params.id))
  implement(app, operations.streamNotifications, {
    open: (socket) => app.streams.frames(socket, (listener) => notify.subscribe(listener)),
  })
}
