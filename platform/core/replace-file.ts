// Files that are replaced in one step, so that a reader never sees half of one.
import { renameSync, writeFileSync } from 'node:fs'

/** Writes a file that only its owner may read. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`
  writeFileSync(temporary, text, { mode: 0o600 })
  renameSync(temporary, path)
}
