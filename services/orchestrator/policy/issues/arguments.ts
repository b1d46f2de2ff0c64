// The options and operands of a program, as far as they are known before it runs.
import { literal, type ShellWord } from '../shell/shell-word.ts'

export interface ArgumentTable {
  /** Names of options with a value: `{ '-X': 'method', '--method': 'method' }`. Other options take none. */
  values: Readonly<Record<string, string>>
  /** Names of options without a value. */
  flags?: Readonly<Record<string, string>>
  /** A beginning of a long option means the option. */
  abbreviates?: boolean
  /** `-X=POST` means `-X POST`. */
  splitsShort?: boolean
}

export interface Arguments {
  /** In the order of the command. The value of a flag is empty. */
  options: { name: string; value: ShellWord }[]
  operands: ShellWord[]
}

const EMPTY = literal('')

/** Reads the words behind the program. */
export function readArguments(words: readonly ShellWord[], table: ArgumentTable): Arguments {
  const found: Arguments = { options: [], operands: [] }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? EMPTY
    const { text } = word
    if (text === '--' && word.is === 'literal') {
      found.operands.push(...words.slice(at + 1))
      break
    }
    if (!text.startsWith('-') || text === '-') found.operands.push(word)
    else if (readOption(found, word, words[at + 1], table)) at++
  }
  return found
}

/** Returns true if the option takes the next word as its value. */
function readOption(
  { options }: Arguments,
  word: ShellWord,
  next: ShellWord | undefined,
  table: ArgumentTable,
): boolean {
  if (word.text.startsWith('--')) {
    const end = word.text.indexOf('=')
    const given = end < 0 ? word.text : word.text.slice(0, end)
    const flag = nameOf(given, table.flags ?? {}, table.abbreviates)
    if (flag !== undefined) options.push({ name: flag, value: EMPTY })
    const name = flag === undefined ? nameOf(given, table.values, table.abbreviates) : undefined
    if (name === undefined) return false
    options.push({ name, value: end < 0 ? (next ?? EMPTY) : { ...word, text: word.text.slice(end + 1) } })
    return end < 0
  }
  for (let at = 1; at < word.text.length; at++) {
    const letter = `-${word.text[at]}`
    const flag = table.flags?.[letter]
    if (flag !== undefined) options.push({ name: flag, value: EMPTY })
    const name = table.values[letter]
    if (name === undefined) continue
    const rest = word.text.slice(at + 1)
    const isNext = rest === '' && word.is === 'literal'
    const text = table.splitsShort ? rest.replace(/^=/, '') : rest
    options.push({ name, value: isNext ? (next ?? EMPTY) : { ...word, text } })
    return isNext
  }
  return false
}

const SHORTEST = 5

function nameOf(given: string, names: Readonly<Record<string, string>>, abbreviates = false): string | undefined {
  if (Object.hasOwn(names, given)) return names[given]
  if (!abbreviates || given.length < SHORTEST) return undefined
  const full = Object.keys(names).find((name) => name.startsWith(given))
  return full === undefined ? undefined : names[full]
}
