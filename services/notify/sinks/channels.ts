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

/** Throws 400 for invalid settings. */
export function channelsOf({ sinks = [], quiet_hours }: NotifyConfig, config: Config, now: () => number): Channel[] {
  return sinks.map((sink) => {
    const send = sendOf(sink, config)
    return {
      name: sink.name,
      timeoutMs: (sink.timeout_secs ?? TIMEOUT_SECS) * 1000,
      deliver: ({ id, payload }, signal) => send({ id, notification: payload as Notification, now: now(), signal }),
      holdUntil: ({ payload }, at) => quietUntil(quiet_hours, (payload as Notification).priority, at),
    }
  })
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
