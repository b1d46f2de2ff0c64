// What an addition to the tree is, and how it is carried out.
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Files to make, and edits of files that stand: a text and what takes its place. */
export interface Addition {
  made: Record<string, string>
  touched: Record<string, [from: string, to: string][]>
}

/** Carries an addition out below `root`. Throws when a text to be replaced is not there. */
export function add(root: string, { made, touched }: Addition): void {
  for (const [file, text] of Object.entries(made)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text.trimStart())
  }
  for (const [file, edits] of Object.entries(touched)) {
    let text = readFileSync(join(root, file), 'utf8')
    for (const [from, to] of edits) {
      if (!text.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)}`)
      text = text.replace(from, () => to)
    }
    writeFileSync(join(root, file), text)
  }
}
