// Splits identifiers and queries into lower-case, lightly stemmed words, so that both match.

/** Increment when the output changes: it forces a new index. */
export const TOKENS_VERSION = 1

const ASCII_PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu
const BEYOND_ASCII = /[^\0-\x7f]/
const LONGEST = 40
const MOST_STEMS = 200_000

const stems = new Map<string, string>()

/** Words in order, with repetitions; single letters are dropped. */
export function tokensOf(text: string): string[] {
  const found: string[] = []
  for (const part of text.match(BEYOND_ASCII.test(text) ? PARTS : ASCII_PARTS) ?? []) {
    if (part.length > LONGEST || (part.length < 2 && !BEYOND_ASCII.test(part))) continue
    found.push(stem(part))
  }
  return found
}

function stem(part: string): string {
  const known = stems.get(part)
  if (known !== undefined) return known
  if (stems.size > MOST_STEMS) stems.clear()
  const made = lightStem(part.toLowerCase())
  stems.set(part, made)
  return made
}

/** Reduces `parses`, `parsed` and `parsing` to one word. */
function lightStem(word: string): string {
  return withoutE(withoutEnding(withoutPlural(word)))
}

function withoutPlural(word: string): string {
  if (word.length < 4 || !word.endsWith('s')) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(sse|xe|che|she)s$/.test(word)) return word.slice(0, -2)
  return /[sui]s$/.test(word) ? word : word.slice(0, -1)
}

function withoutEnding(word: string): string {
  if (word.endsWith('ing') && word.length > 5) return undoubled(word.slice(0, -3))
  if (word.endsWith('ed') && word.length > 4 && !word.endsWith('eed')) return undoubled(word.slice(0, -2))
  return word
}

const undoubled = (word: string): string => (/([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word)

const withoutE = (word: string): string => (word.length > 4 && word.endsWith('e') ? word.slice(0, -1) : word)

/** Weights by origin, in keyword search and in the builtin embedding, which is trained with them. */
export const SYMBOL_WEIGHT = 3
export const PATH_WEIGHT = 1

export type Words = Map<string, { all: number; name: number }>

export function wordsOf({ path, symbol, content }: { path: string; symbol: string | null; content: string }): Words {
  const words: Words = new Map()
  const add = (text: string, weight: number, isName: boolean) => {
    for (const word of tokensOf(text)) {
      const known = words.get(word)
      if (known) {
        known.all += weight
        if (isName) known.name += 1
      } else words.set(word, { all: weight, name: isName ? 1 : 0 })
    }
  }
  add(path, PATH_WEIGHT, true)
  if (symbol !== null) add(symbol, SYMBOL_WEIGHT, true)
  add(content, 1, false)
  return words
}
