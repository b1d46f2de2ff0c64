import type { NodeOf } from './answers.ts'
import type { Label } from './facts.ts'

/** True if `events` have the addition of each label. */
export const hasAllAdditions = (labels: readonly string[], events: readonly NodeOf<'labelled'>[]): boolean =>
  labels.every((label) => additionsOf(label, events).length > 0)

/** Labels with the time of their newest addition, `otherwise` of those that `events` do not have. */
export function labelTimes(
  labels: readonly string[],
  events: readonly NodeOf<'labelled'>[],
  otherwise: number | null,
): Label[] {
  return labels.map((name) => {
    const additions = additionsOf(name, events)
    return { name, since: additions.length === 0 ? otherwise : Math.max(...additions) }
  })
}

function additionsOf(label: string, events: readonly NodeOf<'labelled'>[]): number[] {
  // The forge ignores case in names of labels.
  const same = events.filter((event) => event.label.name.toLowerCase() === label.toLowerCase())
  return same.map(({ createdAt }) => Date.parse(createdAt))
}
