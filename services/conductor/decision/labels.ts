// Labels of an item.
import type { Label } from '../snapshot/facts.ts'

interface Labelled {
  labels: readonly Label[]
}

/** Forges ignore case in names of labels. */
export const isSameLabel = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

export const hasLabel = ({ labels }: Labelled, name: string): boolean =>
  labels.some((label) => isSameLabel(label.name, name))

/** Time of the label's newest addition; null: the item does not have it, or it is not known. */
export const labelTime = ({ labels }: Labelled, name: string): number | null =>
  labels.find((label) => isSameLabel(label.name, name))?.since ?? null
