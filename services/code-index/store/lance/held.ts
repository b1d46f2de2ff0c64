// Metadata of a generation, which records the rows that belong to it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LEVELS, type Level } from '../../../../schemas/code-index/search.ts'
import type { CurrentGenerations } from '../current-generation.ts'
import type { GenerationAbout } from '../port.ts'
import type { Range } from './messages.ts'

export interface Held {
  about: GenerationAbout
  table: string
  /** Number of each file's first row; the others follow it. */
  firsts: number[]
  /** Number of the first row of each other level. */
  levels: Record<Level, number>
  /** First unused row number. */
  next: number
}

/** Null if there is no current generation or it is unreadable. */
export function heldOf(current: CurrentGenerations, root: string): Held | null {
  const generation = current.generation(root)
  try {
    if (generation === null) return null
    return JSON.parse(readFileSync(join(current.home(root), `${generation}.json`), 'utf8')) as Held
  } catch {
    return null
  }
}

/** Tables of current generations; null if one is unreadable. */
export function tablesInForce(current: CurrentGenerations): string[] | null {
  try {
    return Array.from(current.all(), ({ home, generation }) => {
      return (JSON.parse(readFileSync(join(home, `${generation}.json`), 'utf8')) as Held).table
    })
  } catch {
    return null
  }
}

/** Consecutive rows of one level. */
export interface Run {
  range: Range
  level: Level
  from: number
}

/** Sorted by row number. */
export function runsOf({ about, firsts, levels }: Held): Run[] {
  const symbols = about.files.map(({ from, to }, at): Run => {
    return { range: [firsts[at]!, firsts[at]! + to - from - 1], level: 'symbol', from }
  })
  const above = LEVELS.filter((level) => level !== 'symbol').map((level): Run => {
    return { range: [levels[level], levels[level] + about.rows[level] - 1], level, from: 0 }
  })
  return [...symbols, ...above]
    .filter(({ range: [first, last] }) => last >= first)
    .sort((a, b) => a.range[0] - b.range[0])
}
