// Loads a generation from the table: numbers in memory, row texts on demand.
import { nextTurn } from '../../../../platform/async/time-slices.ts'
import { LEVELS, type Level } from '../../../../schemas/code-index/search.ts'
import type { Client } from '../../workers/rpc.ts'
import type { Generation, IndexedFile, Section } from '../port.ts'
import { Names } from '../rows.ts'
import { wordsIn } from './arrow.ts'
import { runsOf, type Held, type Run } from './held.ts'
import type { ReadRows } from './messages.ts'
import type { Lance } from './process.ts'
import { SectionReader } from './section.ts'

/** The process counts as hung after this time. */
const ROWS_DEADLINE_MS = 60_000

/** Null if a row is missing or duplicated. */
export async function readGeneration(
  client: Client<Lance>,
  held: Held,
  how: { words: boolean },
): Promise<LanceGeneration | null> {
  const { about, table } = held
  const { root } = about
  const { dim } = about.model
  const [words, types, languages] = [new Names(), new Names(), new Names()]
  const files = new Map(about.files.map(({ path }, at) => [path, at]))
  const shared = { about, words, types, languages, files }
  const readers = new Map(LEVELS.map((level) => [level, new SectionReader(shared, level)]))
  const runs = runsOf(held)
  const reading = await client.call('read', { root, table, dim, ...how })
  for (;;) {
    const rows = await client.call('more', reading)
    if (rows === null) break
    put(rows, runs, readers)
    await nextTurn()
  }
  const sections = new Map<Level, Section>()
  for (const [level, reader] of readers) {
    const numbers = (places: readonly number[]) => places.map((at) => numberOf(held, level, at, section!))
    const section = reader.section((places) =>
      client.call('rows', { root, table, numbers: numbers(places) }, { deadlineMs: ROWS_DEADLINE_MS }),
    )
    if (section === null) return null
    sections.set(level, section)
  }
  const names = { words: words.names, types: types.names, languages: languages.names }
  return { about, ...names, held, section: (level) => sections.get(level)!, close: () => undefined }
}

export interface LanceGeneration extends Generation {
  readonly held: Held
}

/** Skips rows outside every run: they are not current. */
function put(rows: ReadRows, runs: readonly Run[], readers: ReadonlyMap<Level, SectionReader>): void {
  let [run, weight]: [Run | undefined, number] = [undefined, 0]
  for (const [k, number] of rows.numbers.entries()) {
    if (!run || number < run.range[0] || number > run.range[1]) run = runWith(runs, number)
    const words = wordsIn(rows.tokens[k])
    if (run) readers.get(run.level)!.put(run.from + number - run.range[0], rows, k, weight)
    weight += 2 * words
  }
}

function runWith(runs: readonly Run[], number: number): Run | undefined {
  let [low, high] = [0, runs.length - 1]
  while (low <= high) {
    const at = (low + high) >> 1
    const [first, last] = runs[at]!.range
    if (number < first) high = at - 1
    else if (number > last) low = at + 1
    else return runs[at]
  }
  return undefined
}

function numberOf({ about, firsts, levels }: Held, level: Level, at: number, { files }: Section): number {
  if (level !== 'symbol') return levels[level] + at
  const file: IndexedFile = about.files[files[at]!]!
  return firsts[files[at]!]! + at - file.from
}
