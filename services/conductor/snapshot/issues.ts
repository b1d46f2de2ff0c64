import { activeAt, isHuman } from './activity.ts'
import type { Activity, IssueAnswer } from './answers.ts'
import type { Issue } from './facts.ts'
import { hasAllAdditions, labelTimes } from './label-times.ts'
import { ItemLists, type QueryWorld } from './nested.ts'

export async function issueOf(world: QueryWorld, answer: IssueAnswer): Promise<Issue> {
  return itemOf(new ItemLists(world), answer, 'issueActivity')
}

/** The facts that issues and pull requests have in common. */
export async function itemOf(
  lists: ItemLists,
  answer: IssueAnswer,
  activity: 'issueActivity' | 'activity',
): Promise<Issue> {
  const { id, number, title, author } = answer
  const createdAt = Date.parse(answer.createdAt)
  const labels = (await lists.read('labels', id, answer.labels)).nodes.map(({ name }) => name)
  const additions = await lists.read('labelled', id, answer.labelled, (events) => hasAllAdditions(labels, events))
  // Only the newest activity counts.
  const events = await lists.read(activity, id, answer.activity, (nodes: Activity[]) => nodes.some(isHuman))
  return {
    number,
    title,
    author: author?.login ?? '',
    createdAt,
    labels: labelTimes(labels, additions.nodes, createdAt),
    activeAt: activeAt(answer, events.nodes),
  }
}
