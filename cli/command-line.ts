// Commands that are told to people, as they are typed where this one was: `svc drift` where the shell finds it by that
// name, `./bin/svc drift` in a clone.
import { realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join, relative, resolve, sep } from 'node:path'
import { variable } from './settings.ts'

const PROGRAMS = ['svc', 'agent', 'doc']

/** Where this command was typed; `svc serve` leaves it. */
const startedIn = attempt(() => process.cwd())

/** A command with its values, each of them one word of a shell. */
export function typed(words: TemplateStringsArray, ...values: readonly string[]): string {
  return fromHere(words.map((text, at) => text + (at < values.length ? quoted(values[at]!) : '')).join(''))
}

/** A line for a shell, its programs of ours as they are called here. */
export function fromHere(line: string): string {
  return line.replace(
    /(^|[|(] ?)(svc|agent|doc)(?= )/g,
    (_whole, before: string, program: string) => before + prefix() + program,
  )
}

/** A word that a shell takes as it stands, or in quotes what it would take as more. */
export const quoted = (word: string): string =>
  /^[\w./=:@+,%-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** True where a shell finds this very program by its name. */
export function isOnPath(program: string): boolean {
  const ours = attempt(() => realpathSync(join(folder(), program)))
  // What cannot be read of the environment is told where it is needed, not where help is.
  const found = (attempt(() => variable('PATH')) ?? '')
    .split(delimiter)
    .map((each) => attempt(() => realpathSync(join(each, program))))
    .find((each) => each !== null)
  return ours !== null && found === ours
}

const folder = (): string => dirname(resolve(process.argv[1] ?? ''))

let known: string | undefined

/** What stands before the name of a program: nothing where a shell finds it by that. */
function prefix(): string {
  known ??= whereItStands()
  return known
}

function whereItStands(): string {
  const called = basename(process.argv[1] ?? '')
  if (!PROGRAMS.includes(called) || isOnPath(called)) return ''
  const below = startedIn === null ? '..' : relative(startedIn, folder())
  return quoted(below.startsWith('..') ? folder() : `.${sep}${below}`).replace(/\/?$/, '/')
}

function attempt<T>(look: () => T): T | null {
  try {
    return look()
  } catch {
    return null
  }
}
