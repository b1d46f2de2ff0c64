// A program of the user's, started for each notification: it has the notification as JSON on its standard input.
import { execa } from 'execa'
import type { Config } from '../../../platform/core/config.ts'
import { sessionEnvironment } from '../../../platform/terminal/tmux.ts'
import type { SinkConfig } from '../../../schemas/notify/sinks.ts'
import type { Send } from './sink.ts'

const LONGEST_WORD = 200

/** Its arguments are those of the configuration, whatever the notification says. */
export function commandSink({ command }: Extract<SinkConfig, { type: 'command' }>, config: Config): Send {
  const [program, ...args] = command as [string, ...string[]]
  return async ({ notification, signal }) => {
    const { title, message, priority, id } = notification
    const told = { ID: id, TITLE: title, MESSAGE: message, PRIORITY: priority }
    const words = Object.entries(told).map(([name, text]) => [`SVC_NOTIFICATION_${name}`, text.replaceAll('\0', '')])
    const result = await execa(program, args, {
      env: { ...sessionEnvironment(config.env), ...Object.fromEntries(words) },
      extendEnv: false,
      input: JSON.stringify(notification),
      cancelSignal: signal,
      forceKillAfterDelay: 1000,
      reject: false,
    })
    if (!result.failed) return
    if (result.code === 'ENOENT') throw new Error(`there is no program ${program}: install it, or name its whole path`)
    if (result.isCanceled) throw new Error(`${program} did not end in time`)
    const last = result.stderr.trim().split('\n').at(-1)?.slice(0, LONGEST_WORD)
    throw new Error(`${program} ended with ${result.exitCode ?? result.signal}${last ? `: ${last}` : ''}`)
  }
}
