import type { GitHub } from './github.ts'

/** Squashes a pull request onto its base, as a person does with the button; its branch stays. Returns the commit. */
export function squash(github: GitHub, number: number, title?: string): string {
  github.sync()
  const pull = github.pull(number)
  const tree = github.git.mergeTree(pull.baseHead, pull.head)
  if (tree === null) throw new Error(`pull request ${number} conflicts with its base`)
  const sha = github.git.commit(pull.base, tree, [pull.baseHead], title ?? `${pull.title} (#${number})`)
  const { now } = github
  Object.assign(pull, { state: 'MERGED', mergedAt: now, mergeCommit: sha, updatedAt: now })
  return sha
}
