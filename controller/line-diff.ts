// The difference of two texts, line by line, for people to read. Pure.

export interface DiffLine {
  sign: ' ' | '-' | '+'
  text: string
}

/** Past this many comparisons the middle is shown as removed and added whole: a plan must not hang on a huge prompt. */
const MOST_COMPARISONS = 1_000_000

/** Lines of both, in order: kept, removed, added. Equal heads and tails cost nothing. */
export function lineDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail))
    tail++
  return [
    ...before.slice(0, head).map(kept),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(kept),
  ]
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

const kept = (text: string): DiffLine => ({ sign: ' ', text })

/** Longest common subsequence, the textbook way. */
function middle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const [rows, columns] = [before.length, after.length]
  if (rows === 0 || columns === 0 || rows * columns > MOST_COMPARISONS) return [...removed(before), ...added(after)]
  const length = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1))
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      length[row]![column] =
        before[row] === after[column]
          ? length[row + 1]![column + 1]! + 1
          : Math.max(length[row + 1]![column]!, length[row]![column + 1]!)
    }
  }
  const lines: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < rows && column < columns) {
    if (before[row] === after[column]) {
      lines.push(kept(before[row]!))
      row++
      column++
    } else if (length[row + 1]![column]! >= length[row]![column + 1]!) lines.push(...removed([before[row++]!]))
    else lines.push(...added([after[column++]!]))
  }
  return [...lines, ...removed(before.slice(row)), ...added(after.slice(column))]
}

const removed = (texts: readonly string[]) => texts.map((text): DiffLine => ({ sign: '-', text }))
const added = (texts: readonly string[]) => texts.map((text): DiffLine => ({ sign: '+', text }))
