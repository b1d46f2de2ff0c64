// What a simple command runs beyond its own program: commands behind a wrapper, code in a word, or neither.
import { gitNested } from './git-commands.ts'
import { baseName, NOTHING, type Nesting } from './nested-command.ts'
import { isEveryday, programNested } from './everyday-programs.ts'
import type { SimpleCommand } from '../simple-command.ts'
import { isInterpreter, isShell, shellNested } from './interpreters.ts'
import { ORDINARY } from './ordinary-programs.ts'
import { ALIASES, FAMILIES, WRAPPERS } from './wrapper-table.ts'
import { wrapperNested } from './wrappers.ts'

/** The paths and the lists of a request ask for each command several times. */
const known = new WeakMap<SimpleCommand, Nesting>()

export function nestedIn(command: SimpleCommand): Nesting {
  const nesting = known.get(command) ?? readNesting(command)
  known.set(command, nesting)
  return nesting
}

function readNesting(command: SimpleCommand): Nesting {
  const [program] = command.words
  if (!program) return NOTHING
  const name = baseName(program.text)
  if (name === 'git') return { nested: gitNested(command.words), transparent: false }
  const wrapped = wrapperNested(name, command)
  if (wrapped) return wrapped
  const nested = shellNested(name, command) ?? programNested(name, command)
  // Code in a word of a shell is judged instead of the shell.
  return { nested, transparent: nested[0]?.kind === 'code' && nested[0].at > 0 && isShell(name) }
}

/** Whether what a program does with its arguments is known. */
export const isKnownProgram = (name: string): boolean =>
  ORDINARY.has(name) ||
  Object.hasOwn(WRAPPERS, name) ||
  Object.hasOwn(ALIASES, name) ||
  FAMILIES.has(name) ||
  isInterpreter(name) ||
  isEveryday(name)
