// Expected screens in files, normalised for comparison.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = join(dirname(fileURLToPath(import.meta.url)), 'screens')
const ESCAPES = /\u001b\[[0-9;]*m/g

/** Replaces ids, times, ports and the `places` of this run. */
export function normalise(text: string, places: readonly (readonly [string, string])[]): string {
  return places
    .reduce((before, [here, anywhere]) => before.replaceAll(here, anywhere), text)
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '1f3c9a2b-0000-4000-8000-000000000000')
    .replace(/(?<=\b|\u001b\[[0-9;]*m)(?=\w*\d)[0-9a-f]{12}\b/g, '1f3c9a2b0000')
    .replace(/(?<=\b|\u001b\[[0-9;]*m)(?=\w*\d)[0-9a-f]{8}\b/g, '1f3c9a2b')
    .replace(/\b[0-9a-f]{32,64}\b/g, '1f3c9a2b00000000')
    .replace(/\b\d+ files in dist/g, '150 files in dist')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:17000')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2030-01-31T09:00:00.000Z')
    .replace(/\d\d:\d\d:\d\d/g, '09:00:00')
}

/** Minimum number of cells of a table row. */
const ROW = 4

/** Log entries, whose order varies. */
const LOGGED = /^(?:\u001b\[[0-9;]*m)*\[09:00:00\].*\n(?: {2}\S.*\n)*/gm

/** Distinct lines without durations and costs; the start of truncated lines and table rows, because times have varying widths. */
export function comparedLines(text: string): string[] {
  const lines = text
    .replace(LOGGED, '')
    .split('\n')
    .map((line) => {
      const cells = line.replace(ESCAPES, '').split(/ {2,}/)
      if (cells.length >= ROW) return cells.slice(0, 2).join(' ')
      const steady = line
        .replace(/(?:<|\b)\d+(?:\.\d+)? (?:ms|s|min|h)(?![a-z])/g, 'N s')
        .replace(/ECHO\(\d+\)/g, 'ECHO(N)')
        // Of all turns since the start of the agent.
        .replace(/\b\d+\.\d+ USD/g, 'N USD')
        // Depends on the home folder.
        .replace(/\b(hidden:?(?:\u001b\[[0-9;]*m)*) \d+/g, '$1 N')
        .replace(/-{2,}/g, '--')
        .replace(/ +/g, ' ')
        .trimEnd()
      if (/^[0-9a-f]+…/.test(steady.replace(ESCAPES, ''))) return 'a truncated id'
      return steady.includes('…') ? steady.replace(ESCAPES, '').split(' ').slice(0, 2).join(' ') : steady
    })
  return [...new Set(lines)]
}

export function readScreen(terminal: string, name: string): string | null {
  const path = join(folder, terminal, `${name}.txt`)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

export function writeScreen(terminal: string, name: string, text: string): void {
  const path = join(folder, terminal, `${name}.txt`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${text.trimEnd()}\n`)
}
