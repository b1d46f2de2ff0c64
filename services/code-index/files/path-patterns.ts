// Patterns of paths, from ignore files and from searches. They are written by others, so they are not compiled to
// regular expressions, which can backtrack for years: a match takes at most the product of both lengths.

const STAR = Symbol('*')
/** `**` as a whole segment: any number of folders. */
const FOLDERS = Symbol('**')

type Test = (char: string) => boolean
type Item = typeof STAR | string | Test
type Segment = typeof FOLDERS | string | readonly Item[]

/** A pattern that a search cannot use. */
export class PatternRefusal extends Error {
  override readonly name = 'PatternRefusal'
}

/**
 * Parses `*`, `?`, `[…]`, `\` and, as a whole segment, `**`, in the syntax of git. Returns null for a pattern that
 * matches nothing.
 */
function segmentsOf(pattern: string): Segment[] | null {
  const segments: Item[][] = [[]]
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!
    const parts = segments.at(-1)!
    if (char === '/' || (char === '\\' && pattern[at + 1] === '/')) {
      if (char === '\\') at++
      segments.push([])
    } else if (char === '*') parts.push(STAR)
    else if (char === '?') parts.push(() => true)
    else if (char === '[') {
      const set = setAt(pattern, at + 1)
      if (!set) return null
      parts.push(set.has)
      at = set.end
    } else if (char !== '\\') parts.push(char)
    else if (at + 1 < pattern.length) parts.push(pattern[++at]!)
    else return null
  }
  return segments.map((parts) => {
    if (parts.every((part) => typeof part === 'string')) return parts.join('')
    if (parts.length > 1 && parts.every((part) => part === STAR)) return FOLDERS
    return parts
  })
}

