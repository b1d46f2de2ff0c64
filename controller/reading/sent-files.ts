// Files that were sent along with manifests, in place of what stands at the folder they are read for.
import { dirname, resolve } from 'node:path'
import type { Overlay } from './environment.ts'
import { isInside, OUTSIDE, UNREADABLE } from './text-files.ts'

export interface SentFiles {
  /** All paths from `root`. */
  texts?: readonly { path: string; content: string }[]
  directories?: readonly string[]
  /** What is not there, whatever stands at `root`. */
  absent?: readonly string[]
}

/** `tree`: what texts may stand in, as the source will read them; null for a source that is what was sent. */
export function overlayOf(
  root: string,
  tree: string | null,
  { texts = [], directories = [], absent = [] }: SentFiles,
): Overlay {
  const contents = new Map(texts.map(({ path, content }) => [resolve(root, path), content]))
  const missing = new Set(absent.map((path) => resolve(root, path)))
  const there = new Set(directories.map((path) => resolve(root, path)))
  for (const path of contents.keys()) there.add(dirname(path))
  return {
    text: (path) => {
      const text = contents.get(path)
      if (text !== undefined) return tree === null || isInside(path, tree) ? { text } : OUTSIDE
      return missing.has(path) ? UNREADABLE : undefined
    },
    isDirectory: (path) => (there.has(path) ? true : missing.has(path) ? false : undefined),
  }
}
