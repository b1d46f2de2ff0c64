// Characters in brackets, and the classes that a letter stands for, as ripgrep takes them. Of ASCII they are what grep makes
// of them, in the locale that it is run in; what else they hold is nobody's to list: all of it, where it may be any of it.

const ASCII = 128
const LINE_END = 10

type Holds = (code: number) => boolean

const within =
  (first: number, last: number): Holds =>
  (code) =>
    first <= code && code <= last
const among =
  (expression: RegExp): Holds =>
  (code) =>
    expression.test(String.fromCharCode(code))

/** Of ASCII; each may hold more. */
const CLASSES: Record<string, Holds> = {
  alpha: among(/[A-Za-z]/),
  digit: among(/[0-9]/),
  alnum: among(/[0-9A-Za-z]/),
  upper: among(/[A-Z]/),
  lower: among(/[a-z]/),
  space: among(/[\t-\r ]/),
  blank: among(/[\t ]/),
  punct: among(/[!-/:-@[-`{-~]/),
  print: within(32, 126),
  graph: within(33, 126),
  cntrl: (code) => code < 32 || code === 127,
  xdigit: among(/[0-9A-Fa-f]/),
}

/** Of `\\w` and its like, by their letter. */
export function classSuperset(letter: string): string {
  const isWord = letter.toLowerCase() === 'w'
  const holds: Holds = (code) => (isWord ? CLASSES.alnum!(code) || code === 95 : CLASSES.space!(code))
  const isOther = letter !== letter.toLowerCase()
  return written((code) => holds(code) !== isOther, true)
}

/** Of what stands in brackets; null where it is not known to hold as much. */
export function setSuperset(inside: string): string | null {
  const isOther = inside.startsWith('^')
  const items = isOther ? inside.slice(1) : inside
  // What sorts together is grep's to know.
  if (/\[[.=]/.test(items)) return null
  const held: Holds[] = []
  let holdsMore = isOther
  for (const [item, name, first, last] of items.matchAll(/\[:(\w+):\]|([^])-([^])|[^]/gu)) {
    const known = name === undefined ? rangeOf(first ?? item, last ?? item) : CLASSES[name]
    if (!known) return null
    held.push(known)
    holdsMore ||= name !== undefined || /[^\0-\x7f]/.test(item)
  }
  return written((code) => held.some((holds) => holds(code)) !== isOther, holdsMore)
}

/** Null for none. */
function rangeOf(first: string, last: string): Holds | null {
  const [from, to] = [first.codePointAt(0)!, last.codePointAt(0)!]
  return from <= to ? within(from, to) : null
}

/** `holdsMore`: whatever is not ASCII, as well. */
function written(holds: Holds, holdsMore: boolean): string {
  const codes = Array.from({ length: ASCII }, (_each, code) => code)
  const listed = codes.filter((code) => (code !== LINE_END && holds(code)) !== holdsMore)
  return `[${holdsMore ? '^' : ''}${ranges(listed)}]`
}

function ranges(codes: readonly number[]): string {
  const found: [number, number][] = []
  for (const code of codes) {
    const last = found.at(-1)
    if (last && code === last[1] + 1) last[1] = code
    else found.push([code, code])
  }
  const shown = (code: number): string => `\\x${code.toString(16).padStart(2, '0')}`
  return found.map(([first, last]) => (first === last ? shown(first) : `${shown(first)}-${shown(last)}`)).join('')
}
