// What a simple command may run beyond its own program, as a value.
import type { ShellWord } from '../shell-word.ts'

/** Found at the word `at`: an entry that itself spells the command up to there has named it. */
export type Nested = { at: number } & (
  | { kind: 'words'; words: ShellWord[]; remote?: boolean; project?: boolean }
  | { kind: 'code'; code: string; remote?: boolean }
  | { kind: 'opaque'; why: string; file?: boolean; writes?: boolean; stdin?: boolean }
)

export interface Nesting {
  nested: Nested[]
  /** The command is nothing but a way of running another: that one alone is to be allowed. */
  transparent: boolean
}

/** It cannot be seen. */
export const opaque = (at: number, why: string): Nested => ({ at, kind: 'opaque', why })
/** It reads code from a file, which an entry names when it spells where the file is. */
export const opaqueFile = (at: number, why: string): Nested => ({ at, kind: 'opaque', why, file: true })
/** It writes a file that is no redirection: nothing to a deny list of commands. */
export const writes = (at: number, why: string): Nested => ({ at, kind: 'opaque', why, writes: true })
export const NOTHING: Nesting = { nested: [], transparent: false }

/** The name of a program, whatever its folder. */
export const baseName = (text: string): string => text.slice(text.lastIndexOf('/') + 1)

/** Words that a shell puts together again. */
export function codeOf(words: readonly ShellWord[], at: number, why: string): Nested {
  if (words.length === 0 || words.some((word) => word.is !== 'literal')) return opaque(at, why)
  return { at, kind: 'code', code: words.map((word) => word.text).join(' ') }
}

/** The value as code, so that what it runs is judged beside what else is said of it. */
export function codeIn(value: string, at: number): Nested[] {
  return value.trim() === '' ? [] : [{ at, kind: 'code', code: value }]
}
