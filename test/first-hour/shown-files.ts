import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/root.ts'

/** Returns the YAML blocks of a page whose first line is a comment with their path. */
export function shownFiles(page: string): Record<string, string> {
  const text = readFileSync(join(root, page), 'utf8')
  return Object.fromEntries(
    [...text.matchAll(/^```yaml\n# (\S+)\n(.*?)^```/gms)].map(([, path, block]) => [path!, block!]),
  )
}
