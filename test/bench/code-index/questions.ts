// Questions are the first sentences of documentation, which is removed before indexing.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readPairs, type Pair } from '../../../scripts/embedding/pairs.ts'
import { chunksOf } from '../../../services/code-index/chunks/chunk.ts'
import { Parsers } from '../../../services/code-index/chunks/parsers.ts'
import { endingOf, endingsOf } from '../../../services/code-index/files/languages.ts'
import type { Placed } from './plain.ts'
import { sources } from './sources.ts'

const OF_A_LANGUAGE = 160
const SPOKEN = endingsOf(['python', 'rust', 'javascript', 'typescript'])

export interface Question extends Pair {
  group: string
}

/** Writes the trees without documentation below `into`. Deterministic. */
export async function prepare(into: string): Promise<{ questions: Question[]; placed: Placed[] }> {
  const parsers = new Parsers()
  const questions: Question[] = []
  const placed: Placed[] = []
  for (const { language, folders } of sources()) {
    const own: Question[] = []
    for (const [at, folder] of folders.entries()) {
      const { pairs, files } = await readPairs(folder)
      for (const { path, text } of files) {
        const within = `${at}/${path}`
        mkdirSync(dirname(join(into, language, within)), { recursive: true })
        writeFileSync(join(into, language, within), text)
        const spoken = SPOKEN.get(endingOf(path)) ?? ''
        const definitions = (await parsers.definitions({ path, language: spoken }, text)) ?? []
        for (const chunk of chunksOf(text, definitions)) placed.push({ ...chunk, path: within })
      }
      own.push(...pairs.map((pair) => ({ ...pair, path: `${at}/${pair.path}`, group: language })))
    }
    questions.push(...chosen(own))
  }
  return { questions, placed }
}

/** Selects questions with one possible answer, spread evenly. */
function chosen(pairs: readonly Question[]): Question[] {
  const times = new Map<string, number>()
  for (const { question } of pairs) times.set(question, (times.get(question) ?? 0) + 1)
  const single = pairs.filter(
    ({ question, type }) => times.get(question) === 1 && (type === 'function' || type === 'method'),
  )
  const step = Math.max(1, single.length / OF_A_LANGUAGE)
  return Array.from({ length: Math.min(OF_A_LANGUAGE, single.length) }, (_each, at) => single[Math.floor(at * step)]!)
}
