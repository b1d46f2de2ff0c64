// The programs of a shell command, for people who decide on it.
import { PathLookups, TooManyLookups } from './real-path.ts'
import type { Place, RequestPlace } from './workplace.ts'
import { DEEPEST } from './shell/command-patterns.ts'
import { nestedIn } from './shell/programs/nesting.ts'
import { readScript } from './shell/script.ts'
import { commandOf, type SimpleCommand } from './shell/simple-command.ts'

/** Of a program that is unknown until the command runs. */
const UNKNOWN = null
type Names = (string | null)[]

/**
 * Programs in the order of the command, each once, with those that others run. Null if the command cannot be parsed.
 * `source`: at most the size that a policy judges.
 */
export function programNames(source: string, place: Place): Names | null {
  const request = { ...place, lookups: new PathLookups() }
  try {
    if (typeof readScript(source, request) === 'string') return null
    return [...new Set(namesInScript(source, request, 0))]
  } catch (error) {
    if (error instanceof TooManyLookups) return null
    throw error
  }
}

function namesInScript(source: string, place: RequestPlace, depth: number): Names {
  const script = readScript(source, place)
  if (typeof script === 'string' || depth > DEEPEST) return [UNKNOWN]
  return script.commands.flatMap((command) => namesIn(command, place, depth))
}

function namesIn(command: SimpleCommand, place: RequestPlace, depth: number): Names {
  const [program] = command.words
  if (!program) return []
  if (depth > DEEPEST) return [UNKNOWN]
  const nested = nestedIn(command).nested.flatMap((each) => {
    if (each.kind === 'words') return namesIn(commandOf(each.words, command), place, depth + 1)
    if (each.kind === 'code') return namesInScript(each.code, place, depth + 1)
    // Code in a file is no program of the command.
    return each.file || each.writes ? [] : [UNKNOWN]
  })
  return [program.is === 'literal' ? program.text : UNKNOWN, ...nested]
}
