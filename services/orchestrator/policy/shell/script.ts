// A shell command as a list of simple commands, with what each is given. A part that is not understood is a fault of
// the whole.
import { parse } from 'unbash'
import type { PathLookups } from '../real-path.ts'
import type { RequestPlace } from '../workplace.ts'
import { NotUnderstood, Walk } from './script-walk.ts'
import type { ShellScript } from './simple-command.ts'

/** Scripts that a request has read: for the directories, and again for the list. */
const kept = new WeakMap<PathLookups, Map<string, ShellScript | string>>()

/** Parses a command; a string says why it cannot be judged. */
export function readScript(source: string, place: RequestPlace): ShellScript | string {
  const scripts = kept.get(place.lookups) ?? new Map<string, ShellScript | string>()
  kept.set(place.lookups, scripts)
  const key = `${place.workingDir}\0${source}`
  const known = scripts.get(key)
  if (known !== undefined) return known
  const script = parseScript(source, place)
  scripts.set(key, script)
  return script
}

function parseScript(source: string, place: RequestPlace): ShellScript | string {
  if (source.includes('\0')) return 'it contains a NUL character'
  try {
    return new Walk(parse(source), source, place).script
  } catch (error) {
    if (error instanceof NotUnderstood) return error.message
    // Nesting deeper than the parser's stack.
    if (error instanceof RangeError) return 'it is nested too deeply'
    throw error
  }
}
