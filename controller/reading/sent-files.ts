import { dirname, resolve } from 'node:path'
import type { Overlay } from './environment.ts'
import { textFault } from '../../schemas/validation/text.ts'
import { isInside, OUTSIDE, UNREADABLE } from './text-files.ts'

export interface SentFiles {
  texts?: readonly { path: string; content: string }[]
  directories?: readonly string[]
  /** Treated as missing even if present at `root`. */
  absent?: readonly string[]
}

/** `tree`: folder of readable texts; null for sent manifests. */
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
      if (text !== undefined)
        return tree !== null && !isInside(path, tree) ? OUTSIDE : textFault(text) ? UNREADABLE : { text }
      return missing.has(path) ? UNREADABLE : undefined
    },
    isDirectory: (path) => (there.has(path) ? true : missing.has(path) ? false : undefined),
  }
}
