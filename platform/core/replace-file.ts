import { renameSync, writeFileSync } from 'node:fs'

/** Replaces a file (mode 0600) atomically. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`
  writeFileSync(temporary, text, { mode: 0o600 })
  renameSync(temporary, path)
}
