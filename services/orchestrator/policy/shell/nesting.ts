// What a simple command runs beyond its own program: commands behind a wrapper, code in a word, or what nobody can see.
import { gitNested } from './git-commands.ts'
import { baseName, NOTHING, type Nesting } from './nested-command.ts'
import { programNested } from './programs.ts'
import type { SimpleCommand } from './script.ts'
import { shellNested } from './interpreters.ts'
import { wrapperNested } from './wrappers.ts'

export function nestedIn(command: SimpleCommand): Nesting {
  const [program] = command.words
  if (!program) return NOTHING
  const name = baseName(program.text)
  if (name === 'git') return { nested: gitNested(command.words), transparent: false }
  return (
    wrapperNested(name, command) ?? {
      nested: shellNested(name, command) ?? programNested(name, command),
      transparent: false,
    }
  )
}
