// Matching a text against a pattern whose `*` stands for any run of characters. Linear in the text.

/** Whether `pattern` matches the whole of `text`. */
export function glob(pattern: string, text: string): boolean {
  const first = literalPrefix(pattern)
  if (first === pattern) return pattern === text
  if (!text.startsWith(first)) return false
  const pieces = pattern.split('*')
  const last = pieces.at(-1) ?? ''
  if (text.length < first.length + last.length || !text.endsWith(last)) return false
  const end = text.length - last.length
  let from = first.length
  for (const piece of pieces.slice(1, -1)) {
    const at = find(piece, text, from, end)
    if (at < 0) return false
    from = at + piece.length
  }
  return true
}

/** What every match of a pattern begins with. */
export function literalPrefix(pattern: string): string {
  const star = pattern.indexOf('*')
  return star < 0 ? pattern : pattern.slice(0, star)
}

/** Short pieces are left to the engine; a long one is sought in steps that never go back in the text. */
function find(piece: string, text: string, from: number, end: number): number {
  if (piece.length === 0) return from
  if (piece.length <= 16) {
    const at = text.indexOf(piece, from)
    return at >= 0 && at + piece.length <= end ? at : -1
  }
  const borders = bordersOf(piece)
  let matched = 0
  for (let at = from; at < end; at++) {
    while (matched > 0 && text[at] !== piece[matched]) matched = borders[matched - 1] ?? 0
    if (text[at] === piece[matched]) matched++
    if (matched === piece.length) return at - piece.length + 1
  }
  return -1
}

/** For each beginning of a piece, the length of the longest shorter beginning that it also ends with. */
function bordersOf(piece: string): Uint16Array {
  const borders = new Uint16Array(piece.length)
  let length = 0
  for (let at = 1; at < piece.length; at++) {
    while (length > 0 && piece[at] !== piece[length]) length = borders[length - 1] ?? 0
    if (piece[at] === piece[length]) length++
    borders[at] = length
  }
  return borders
}
