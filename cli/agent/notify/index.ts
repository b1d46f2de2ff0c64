import { Option } from 'commander'
import type { Notification } from '../../../schemas/notify/notification.ts'
import type { Delivery, Sink } from '../../../schemas/notify/sinks.ts'
import * as operations from '../../../schemas/operations/notify.ts'
import { connect } from '../../http-client.ts'
import { subjectById } from '../../lookup.ts'
import { age, parseDuration } from '../../output/duration.ts'
import { visible } from '../../output/print.ts'
import { renderTable } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { healthVerb } from '../health.ts'
import { verb } from '../../verb.ts'

const group = operations.notifyOperations

const aNotification = subjectById('notification', 'agent notify list', (options) =>
  connect(group, options).listNotifications(),
)
const aDelivery = subjectById('delivery', 'agent notify deliveries', (options) =>
  connect(group, options).listDeliveries(),
)

const notificationLine = ({ id, title, status }: Notification) => `${visible(title)} is ${status} (${id})`

function table(notifications: readonly Notification[]): string {
  return renderTable(
    notifications,
    [
      { title: 'ID', value: ({ id }) => id, kind: 'id' },
      {
        title: 'PRIORITY',
        value: ({ priority }) => priority,
        colour: ({ priority }) => ({ Critical: 'red', High: 'yellow' } as const)[priority as 'Critical' | 'High'],
      },
      { title: 'STATUS', value: ({ status }) => status },
      { title: 'TITLE', value: ({ title }) => title, kind: 'text' },
      { title: 'MESSAGE', value: ({ message }) => message, kind: 'text' },
      {
        title: 'ANSWER',
        value: ({ response, requires_response }) => response ?? (requires_response ? 'expected' : null),
        kind: 'text',
      },
      { title: 'AGO', value: ({ created_at }) => age(created_at), kind: 'time' },
    ],
    'No notifications.',
  )
}

function deliveryTable(deliveries: readonly Delivery[]): string {
  return renderTable(
    deliveries,
    [
      { title: 'ID', value: ({ id }) => id, kind: 'id' },
      { title: 'SINK', value: ({ sink }) => sink },
      {
        title: 'STATUS',
        value: ({ status }) => status,
        colour: ({ status }) => ({ delivered: 'green', failed: 'red' } as const)[status as 'delivered' | 'failed'],
      },
      { title: 'ATTEMPTS', value: ({ attempts }) => attempts },
      { title: 'ERROR', value: ({ error }) => error, kind: 'text' },
      { title: 'NOTIFICATION', value: ({ notification_id }) => notification_id, kind: 'id' },
      { title: 'AGO', value: ({ created_at }) => age(created_at), kind: 'time' },
    ],
    'No deliveries.',
  )
}

function sinkTable(sinks: readonly Sink[]): string {
  return renderTable(
    sinks,
    [
      { title: 'SINK', value: ({ name }) => name },
      { title: 'TYPE', value: ({ type }) => type },
      { title: 'TARGET', value: ({ target }) => target, kind: 'text' },
      { title: 'FROM PRIORITY', value: ({ min_priority }) => min_priority },
      { title: 'WAITING', value: ({ waiting }) => waiting },
    ],
    'No sinks.',
  )
}

/** A verb that only sets the status. */
const setting = (name: string, status: Notification['status'], summary: string): CommandEntry =>
  verb(name, group, operations.updateNotification, {
    summary,
    subject: aNotification,
    without: ['status', 'response'],
    request: (members) => ({ ...members, status }),
    examples: [`agent notify ${name} 1f3c9a2b`],
    done: notificationLine,
  })

const create = verb('create', group, operations.createNotification, {
  args: [
    { member: 'title', shown: '<title>', help: 'Title' },
    { member: 'message', shown: '<message>', help: 'Message text; - reads standard input' },
  ],
  without: ['source', 'lifetime'],
  options: {
    priority: new Option('--priority <priority>', 'Priority')
      .choices(['Low', 'Normal', 'High', 'Critical'])
      .default('Normal'),
    requires_response: new Option('--requires-response', 'Require an answer').default(false),
  },
  more: (command) =>
    command.addOption(
      new Option('--expires-in <time>', 'Expire after this time, such as 30m (default: never)').argParser(
        parseDuration,
      ),
    ),
  request: (members, { options }) => ({
    ...members,
    source: 'System',
    lifetime:
      options.expiresIn === undefined
        ? 'Persistent'
        : { Ephemeral: { expires_at: new Date(Date.now() + options.expiresIn).toISOString() } },
  }),
  examples: [
    'agent notify create "Deployed" "Version 1.4 is out"',
    'agent notify create "Build" "is red" --priority High --expires-in 2h',
  ],
  done: notificationLine,
})

export const notify: readonly CommandEntry[] = [
  verb('list', group, operations.listNotifications, {
    examples: ['agent notify list --status Pending'],
    done: table,
  }),
  verb('actionable', group, operations.listActionable, { examples: ['agent notify actionable'], done: table }),
  verb('history', group, operations.listHistory, { examples: ['agent notify history'], done: table }),
  verb('count', group, operations.countNotifications, {
    examples: ['agent notify count'],
  }),
  verb('get', group, operations.getNotification, {
    subject: aNotification,
    examples: ['agent notify get 1f3c9a2b'],
  }),
  create,
  verb('respond', group, operations.updateNotification, {
    summary: 'Answer a notification',
    subject: aNotification,
    args: [{ member: 'response', shown: '<answer>', help: 'Text of the answer; - reads standard input' }],
    without: ['status'],
    examples: ['agent notify respond 1f3c9a2b yes'],
    done: notificationLine,
  }),
  setting('view', 'Viewed', 'Mark a notification as viewed'),
  setting('dismiss', 'Dismissed', 'Dismiss a notification'),
  verb('delete', group, operations.deleteNotification, {
    subject: aNotification,
    examples: ['agent notify delete 1f3c9a2b'],
    done: (_reply, { subject }) => `notification ${subject.id} deleted`,
  }),
  verb('sinks', group, operations.listSinks, { examples: ['agent notify sinks'], done: sinkTable }),
  verb('test', group, operations.testSink, {
    args: [{ member: 'name', shown: '<sink>', help: 'Name of the sink' }],
    examples: ['agent notify test phone'],
    done: ({ sink, status, error, duration_ms }) =>
      status === 'delivered'
        ? `${sink} accepted the test notification (${duration_ms} ms)`
        : `${sink} did not accept the test notification: ${visible(error ?? '')}`,
    exit: ({ status }) => (status === 'delivered' ? 0 : 1),
  }),
  verb('deliveries', group, operations.listDeliveries, {
    examples: ['agent notify deliveries --status failed'],
    done: deliveryTable,
  }),
  verb('retry', group, operations.retryDelivery, {
    subject: aDelivery,
    examples: ['agent notify retry 1f3c9a2b'],
    done: ({ sink, id }) => `delivery ${id} to ${sink} is queued again`,
  }),
  { name: 'watch', summary: 'Follow new and changed notifications', load: () => import('./watch.ts') },
  healthVerb('notify', group, 'Check the health of the notification service'),
]
