// What the commands take from the environment, in one place: who asks, the token, colours, where daemons are.
import { userInfo } from 'node:os'
import { readConfig, type Config } from '../platform/core/config.ts'

let read: Config | undefined

/** Read once. Throws a Problem that names every ill-formed variable. */
export function config(): Config {
  read ??= readConfig()
  return read
}

export const variable = (name: string): string | undefined => config().env[name] || undefined

/** Whom writes are recorded for: SVC_ACTOR, else the user of this shell. */
export function actor(): string {
  return variable('SVC_ACTOR') ?? userName()
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}` // an id without an entry in the user list, as in some containers
  }
}

/** Colours on a terminal only; NO_COLOR (any value) wins, FORCE_COLOR asks for them in a pipe. */
export function colourOn(stream: { isTTY?: boolean }): boolean {
  if (variable('NO_COLOR') !== undefined || variable('TERM') === 'dumb') return false
  const forced = variable('FORCE_COLOR')
  return forced === undefined ? stream.isTTY === true : forced !== '0'
}

/** Columns to fit, or Infinity in a pipe, where nothing is cut. */
export function columns(): number {
  return process.stdout.isTTY ? process.stdout.columns || 80 : Number(variable('COLUMNS')) || Infinity
}
