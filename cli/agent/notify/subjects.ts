// What the verbs on notifications are about, as it is named on the command line.
import { typed } from '../../command-line.ts'
import type { Notification } from '../../../schemas/notify/notification.ts'
import { notifyOperations } from '../../../schemas/operations/notify.ts'
import { connect } from '../../http-client.ts'
import { byId } from '../../lookup.ts'
import type { Subject } from '../../verb.ts'

export const aNotification: Subject<Pick<Notification, 'id'>> = {
  shown: '<notification>',
  help: 'id, or its first characters',
  find: (word, options) =>
    byId(word, () => connect(notifyOperations, options).listNotifications(), {
      title: 'notification',
      list: typed`agent notify list`,
    }),
}

export const aDelivery: Subject<{ id: string }> = {
  shown: '<delivery>',
  help: 'id, or its first characters',
  find: (word, options) =>
    byId(word, () => connect(notifyOperations, options).listDeliveries(), {
      title: 'delivery',
      list: typed`agent notify deliveries`,
    }),
}
