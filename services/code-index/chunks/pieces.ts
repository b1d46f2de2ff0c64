/** Characters per chunk. */
export const LONGEST_CONTENT = 8000
/** Characters to go back from the end of a piece to the end of a word. */
const LONGEST_WORD = 100
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{Cs}_$]/u
const HIGH_SURROGATE = /[\ud800-\udbff]/

interface Piece {
  /** 1-based, both inclusive. */
  start: number
  end: number
  content: string
}

interface Limits {
  /** Lines per piece. */
  most: number
  /** Lines that a piece repeats of the one before it. */
  overlap: number
}

/** Splits lines into pieces of at most LONGEST_CONTENT characters. `places` are 0-based, increasing line numbers. */
export function pieces(lines: readonly string[], places: readonly number[], { most, overlap }: Limits): Piece[] {
  const found: Piece[] = []
  for (let from = 0; from < places.length;) {
    const start = places[from]! + 1
    const first = lines[start - 1]!
    if (first.length > LONGEST_CONTENT) {
      for (const content of cut(first)) found.push({ start, end: start, content })
      from++
      continue
    }
    let [to, characters] = [from, 0]
    while (to < places.length && to - from < most && characters + lines[places[to]!]!.length <= LONGEST_CONTENT)
      characters += lines[places[to++]!]!.length + 1
    const content = places.slice(from, to).map((at) => lines[at]!)
    found.push({ start, end: places[to - 1]! + 1, content: content.join('\n') })
    if (to === places.length) break
    from = to - from === most ? to - overlap : to
  }
  return found
}

/** Cuts a long line, between words where possible. */
function cut(line: string): string[] {
  const parts: string[] = []
  for (let from = 0; from < line.length;) {
    const to = from + LONGEST_CONTENT < line.length ? endOfWord(line, from + LONGEST_CONTENT) : line.length
    parts.push(line.slice(from, to))
    from = to
  }
  return parts
}

function endOfWord(line: string, most: number): number {
  for (let at = most; at > most - LONGEST_WORD; at--) if (BETWEEN_WORDS.test(line[at - 1]!)) return at
  return HIGH_SURROGATE.test(line[most - 1]!) ? most - 1 : most
}
