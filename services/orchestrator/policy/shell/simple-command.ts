// The parts of a shell script: simple commands, with their words, assignments and redirections.
import type { ShellWord, WordSource } from './shell-word.ts'

export interface ShellRedirect {
  operator: string
  /** The number before the operator, as written; null for a variable. */
  descriptor: string | null
  target: ShellWord
  /** Text that the command reads, of a here-document or here-string; null when it is not known. */
  text?: string | null
}

export interface ShellAssignment {
  name: string
  value: ShellWord
}

export interface SimpleCommand {
  /** As written. */
  source: string
  words: ShellWord[]
  assignments: ShellAssignment[]
  redirects: ShellRedirect[]
  /** Its input comes from another command. */
  piped: boolean
  /** What its input is known to be. */
  reads?: WordSource | undefined
  /** Where it may run; null after a `cd` that cannot be followed. */
  folders: readonly string[] | null
}

export interface ShellScript {
  source: string
  commands: SimpleCommand[]
  /** Known words that are no part of a simple command: of `for`, `case` and `[[ ]]`. */
  loose: ShellWord[]
  /** Commands and the operators between them, where the script is but a chain of these; null where it is more. */
  chain: (SimpleCommand | string)[] | null
  /** It evaluates text that is not known, as arithmetic does. */
  evaluates: boolean
  /** The first `cd` that cannot be followed, as written. */
  lost: string | null
}

/** The command that a wrapper runs in place of another. */
export function commandOf(words: ShellWord[], { piped, reads, folders }: SimpleCommand): SimpleCommand {
  const source = words.map((word) => (word.is === 'unknown' && word.text === '' ? '…' : word.text)).join(' ')
  return { source, words, assignments: [], redirects: [], piped, reads, folders }
}

/** The variable that takes a whole line, and not parts of it. */
export function lineRead({ words, assignments }: SimpleCommand): string | null {
  const text = words.map((word) => (word.is === 'literal' ? word.text || "''" : '?')).join(' ')
  const isWhole = assignments.every(({ name, value }) => name === 'IFS' && value.is === 'literal' && value.text === '')
  return isWhole ? (/^read (?:-r )?(?:-d '' )?([A-Za-z_]\w*)$/.exec(text)?.[1] ?? null) : null
}
