// Formats commands so that users can type them: `svc drift` if svc is on the PATH, else `./bin/svc drift`.
import { realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join, relative, resolve, sep } from 'node:path'
import { shellWord } from '../platform/core/shell-word.ts'
import { variable } from './settings.ts'

const PROGRAMS = ['svc', 'agent', 'doc']

/** Working directory at start; `svc serve` leaves it. */
const startedIn = attempt(() => process.cwd())

/** Formats a command with its values quoted for a shell. */
export function typed(words: TemplateStringsArray, ...values: readonly string[]): string {
  return fromHere(words.map((text, at) => text + (at < values.length ? shellWord(values[at]!) : '')).join(''))
}

/** Adds the path to svc, agent and doc in a shell line, if they are not on the PATH. */
export function fromHere(line: string): string {
  return line.replace(
    /(^|[|(] ?)(svc|agent|doc)(?= )/g,
    (_whole, before: string, program: string) => before + prefix() + program,
  )
}

/** Returns true if the shell finds this program by its name. */
export function isOnPath(program: string): boolean {
  const ours = attempt(() => realpathSync(join(folder(), program)))
  // Errors in the environment are reported where it is needed, not in help.
  const found = (attempt(() => variable('PATH')) ?? '')
    .split(delimiter)
    .map((each) => attempt(() => realpathSync(join(each, program))))
    .find((each) => each !== null)
  return ours !== null && found === ours
}

const folder = (): string => dirname(resolve(process.argv[1] ?? ''))

let known: string | undefined

/** Path before the program name; empty if the program is on the PATH. */
function prefix(): string {
  known ??= programFolder()
  return known
}

function programFolder(): string {
  const called = basename(process.argv[1] ?? '')
  if (!PROGRAMS.includes(called) || isOnPath(called)) return ''
  const below = startedIn === null ? '..' : relative(startedIn, folder())
  return shellWord(below.startsWith('..') ? folder() : `.${sep}${below}`).replace(/\/?$/, '/')
}

function attempt<T>(look: () => T): T | null {
  try {
    return look()
  } catch {
    return null
  }
}
