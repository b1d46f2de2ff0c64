// Files that a page shows whole: blocks of YAML whose first line is a comment with their path.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/root.ts'

/** By path. */
export function shownFiles(page: string): Record<string, string> {
  const text = readFileSync(join(root, page), 'utf8')
  return Object.fromEntries(
    [...text.matchAll(/^```yaml\n# (\S+)\n(.*?)^```/gms)].map(([, path, block]) => [path!, block!]),
  )
}
