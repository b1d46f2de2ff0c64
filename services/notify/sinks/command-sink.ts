import { execa } from 'execa'
import type { Config } from '../../../platform/core/config.ts'
import { Masker } from '../../../platform/secrets/masking/masker.ts'
import { sessionEnvironment } from '../../../platform/terminal/tmux.ts'
import type { SinkConfig } from '../../../schemas/notify/sinks.ts'
import type { Send } from './sink.ts'

const LONGEST_WORD = 200

/** Passes the notification as JSON on standard input. */
export function commandSink({ command }: Extract<SinkConfig, { type: 'command' }>, config: Config): Send {
  const [program, ...args] = command as [string, ...string[]]
  // A program may print its arguments, which can be secrets.
  const masker = new Masker(args)
  return async ({ notification, signal }) => {
    const { title, message, priority, id } = notification
    const fields = { ID: id, TITLE: title, MESSAGE: message, PRIORITY: priority }
    const words = Object.entries(fields).map(([name, text]) => [`SVC_NOTIFICATION_${name}`, text.replaceAll('\0', '')])
    const result = await execa(program, args, {
      env: { ...sessionEnvironment(config.env), ...Object.fromEntries(words) },
      extendEnv: false,
      input: JSON.stringify(notification),
      cancelSignal: signal,
      forceKillAfterDelay: 1000,
      reject: false,
    })
    if (!result.failed) return
    if (result.code === 'ENOENT') throw new Error(`program ${program} not found: install it, or use its full path`)
    if (result.isCanceled) throw new Error(`${program} timed out`)
    const last = masker.mask(result.stderr).trim().split('\n').at(-1)?.slice(0, LONGEST_WORD)
    throw new Error(`${program} exited with ${result.exitCode ?? result.signal}${last ? `: ${last}` : ''}`)
  }
}
