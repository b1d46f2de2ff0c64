import { parsePatch, structuredPatch, type StructuredPatch } from 'diff'

export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  /** Line number before the change, null for added lines. */
  before: number | null
  after: number | null
  text: string
}

export interface Hunk {
  /** First and last line after the change. */
  from: number
  to: number
  added: number
  removed: number
  lines: readonly DiffLine[]
}

/** A longer diff is a list of hunks, each opened on its own. */
export const MOST_DIFF_LINES = 5000

const KINDS: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed', ' ': 'same' }

function hunksOf({ hunks }: Pick<StructuredPatch, 'hunks'>): Hunk[] {
  return hunks.map(({ oldStart, newStart, newLines, lines }) => {
    let [before, after] = [oldStart, newStart]
    const read = lines.flatMap((line): DiffLine[] => {
      // Another first character is a note, such as "\ No newline at end of file".
      const kind = KINDS[line.charAt(0)]
      if (kind === undefined) return []
      const text = line.slice(1)
      return [
        {
          kind,
          before: kind === 'added' ? null : before++,
          after: kind === 'removed' ? null : after++,
          text,
        },
      ]
    })
    const count = (kind: DiffLine['kind']) => read.filter((line) => line.kind === kind).length
    return {
      from: newStart,
      to: newStart + Math.max(newLines - 1, 0),
      added: count('added'),
      removed: count('removed'),
      lines: read,
    }
  })
}

/** Milliseconds, and changed lines: the page must not freeze over two texts without a common line. */
const LIMITS = { context: 3, timeout: 100, maxEditLength: 1000 }

/** Hunks with three lines of context. Null if comparing the texts would take too long. */
export function diffTexts(before: string, after: string): Hunk[] | null {
  const patch = structuredPatch('', '', before, after, undefined, undefined, LIMITS)
  return patch === undefined ? null : hunksOf(patch)
}

export interface FileDiff {
  file: string
  hunks: Hunk[]
}

/** Reads a unified diff. Null if it is not one: show the text instead. */
export function readPatch(text: string): FileDiff[] | null {
  try {
    return parsePatch(text).map((patch) => ({
      file: (patch.newFileName ?? patch.oldFileName ?? '').replace(/^[ab]\//, ''),
      hunks: hunksOf(patch),
    }))
  } catch {
    return null
  }
}

export const lineCount = (hunks: readonly Hunk[]): number => hunks.reduce((sum, { lines }) => sum + lines.length, 0)
