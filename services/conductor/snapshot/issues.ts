import { hasTime, nextTurn } from '../../../platform/async/time-slices.ts'
import { ForgeFault } from '../../../platform/forge/forge.ts'
import { activeAt, tellsStale } from './activity.ts'
import type { Activity, IssueAnswer } from './answers.ts'
import type { Issue } from './facts.ts'
import { hasAllAdditions, labelTimes } from './label-times.ts'
import { ItemLists, type QueryWorld } from './nested.ts'

export interface ItemWorld extends QueryWorld {
  /** Now, by the clock of the forge. */
  time: number
}

export async function issueOf(world: ItemWorld, answer: IssueAnswer): Promise<Issue> {
  const lists = new ItemLists(world)
  return itemOf(lists, answer, { labels: await readLabels(lists, answer), activity: 'issueActivity', time: world.time })
}

/**
 * Names of the labels. Every step depends on labels that an item does not have, so a part of them is worth nothing. Throws
 * for more than can be read, which GitHub does not allow.
 */
export async function readLabels(lists: ItemLists, { id, number, labels }: IssueAnswer): Promise<string[]> {
  const { nodes, isComplete } = await lists.read('labels', id, labels)
  if (isComplete) return nodes.map(({ name }) => name)
  throw new ForgeFault('forge-unsupported', `#${number} has more labels than can be read: remove some`)
}

interface ItemFacts {
  labels: readonly string[]
  /** The list of its activity. */
  activity: 'issueActivity' | 'activity'
  time: number
}

/** The facts that issues and pull requests have in common. */
export async function itemOf(
  lists: ItemLists,
  answer: IssueAnswer,
  { labels, activity, time }: ItemFacts,
): Promise<Issue> {
  const { id, number, title, author } = answer
  const createdAt = Date.parse(answer.createdAt)
  // Both lists begin with the newest events: older ones do not matter once one of each kind is found.
  const additions = await lists.read('labelled', id, answer.labelled, (events) => hasAllAdditions(labels, events))
  const isEnough = (nodes: Activity[]) => tellsStale(answer, nodes, time)
  const events = await lists.read(activity, id, answer.activity, isEnough)
  if (!hasTime()) await nextTurn()
  return {
    number,
    title,
    author: author?.login ?? '',
    createdAt,
    labels: labelTimes(labels, additions.nodes, additions.isComplete ? createdAt : null),
    activeAt: activeAt(answer, events, time),
  }
}
