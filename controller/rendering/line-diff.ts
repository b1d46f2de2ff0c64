// The difference of two texts, line by line, for people to read. Pure.
import { diffArrays } from 'diff'

export interface DiffLine {
  /** `~`: it is there before and after, and changed in the words that `words` says. */
  sign: ' ' | '-' | '+' | '~'
  text: string
  words?: readonly DiffWord[]
}

export interface DiffWord {
  sign: ' ' | '-' | '+'
  text: string
}

/** Past this many changed lines all are shown as removed and added: a plan must not hang on a huge prompt. */
const MOST_CHANGED = 1000

/** Lines of both, in order: kept, removed, added. */
export function lineDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  const hunks = diffArrays([...before], [...after], { maxEditLength: MOST_CHANGED })
  if (!hunks) return [...signed('-', before), ...signed('+', after)]
  return hunks.flatMap(({ removed, added, value }) => signed(removed ? '-' : added ? '+' : ' ', value))
}

function signed(sign: DiffLine['sign'], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ sign, text }))
}

/** The changed lines with `around` lines of context; what is left out becomes one `null`. */
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
