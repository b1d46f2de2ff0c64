// Reading the options that stand before a program's operands.
import type { ShellWord } from '../shell-word.ts'
import { wordSet } from '../word-list.ts'

export interface OptionTable {
  /** Options with a value, as `-n 5`, `-n5`, `--lines 5`, `--lines=5`; a word list, as is `flags`. */
  values?: string
  /** Options without a value. */
  flags?: string
}

/** Where the operands begin; null when an option is met that the table does not know, or a word that is not known. */
export function operandsFrom(words: readonly ShellWord[], from: number, table: OptionTable): number | null {
  const [values, flags] = [wordSet(table.values ?? ''), wordSet(table.flags ?? '')]
  let at = from
  for (let word = words[at]; word !== undefined; word = words[at]) {
    if (word.is !== 'literal') return null
    const { text } = word
    if (text === '--') return at + 1
    if (!text.startsWith('-') || text === '-') return at
    const taken = flags.has(text) ? 1 : text.startsWith('--') ? longOption(text, values) : cluster(text, values, flags)
    if (taken === null) return null
    at += taken
  }
  return at
}

function longOption(text: string, values: ReadonlySet<string>): number | null {
  const [name = ''] = text.split('=', 1)
  if (!values.has(name)) return null
  return name === text ? 2 : 1
}

function cluster(text: string, values: ReadonlySet<string>, flags: ReadonlySet<string>): number | null {
  for (let at = 1; at < text.length; at++) {
    const option = `-${text[at]}`
    if (values.has(option)) return at === text.length - 1 ? 2 : 1
    if (!flags.has(option)) return null
  }
  return 1
}

/** `-abc` has `-b`. */
export function hasShort(text: string, letter: string): boolean {
  return /^-[A-Za-z0-9]/.test(text) && !text.startsWith('--') && text.includes(letter)
}

/** `--exec=x`, `--exec`, and what the program takes for it: `--exe`. */
export function isLong(text: string, name: string, least = 3): boolean {
  const [given = ''] = text.split('=', 1)
  return given.length >= least + 2 && name.startsWith(given)
}
