// Environment of the commands.
import { userInfo } from 'node:os'
import { readConfig, type Config } from '../platform/core/config.ts'

let read: Config | undefined

/** Cached. Throws a Problem that names every invalid variable. */
export function config(): Config {
  read ??= readConfig()
  return read
}

export const variable = (name: string): string | undefined => config().env[name] || undefined

/** Name that writes are recorded under: SVC_ACTOR, else the user. */
export function actor(): string {
  return variable('SVC_ACTOR') ?? userName()
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}` // a uid without a passwd entry, as in some containers
  }
}

/** NO_COLOR (any value) wins; FORCE_COLOR enables colours in a pipe. */
export function colourOn(stream: { isTTY?: boolean }): boolean {
  if (variable('NO_COLOR') !== undefined || variable('TERM') === 'dumb') return false
  const forced = variable('FORCE_COLOR')
  return forced === undefined ? stream.isTTY === true : forced !== '0'
}

/** Terminal columns; Infinity in a pipe, where nothing is cut. */
export function columns(): number {
  return process.stdout.isTTY ? process.stdout.columns || 80 : Number(variable('COLUMNS')) || Infinity
}
