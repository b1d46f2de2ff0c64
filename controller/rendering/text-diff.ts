import { diffArrays, diffWordsWithSpace } from 'diff'

export interface DiffLine {
  /** `~`: only `words` have changed. */
  sign: ' ' | '-' | '+' | '~'
  text: string
  words?: readonly DiffWord[]
}

export interface DiffWord {
  sign: ' ' | '-' | '+'
  text: string
}

/** To limit the time, texts with more changes are shown as removed and added. */
const MOST_CHANGED = 1000

export function lineDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  const hunks = diffArrays([...before], [...after], { maxEditLength: MOST_CHANGED })
  if (!hunks) return [...signed('-', before), ...signed('+', after)]
  return hunks.flatMap(({ removed, added, value }) => signed(removed ? '-' : added ? '+' : ' ', value))
}

function signed(sign: DiffLine['sign'], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ sign, text }))
}

/** Keeps `around` lines of context; each gap becomes one `null`. */
export function withContext(lines: readonly DiffLine[], around: number): (DiffLine | null)[] {
  const near = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some((line) => line.sign !== ' '),
  )
  const shown: (DiffLine | null)[] = []
  for (const [index, line] of lines.entries()) {
    if (near[index]) shown.push(line)
    else if (shown.at(-1) !== null) shown.push(null)
  }
  return shown
}

/** Limits on the time for word differences. */
const LONGEST = 20_000
const MOST_CHANGED_WORDS = 400
/** Minimum common share of the longer line. */
const ALIKE = 0.5
const AROUND = 40

/** Merges similar removed and added lines into word differences. */
export function withWords(lines: readonly DiffLine[]): DiffLine[] {
  const shown: DiffLine[] = []
  for (let at = 0; at < lines.length;) {
    const removed = run(lines, at, '-')
    const added = run(lines, at + removed.length, '+')
    if (removed.length === 0 || removed.length !== added.length) {
      const taken = Math.max(1, removed.length + added.length)
      shown.push(...lines.slice(at, at + taken))
      at += taken
      continue
    }
    const pairs = removed.map((line, index) => wordsOf(line.text, added[index]!.text))
    if (pairs.every((words) => words === null)) shown.push(...removed, ...added)
    else for (const [index, words] of pairs.entries()) shown.push(...oneOrBoth(removed[index]!, added[index]!, words))
    at += removed.length + added.length
  }
  return shown
}

const oneOrBoth = (removed: DiffLine, added: DiffLine, words: DiffWord[] | null): DiffLine[] =>
  words ? [{ sign: '~', text: added.text, words }] : [removed, added]

function run(lines: readonly DiffLine[], from: number, sign: DiffLine['sign']): DiffLine[] {
  const end = lines.findIndex((line, index) => index >= from && line.sign !== sign)
  return lines.slice(from, end < 0 ? lines.length : end)
}

/** Null if the lines have too little in common or contain the markers. */
function wordsOf(before: string, after: string): DiffWord[] | null {
  const longer = Math.max(before.length, after.length)
  if (longer > LONGEST || /\[-|-\]|\{\+|\+\}/.test(before + after)) return null
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MOST_CHANGED_WORDS })
  if (!parts) return null
  const kept = parts.filter(({ added, removed }) => !added && !removed)
  if (kept.reduce((length, { value }) => length + value.length, 0) < longer * ALIKE) return null
  return parts.map(({ added, removed, value }) => ({ sign: removed ? '-' : added ? '+' : ' ', text: value }))
}

/** `[-gone-]`, `{+new+}`, or the text itself. */
export function marked({ sign, text }: DiffWord): string {
  return sign === '-' ? `[-${text}-]` : sign === '+' ? `{+${text}+}` : text
}

/** Shortens unchanged text of a line wider than `width`. */
export function shownWords(words: readonly DiffWord[], width: number): DiffWord[] {
  if (words.reduce((length, word) => length + marked(word).length, 0) <= width) return [...words]
  return words.map((word, index) => {
    const [isFirst, isLast] = [index === 0, index === words.length - 1]
    if (word.sign !== ' ' || word.text.length <= (isFirst || isLast ? AROUND : 2 * AROUND)) return word
    const start = isFirst ? '' : word.text.slice(0, AROUND)
    const end = isLast ? '' : word.text.slice(-AROUND)
    return { sign: ' ', text: `${start}…${end}` }
  })
}
