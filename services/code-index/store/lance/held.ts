// What is kept of a generation beside its rows: which of them are in force.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LEVELS, type Level } from '../../../../schemas/code-index/search.ts'
import type { CurrentGenerations } from '../current-generation.ts'
import type { GenerationAbout } from '../port.ts'
import type { Range } from './messages.ts'

export interface Held {
  about: GenerationAbout
  /** The table its rows are in. */
  table: string
  /** Number of each file's first row; its others come after it. */
  firsts: number[]
  /** Likewise of the rows of the levels above. */
  levels: Record<Level, number>
  /** No row has this number yet. */
  next: number
}

/** The generation in force of a directory; null where there is none that can be read. */
export function heldOf(current: CurrentGenerations, root: string): Held | null {
  const generation = current.generation(root)
  try {
    if (generation === null) return null
    return JSON.parse(readFileSync(join(current.home(root), `${generation}.json`), 'utf8')) as Held
  } catch {
    return null
  }
}

/** Tables that a generation in force has its rows in; null where one cannot be read. */
export function tablesInForce(current: CurrentGenerations): string[] | null {
  try {
    return Array.from(current.all(), ({ home, generation }) => {
      return (JSON.parse(readFileSync(join(home, `${generation}.json`), 'utf8')) as Held).table
    })
  } catch {
    return null
  }
}

/** Rows that follow each other in the store and in a level. */
export interface Run {
  range: Range
  level: Level
  /** Place of the first. */
  from: number
}

/** In the order of their numbers. */
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
