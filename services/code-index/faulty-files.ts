import type { FaultyFile } from './engine/searcher.ts'

/** Files named in a note. */
const MOST_NAMED = 3

/** Note of a repository about files that ended the parser; null without any. */
export function faultyFilesNote(files: readonly FaultyFile[]): string | null {
  if (files.length === 0) return null
  const named = files.slice(0, MOST_NAMED).map(({ path, fault }) => `${path} (${fault})`)
  const left = files.length - named.length
  const all = left === 0 ? named.join(', ') : `${named.join(', ')} and ${left} more`
  const what = files.length === 1 ? '1 file ended the parser and is' : `${files.length} files ended the parser and are`
  return `${what} split by lines: ${all}: change them, or exclude them with "ignore" of the repository`
}
