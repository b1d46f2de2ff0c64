// Order of actions: "Of several writes the one that ends the situation is last"; "Lowest number first".
import { lines } from './lines.ts'
import { isRetargeted } from './moves.ts'
import type { View } from './view.ts'

type Pair = readonly [first: string, then: string, cites: string]

/** `#N` is the number of one item. The second line starts after the first one, if both occur. */
const LAST_WRITES: readonly Pair[] = [
  ['6 add-label #N needs-rework', '6 remove-label #N merge-ready', 'the one that ends the situation is last'],
  ['6 post #N operations changes-requested', '6 remove-label #N merge-ready', 'add `needs-rework`, post, remove'],
  ['6 post #N operations checks-failed', '6 remove-label #N merge-ready', 'comment, post, remove `merge-ready`'],
  ['6 comment #N', '6 remove-label #N merge-ready', 'comment, post, remove `merge-ready`'],
  ['6 post #N engineering conflicting', '6 add-label #N needs-restack', 'post, add `needs-restack`'],
  ['6 merge #N', '6 post #N operations merged', 'dependents as in 1, delete the branch, post'],
  ['1 restack #N', '1 retarget #N', '`restack`, then `retarget`'],
  ['6 restack #N', '6 retarget #N', '`restack`, then `retarget`'],
]

const startsAt = (actual: readonly string[], prefix: string): number =>
  actual.findIndex((line) => line.startsWith(prefix) && (line.length === prefix.length || line[prefix.length] === ' '))

function ascending(actual: readonly string[], pattern: RegExp): string | null {
  const numbers = actual.flatMap((line) => {
    const found = pattern.exec(line)
    return found === null ? [] : [Number(found[1])]
  })
  return numbers.every((number, at) => at === 0 || numbers[at - 1]! <= number)
    ? null
    : `${pattern}: ${numbers.join(' ')}`
}

const BY_NUMBER = [
  /^2 add-label #(\d+)/,
  /^3 add-label #(\d+)/,
  /^4 post #(\d+)/,
  /^5 add-label #(\d+)/,
  /^7 remove-label #(\d+)/,
  /^10 remove-label #(\d+)/,
]

function stepOrder(actual: readonly string[]): string | null {
  const steps = actual.map((line) => Number.parseInt(line, 10))
  const at = steps.findIndex((step, index) => index > 0 && step < steps[index - 1]!)
  return at === -1 ? null : `step ${steps[at]} after step ${steps[at - 1]}`
}

/** A lock is the first action of its step and its return the last one that changes an issue. */
function lockOrder(actual: readonly string[]): string | null {
  for (const step of [2, 3, 7]) {
    const lock = actual.indexOf(lines.lock(step, 'lock'))
    if (lock === -1) continue
    const changes = actual.flatMap((line, at) => (line.startsWith(`${step} add-label`) ? [at] : []))
    const unlock = actual.indexOf(lines.lock(step, 'unlock'))
    if (lock > changes[0]! || unlock < changes.at(-1)!) return `[LOCK] of step ${step} does not enclose its changes`
  }
  return null
}

const lastWrites = new Map<number, Pair[]>()

function lastWritesOf(number: number): Pair[] {
  const known = lastWrites.get(number)
  if (known !== undefined) return known
  const named = (line: string): string => line.replace('#N', `#${number}`)
  const made = LAST_WRITES.map(([first, then, cites]): Pair => [named(first), named(then), cites])
  lastWrites.set(number, made)
  return made
}

function pairs(actual: readonly string[], view: View): Pair[] {
  const named = view.given.snapshot.pullRequests.flatMap(({ number }) => lastWritesOf(number))
  const deletions = [...view.moves, ...view.movesAfterMerge]
    .filter(isRetargeted)
    .map(({ step, pull, onto, merged }): Pair => [
      lines.retarget(step, pull.number, onto),
      lines.deleteBranch(step, merged),
      'dependents as in 1, delete the branch',
    ])
  const announcements = view.merged.flatMap((merged): Pair[] => [
    [lines.merge(merged.number, merged.head), lines.deleteBranch(6, merged), 'merge, delete the branch'],
    [lines.deleteBranch(6, merged), `6 post #${merged.number} operations merged`, 'delete the branch, post'],
  ])
  const syncs = actual
    .filter((line) => line.startsWith('10 remove-label'))
    .map((line): Pair => [lines.remember(), line, 'Memory, then `conductor-sync` comes off'])
  return [...named, ...deletions, ...announcements, ...syncs]
}

function reworkOrder(actual: readonly string[], view: View): string | null {
  for (const { number, linkedIssue } of view.given.snapshot.pullRequests) {
    const add = actual.indexOf(lines.label(7, 'add-label', linkedIssue ?? 0, 'agent'))
    const remove = actual.indexOf(lines.label(7, 'remove-label', number, 'needs-rework'))
    if (add !== -1 && remove !== -1 && remove < add) return `#${number}: add \`agent\` to the issue, remove the label`
  }
  return null
}

/** Bottom of the stack first, then by number. */
function mergeOrder(actual: readonly string[], view: View): string | null {
  const merges = actual.filter((line) => line.startsWith('6 merge '))
  const expected = view.judged
    .map(({ pull }) => lines.merge(pull.number, pull.head))
    .filter((line) => merges.includes(line))
  return merges.join() === expected.join() ? null : `merges: ${merges.join(', ')}`
}

/** What is wrong with the order of the actions; null if nothing is. */
export function misorder(actual: readonly string[], view: View): string | null {
  const pair = pairs(actual, view).find(([first, then]) => {
    const last = startsAt(actual, then)
    return last !== -1 && startsAt(actual, first) > last
  })
  if (pair !== undefined) return `${pair[0]} before ${pair[1]}: ${pair[2]}`
  return (
    stepOrder(actual) ??
    lockOrder(actual) ??
    reworkOrder(actual, view) ??
    mergeOrder(actual, view) ??
    BY_NUMBER.map((pattern) => ascending(actual, pattern)).find((found) => found !== null) ??
    null
  )
}
