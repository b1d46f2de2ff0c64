import { createHash } from 'node:crypto'
import type { Config } from '../../../platform/core/config.ts'
import type { Channel } from '../../../platform/store/outbox.ts'
import { PRIORITIES, type Notification } from '../../../schemas/notify/notification.ts'
import type { NotifyConfig, SinkConfig } from '../../../schemas/notify/sinks.ts'
import { quietUntil } from '../quiet-hours.ts'
import { commandSink } from './command-sink.ts'
import type { Send } from './sink.ts'
import { ntfySink, webhookSink } from './http-sinks.ts'

/** Default time-out of an attempt. */
export const TIMEOUT_SECS = 10

/** By name of the sink. Their errors contain no secrets of the sink. */
export const sendersOf = ({ sinks = [] }: NotifyConfig, config: Config): ReadonlyMap<string, Send> =>
  new Map(sinks.map((sink) => [sink.name, sendOf(sink, config)]))

export function channelsOf(
  { sinks = [], quiet_hours }: NotifyConfig,
  senders: ReadonlyMap<string, Send>,
  now: () => number,
): Channel[] {
  return sinks.map(({ name, timeout_secs = TIMEOUT_SECS }) => ({
    name,
    timeoutMs: timeout_secs * 1000,
    deliver: ({ id, payload }, signal) =>
      senders.get(name)!({ id, notification: payload as Notification, now: now(), signal }),
    holdUntil: ({ payload }, at) => quietUntil(quiet_hours, (payload as Notification).priority, at),
  }))
}

function sendOf(sink: SinkConfig, config: Config): Send {
  switch (sink.type) {
    case 'command':
      return commandSink(sink, config)
    case 'webhook':
      return webhookSink(sink)
    case 'ntfy':
      return ntfySink(sink)
  }
}

export const sinksFor = ({ sinks = [] }: NotifyConfig, { priority }: Notification): string[] =>
  sinks
    .filter(({ min_priority = 'Low' }) => PRIORITIES.indexOf(priority) >= PRIORITIES.indexOf(min_priority))
    .map(({ name }) => name)

/** Used to drop duplicates. */
export const digestOf = ({ source, priority, title, message }: Notification): string =>
  createHash('sha256')
    .update(JSON.stringify([source, priority, title, message]))
    .digest('hex')
