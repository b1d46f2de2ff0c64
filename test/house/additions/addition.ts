import { readFileSync, writeFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** New files, and replacements in existing files. */
export interface Addition {
  made: Record<string, string>
  touched: Record<string, [from: string, to: string][]>
}

/** Throws if a text to replace is missing. */
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
