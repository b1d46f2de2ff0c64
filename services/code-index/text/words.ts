// The words of a row with their weights: its name counts more than what it says.
import { tokensOf } from './tokens.ts'

/** How much a word counts by where it stands: for search by words and, as it was learnt so, for the builtin embedding. */
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
