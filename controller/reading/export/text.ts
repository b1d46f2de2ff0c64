// A manifest as YAML text that reads back as exactly that.
import { parse, stringify } from 'yaml'

/** Ends in a newline. Texts of several lines stand as blocks, as far as a block can say them. */
export function manifestText(manifest: object): string {
  const text = stringify(manifest, LAYOUT)
  return readsAs(text, manifest) ? text : stringify(manifest, { ...LAYOUT, defaultStringType: 'QUOTE_DOUBLE' })
}

const LAYOUT = { lineWidth: 0, aliasDuplicateObjects: false } as const

function readsAs(text: string, manifest: object): boolean {
  try {
    return JSON.stringify(parse(text)) === JSON.stringify(manifest)
  } catch {
    return false
  }
}
