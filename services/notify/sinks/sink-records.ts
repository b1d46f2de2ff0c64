import type { Sink, SinkConfig } from '../../../schemas/notify/sinks.ts'
import { TIMEOUT_SECS } from './channels.ts'

/** A sink as clients may see it: arguments, paths and topics can be secrets. */
export function sinkRecord(sink: SinkConfig, waiting: number): Sink {
  const { name, type, min_priority = 'Low', timeout_secs = TIMEOUT_SECS } = sink
  const target = sink.type === 'command' ? sink.command[0]! : new URL(sink.url).origin
  return { name, type, target, min_priority, timeout_secs, waiting }
}
