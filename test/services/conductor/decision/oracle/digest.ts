// The digest of step 9: "counts after the run", and "a line each" for "the transitions of the run".
import type { ConductorCounts } from '../../../../../schemas/conductor/run.ts'
import { isRetargeted } from './moves.ts'
import { unreported, type View } from './view.ts'

export interface ExpectedDigest {
  counts: ConductorCounts
  /** In any order. */
  transitions: readonly string[]
  /** Of the text, without the lines of the transitions. */
  head: readonly string[]
}

const LABEL = /^[1-8] (add|remove)-label #(\d+) (.+)$/

const labelLines = (actions: readonly string[]): string[] =>
  actions.flatMap((line) => {
    const [, verb, number, label] = LABEL.exec(line) ?? []
    return verb === undefined ? [] : [`#${number}: ${verb === 'add' ? '+' : '-'}${label}`]
  })

/** "PRs above follow (base kept)": each is rebased onto the branch below it. */
function moveLines({ given: { snapshot }, moves, movesAfterMerge }: View): string[] {
  const branches = new Map(snapshot.pullRequests.map(({ number, branch }) => [number, branch]))
  return [...moves, ...movesAfterMerge].flatMap((move) => {
    const { pull, onto, fate, carried } = move
    const made = fate === 'made' ? carried : []
    const baseOf = (parent: number | null) => (parent === null ? onto : branches.get(parent))
    return [
      ...made.map(({ number, parent }) => `#${number}: restacked onto ${baseOf(parent)}`),
      ...(isRetargeted(move) ? [`#${pull.number}: retargeted to ${onto}`] : []),
    ]
  })
}

/** `actions`: expected lines. Null: there is no transition. */
export function digestOf(view: View, actions: readonly string[], counts: ConductorCounts): ExpectedDigest | null {
  const merged = [...view.merged, ...unreported(view)].map(({ number }) => `#${number}: merged`)
  const transitions = [...labelLines(actions), ...merged, ...moveLines(view)]
  if (transitions.length === 0) return null
  const head = [
    `**Run** ${view.given.snapshot.repository}`,
    `needs-triage: ${counts.needs_triage}`,
    `merge queue: ${counts.merge_queue}`,
    `in review: ${counts.in_review}`,
    `needs rework: ${counts.needs_rework}`,
    `active branches: ${counts.active_branches}`,
  ]
  return { counts, transitions, head }
}
