// Lines that changed in some of their words, so that a prompt of long lines is read by what is new in it. Pure.
import { diffWordsWithSpace } from 'diff'
import type { DiffLine, DiffWord } from './line-diff.ts'

/** Longer lines, and those that changed in more words, are shown as removed and added: a plan must not hang on them. */
const LONGEST = 20_000
const MOST_CHANGED = 400
/** Share of the longer line that both have; with less in common it is another line. */
const ALIKE = 0.5
/** Words around a change, in characters. */
const AROUND = 40

/** Removed lines that stand before as many added ones become one line of words each, where the two are alike. */
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

/** Null where the lines have too little in common, or hold what the marks are made of. */
function wordsOf(before: string, after: string): DiffWord[] | null {
  const longer = Math.max(before.length, after.length)
  if (longer > LONGEST || /\[-|-\]|\{\+|\+\}/.test(before + after)) return null
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MOST_CHANGED })
  if (!parts) return null
  const kept = parts.filter(({ added, removed }) => !added && !removed)
  if (kept.reduce((length, { value }) => length + value.length, 0) < longer * ALIKE) return null
  return parts.map(({ added, removed, value }) => ({ sign: removed ? '-' : added ? '+' : ' ', text: value }))
}

/** `[-gone-]`, `{+new+}`, or the text itself. */
export function marked({ sign, text }: DiffWord): string {
  return sign === '-' ? `[-${text}-]` : sign === '+' ? `{+${text}+}` : text
}

/** The changed words with what stands around them, where the whole line is wider than `width`. */
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
