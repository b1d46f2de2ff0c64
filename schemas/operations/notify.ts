import * as Type from 'typebox'
import {
  Notification,
  NotificationCount,
  NotificationInput,
  NotificationUpdate,
  NOTIFICATION_STATUSES,
} from '../notify/notification.ts'
import { Delivery, DELIVERY_STATUSES, Sink, SinkTest } from '../notify/sinks.ts'
import { list, one, operation, operations, socket } from './operation.ts'
import { filterText, Id } from './parameters.ts'

export const createNotification = operation('notify.createNotification', 'POST /notifications', {
  summary: 'Create a notification',
  guard: 'none',
  body: NotificationInput,
  reply: { 201: Notification },
  errors: [429],
})

export const listNotifications = list('notify.listNotifications', '/notifications', {
  identity: 'none',
  summary: 'List notifications, newest first',
  query: Type.Object({ status: Type.Optional(Type.Enum([...NOTIFICATION_STATUSES])) }),
  item: Notification,
  cursors: {},
})

export const listActionable = list('notify.listActionable', '/notifications/actionable', {
  identity: 'none',
  summary: 'List open notifications, most urgent first',
  item: Notification,
})

export const listHistory = list('notify.listHistory', '/notifications/history', {
  identity: 'none',
  summary: 'List dismissed, answered and expired notifications',
  item: Notification,
  cursors: {},
})

export const countNotifications = operation('notify.countNotifications', 'GET /notifications/count', {
  identity: 'none',
  summary: 'Count notifications by status',
  reply: { 200: NotificationCount },
})

export const getNotification = one('notify.getNotification', '/notifications/:id', {
  identity: 'none',
  summary: 'Show a notification',
  params: Id,
  item: Notification,
})

export const updateNotification = operation('notify.updateNotification', 'PUT /notifications/:id', {
  summary: 'Update the status of a notification or answer it',
  guard: 'none',
  params: Id,
  body: NotificationUpdate,
  reply: { 200: Notification },
  errors: [404, 409],
})

export const deleteNotification = operation('notify.deleteNotification', 'DELETE /notifications/:id', {
  summary: 'Delete a notification',
  guard: 'none',
  params: Id,
  reply: { 204: null },
  errors: [404],
})

export const listSinks = list('notify.listSinks', '/sinks', {
  identity: 'none',
  summary: 'List the configured sinks, without their secrets',
  item: Sink,
})

export const testSink = operation('notify.testSink', 'POST /sinks/:name/test', {
  summary: 'Send a test notification to a sink now',
  guard: 'none',
  params: Type.Object({ name: Type.String({ examples: ['phone'] }) }),
  reply: { 200: SinkTest },
  errors: [404, 409],
})

export const listDeliveries = list('notify.listDeliveries', '/deliveries', {
  identity: 'none',
  summary: 'List deliveries to sinks, newest first',
  query: Type.Object({
    status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])),
    sink: filterText('Name of a sink'),
  }),
  item: Delivery,
  cursors: {},
})

export const retryDelivery = operation('notify.retryDelivery', 'POST /deliveries/:id/retry', {
  summary: 'Retry a delivery now',
  guard: 'none',
  params: Id,
  reply: { 200: Delivery },
  errors: [404, 409],
})

export const streamNotifications = socket('notify.streamNotifications', '/stream', {
  identity: 'caller',
  ownUser: true,
  summary: 'Stream new and changed notifications (WebSocket)',
  sends: Notification,
})

export const notifyOperations = operations(
  { service: 'notify', port: 17004 },
  {
    createNotification,
    listNotifications,
    listActionable,
    listHistory,
    countNotifications,
    getNotification,
    updateNotification,
    deleteNotification,
    listSinks,
    testSink,
    listDeliveries,
    retryDelivery,
    streamNotifications,
  },
)
