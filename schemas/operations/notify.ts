// What can be asked of the notifications.
import Type from 'typebox'
import {
  Notification,
  NotificationCount,
  NotificationInput,
  NotificationUpdate,
  NOTIFICATION_STATUSES,
} from '../notify/notification.ts'
import { Delivery, DELIVERY_STATUSES } from '../notify/sinks.ts'
import { list, operation, operations, socket } from './operation.ts'
import { filterText, Id } from './parameters.ts'

export const createNotification = operation({
  id: 'notify.createNotification',
  summary: 'Tell somebody something',
  method: 'POST',
  path: '/notifications',
  guard: 'none',
  body: NotificationInput,
  reply: { 201: Notification },
})

export const listNotifications = list({
  id: 'notify.listNotifications',
  summary: 'All notifications, newest first',
  path: '/notifications',
  query: Type.Object({ status: Type.Optional(Type.Enum([...NOTIFICATION_STATUSES])) }),
  item: Notification,
})

export const listActionable = list({
  id: 'notify.listActionable',
  summary: 'Pending or viewed and not expired, the most urgent first',
  path: '/notifications/actionable',
  item: Notification,
})

export const listHistory = list({
  id: 'notify.listHistory',
  summary: 'Dismissed, responded or expired, newest first',
  path: '/notifications/history',
  item: Notification,
})

export const countNotifications = operation({
  id: 'notify.countNotifications',
  summary: 'How many there are, in all and in each status',
  method: 'GET',
  path: '/notifications/count',
  reply: { 200: NotificationCount },
})

export const getNotification = operation({
  id: 'notify.getNotification',
  summary: 'One notification',
  method: 'GET',
  path: '/notifications/:id',
  params: Id,
  reply: { 200: Notification },
  errors: [404],
})

export const updateNotification = operation({
  id: 'notify.updateNotification',
  summary: 'Set its status, or answer it',
  method: 'PUT',
  path: '/notifications/:id',
  guard: 'none',
  params: Id,
  body: NotificationUpdate,
  reply: { 200: Notification },
  errors: [404, 409],
})

export const deleteNotification = operation({
  id: 'notify.deleteNotification',
  summary: 'Delete a notification',
  method: 'DELETE',
  path: '/notifications/:id',
  guard: 'none',
  params: Id,
  reply: { 204: null },
  errors: [404],
})

export const listDeliveries = list({
  id: 'notify.listDeliveries',
  summary: 'What was, and is to be, sent to the sinks, newest first',
  path: '/deliveries',
  query: Type.Object({
    status: Type.Optional(Type.Enum([...DELIVERY_STATUSES])),
    sink: filterText('Name of a sink'),
  }),
  item: Delivery,
})

export const retryDelivery = operation({
  id: 'notify.retryDelivery',
  summary: 'Try a delivery again, now',
  method: 'POST',
  path: '/deliveries/:id/retry',
  guard: 'none',
  params: Id,
  reply: { 200: Delivery },
  errors: [404, 409],
})

export const streamNotifications = socket({
  id: 'notify.streamNotifications',
  summary: 'Each new or changed notification, as a WebSocket of newline-delimited JSON',
  path: '/stream',
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
    listDeliveries,
    retryDelivery,
    streamNotifications,
  },
)