const CLASSES = new Map(
  Object.entries({
    alnum: /[a-zA-Z0-9]/,
    alpha: /[a-zA-Z]/,
    blank: /[ \t]/,
    cntrl: /[\0-\x1f\x7f]/,
    digit: /[0-9]/,
    graph: /[!-~]/,
    lower: /[a-z]/,
    print: /[ -~]/,
    punct: /[!-/:-@[-`{-~]/,
    space: /[ \t-\r]/,
    upper: /[A-Z]/,
    xdigit: /[0-9a-fA-F]/,
  }),
)

/** A set of characters whose `[` is before `from`; null if it has no end. `end` is the place of its `]`. */
function setAt(pattern: string, from: number): { has: Test; end: number } | null {
  const isNegated = pattern[from] === '!' || pattern[from] === '^'
  const tests: Test[] = []
  let before: string | null = null
  let at = isNegated ? from + 1 : from
  do {
    const [, name] = /^\[:([^\]]*):\]/.exec(pattern.slice(at, at + 16)) ?? []
    if (name !== undefined) {
      const named = CLASSES.get(name)
      if (!named) return null
      tests.push((char) => named.test(char))
      before = null
      at += name.length + 4
      continue
    }
    const isRange: boolean = pattern[at] === '-' && before !== null && pattern[at + 1] !== ']'
    if (isRange) at++
    if (pattern[at] === '\\') at++
    const char = pattern[at++]
    if (char === undefined) return null
    const low = isRange ? before! : char
    tests.push((each) => low <= each && each <= char)
    before = isRange ? null : char
  } while (pattern[at] !== ']' && at < pattern.length)
  if (at >= pattern.length) return null
  return { has: (char) => tests.some((test) => test(char)) !== isNegated, end: at }
}

/** Whether all of `text` is `pattern`, in which `star` stands for any run of items. Only the last star is retried. */
function fits<P, T>(
  pattern: ArrayLike<P>,
  text: ArrayLike<T>,
  { star, matches }: { star: P; matches(item: P, each: T): boolean },
): boolean {
  let [p, t, last, retry] = [0, 0, -1, 0]
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === star) {
      last = p++
      retry = t
    } else if (p < pattern.length && matches(pattern[p]!, text[t]!)) {
      p++
      t++
    } else if (last >= 0) {
      p = last + 1
      t = ++retry
    } else return false
  }
  while (p < pattern.length && pattern[p] === star) p++
  return p === pattern.length
}

const CHARS = {
  star: STAR as Item,
  matches: (item: Item, char: string) => (typeof item === 'function' ? item(char) : item === char),
}

function fitsSegment(segment: Segment, name: string): boolean {
  if (typeof segment === 'string') return segment === name
  return segment === FOLDERS || fits(segment, name, CHARS)
}

const SEGMENTS = { star: FOLDERS as Segment, matches: fitsSegment }

/** A pattern without `/` is compared with the last name of a path, another with the whole path. */
interface PathPattern {
  ofName: boolean
  segments: readonly Segment[]
}

function fitsPath({ ofName, segments }: PathPattern, path: readonly string[]): boolean {
  return ofName ? fitsSegment(segments[0]!, path.at(-1)!) : fits(segments, path, SEGMENTS)
}

export interface IgnoreRule extends PathPattern {
  isNegated: boolean
  ofFolders: boolean
}

/** Parses a line of an ignore file, without regard to case; null for a comment, a blank line and an invalid rule. */
export function ignoreRule(line: string): IgnoreRule | null {
  const text = withoutTrailingSpaces(line).toLowerCase().replaceAll('[:upper:]', '[:alpha:]')
  const isNegated = text.startsWith('!')
  const written = isNegated ? text.slice(1) : text
  const ofFolders = written.endsWith('/')
  const pattern = ofFolders ? written.slice(0, -1) : written
  if (pattern === '' || text.startsWith('#')) return null
  const ofName = !pattern.includes('/')
  const segments = segmentsOf(pattern.replace(/^\//, ''))
  if (!segments) return null
  // What `a/**` matches is below `a`.
  if (!ofName && segments.at(-1) === FOLDERS) segments.push([STAR])
  return { ofName, segments, isNegated, ofFolders }
}

function withoutTrailingSpaces(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end--
  let slashes = 0
  while (line[end - 1 - slashes] === '\\') slashes++
  // An escaped space stays.
  return line.slice(0, slashes % 2 === 1 ? end + 1 : end)
}

/** Whether a rule is for this path; names in lower case. */
export function fitsRule(rule: IgnoreRule, path: readonly string[], isFolder: boolean): boolean {
  return (isFolder || !rule.ofFolders) && fitsPath(rule, path)
}

const MOST_ALTERNATIVES = 64

/**
 * Returns whether a path relative to its repository matches a pattern, in which `{a,b}` is one of several texts and a
 * `!` at the beginning negates. Throws a PatternRefusal.
 */
export function pathFilter(pattern: string): (path: string) => boolean {
  const isNegated = pattern.startsWith('!') && pattern[1] !== '('
  const written = (isNegated ? pattern.slice(1) : pattern).replace(/^\.\//, '')
  if (/(^|[^\\])[@?*+!]\(/.test(written))
    throw new PatternRefusal(
      `file_pattern ${JSON.stringify(pattern)} has a group in parentheses, which is not supported: write {a,b} for alternatives, or \\( for a parenthesis`,
    )
  const ofName = !written.includes('/')
  const patterns = withoutBraces(written, pattern).flatMap((each) => {
    const segments = segmentsOf(each)
    return segments ? [{ ofName, segments }] : []
  })
  return (path) => {
    const names = path.split('/')
    return patterns.some((each) => fitsPath(each, names)) !== isNegated
  }
}

/** Replaces the first braces that have a comma, and then the others. */
function withoutBraces(written: string, pattern: string): string[] {
  const done: string[] = []
  const open = [written]
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const braces = bracesIn(text)
    if (braces) open.push(...braces)
    else done.push(text)
    if (open.length + done.length > MOST_ALTERNATIVES)
      throw new PatternRefusal(
        `file_pattern ${JSON.stringify(pattern)} has more than ${MOST_ALTERNATIVES} alternatives in braces: use fewer`,
      )
  }
  return done
}

/** One text for each alternative of the first braces; null if there are none. */
function bracesIn(text: string): string[] | null {
  const opened: { at: number; commas: number[] }[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === '{') opened.push({ at, commas: [] })
    else if (char === ',') opened.at(-1)?.commas.push(at)
    else if (char === '}') {
      const braces = opened.pop()
      if (!braces || braces.commas.length === 0) continue
      const cuts = [braces.at, ...braces.commas, at]
      const [before, after] = [text.slice(0, braces.at), text.slice(at + 1)]
      return cuts.slice(1).map((cut, index) => before + text.slice(cuts[index]! + 1, cut) + after)
    }
  }
  return null
}
