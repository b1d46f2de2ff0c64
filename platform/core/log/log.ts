import { pino, type Logger } from 'pino'
import pretty from 'pino-pretty'
import wrapAnsi from 'wrap-ansi'
import { logText } from './log-text.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'> & { child(facts: Record<string, unknown>): Log }

const LEVELS: Record<string, string> = {
  trace: 'trace',
  debug: 'debug',
  info: 'info',
  warn: 'warn',
  error: 'error',
  off: 'silent',
}

/** Fields redacted by name, even if the value is not a Secret. */
const REDACTED = [
  'req.headers.authorization',
  ...['token', 'secret', 'authorization'].flatMap((name) => [name, `*.${name}`]),
]

/** Writes to stderr by default. An unknown level counts as info. `mask` redacts each line. */
export function createLog(
  options: { level: string; format: 'text' | 'json'; colour?: boolean; mask?: (line: string) => string },
  stream: NodeJS.WritableStream = process.stderr,
): Log {
  const target =
    options.format === 'json'
      ? stream
      : pretty({
          destination: stream as never,
          colorize: options.colour ?? false,
          ignore: 'pid,hostname,name',
          hideObject: true,
          messageFormat: (facts) => fitted(logText(facts), stream as { isTTY?: boolean }),
          translateTime: 'SYS:HH:MM:ss',
        })
  return pino(
    {
      level: LEVELS[options.level] ?? 'info',
      base: null,
      redact: { paths: REDACTED, censor: '***' },
      hooks: options.mask ? { streamWrite: options.mask } : {},
    },
    target as never,
  )
}

/** Width of the time and the level. */
const HEAD = 18

/** Wraps at word boundaries on a terminal. */
function fitted(text: string, { isTTY, columns = 80 }: { isTTY?: boolean; columns?: number }): string {
  return isTTY ? wrapAnsi(text, Math.max(columns - HEAD, 20)).replaceAll('\n', '\n  ') : text
}

const nothing = () => undefined
export const noLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => noLog } as Log
