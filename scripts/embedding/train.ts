// `node scripts/train-embedding.mjs FOLDER…` (see docs/services/code-index.md).
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countsOf } from '../../services/code-index/embedding/builtin.ts'
import { encodeWeights } from './encode.ts'
import { latent } from './latent.ts'
import { contrast, Model, type Bag } from './model.ts'
import { readPairs, type Pair } from './pairs.ts'
import { packagesIn, type Package } from './sources.ts'

const DIM = 256
const WORDS = 10_000
const BATCH = 512
/** Neighbours from one package are hard to distinguish. */
const GROUP = 64
const EPOCHS = 3
const RATE = 3e-3
const TEMPERATURE = 0.05
const DROPPED = 0.3
/** Limit per package, so that none dominates. */
const MOST_OF_ONE = 4000
const MOST_WORDS_OF_CODE = 160

interface Example {
  package: number
  question: Bag
  code: Bag
}

/** Seeded, for reproducible results. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const random = randomFrom(17)

function shuffled<T>(items: readonly T[]): T[] {
  const all = [...items]
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[all[at], all[other]] = [all[other]!, all[at]!]
  }
  return all
}

interface Counted {
  package: number
  question: Map<string, number>
  code: Map<string, number>
}

async function read(
  packages: readonly Package[],
): Promise<{ counted: Counted[]; used: (Package & { pairs: number })[] }> {
  const counted: Counted[] = []
  const used: (Package & { pairs: number })[] = []
  const seen = new Set<string>()
  for (const one of packages) {
    const { pairs } = await readPairs(one.folder)
    const fresh = shuffled(pairs.filter(({ question }) => !seen.has(question))).slice(0, MOST_OF_ONE)
    for (const pair of fresh) seen.add(pair.question)
    counted.push(...fresh.map((pair) => ({ package: used.length, ...countsOfPair(pair) })))
    if (fresh.length > 0) used.push({ ...one, pairs: fresh.length })
  }
  return { counted, used }
}

function countsOfPair({ question, path, symbol, content }: Pair): Pick<Counted, 'question' | 'code'> {
  const code = countsOf([
    [path, 1],
    [symbol, 3],
    [content, 1],
  ])
  return { question: countsOf([[question, 1]]), code }
}

/** The most frequent words, with their inverse document frequency. */
function vocabulary(counted: readonly Counted[]): { words: string[]; worth: Float32Array } {
  const texts = new Map<string, number>()
  for (const { question, code } of counted)
    for (const word of new Set([...question.keys(), ...code.keys()])) texts.set(word, (texts.get(word) ?? 0) + 1)
  const words = [...texts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, WORDS)
    .map(([word]) => word)
  const worth = Float32Array.from(words, (word) => Math.log(1 + counted.length / texts.get(word)!))
  return { words, worth }
}

function bagOf(
  counts: Map<string, number>,
  places: ReadonlyMap<string, number>,
  worth: (count: number) => number,
): Bag {
  const known = [...counts].filter(([word]) => places.has(word)).slice(0, MOST_WORDS_OF_CODE)
  return {
    words: Uint32Array.from(known, ([word]) => places.get(word)!),
    weights: Float32Array.from(known, ([, count]) => worth(count)),
  }
}

function batches(examples: readonly Example[]): Example[][] {
  const byPackage = new Map<number, Example[]>()
  for (const example of shuffled(examples))
    byPackage.set(example.package, [...(byPackage.get(example.package) ?? []), example])
  const groups: Example[][] = []
  for (const own of byPackage.values())
    for (let at = 0; at < own.length; at += GROUP) groups.push(own.slice(at, at + GROUP))
  const flat = shuffled(groups).flat()
  return Array.from({ length: Math.floor(flat.length / BATCH) }, (_each, at) =>
    flat.slice(at * BATCH, (at + 1) * BATCH),
  )
}

function dropped({ words, weights }: Bag): Bag {
  const kept = [...words.keys()].filter(() => random() >= DROPPED)
  if (kept.length === 0) return { words, weights }
  return { words: Uint32Array.from(kept, (at) => words[at]!), weights: Float32Array.from(kept, (at) => weights[at]!) }
}

function learn(model: Model, examples: readonly Example[]): void {
  let time = 0
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    const all = batches(examples)
    let sum = 0
    for (const [at, batch] of all.entries()) {
      const questions = batch.map(({ question }) => dropped(question))
      const codes = batch.map(({ code }) => dropped(code))
      const [asked, answered] = [model.forward(questions, 'inQuery'), model.forward(codes, 'inCode')]
      const { loss, slopes } = contrast(asked.rows, answered.rows, DIM, TEMPERATURE)
      model.backward(questions, 'inQuery', asked, slopes.questions)
      model.backward(codes, 'inCode', answered, slopes.codes)
      const left = 1 - (epoch - 1 + at / all.length) / EPOCHS
      model.step(RATE * Math.max(0.05, left), ++time)
      sum += loss
      if (at % 20 === 19)
        console.log(`epoch ${epoch}, batch ${at + 1} of ${all.length}: loss ${(sum / (at + 1)).toFixed(3)}`)
    }
  }
}

function encoded(model: Model, words: readonly string[], name: string): Buffer {
  const { values } = model.vectors
  const scales = new Float32Array(words.length)
  const vectors = new Int8Array(words.length * DIM)
  for (let word = 0; word < words.length; word++) {
    const row = values.subarray(word * DIM, (word + 1) * DIM)
    const scale = row.reduce((most, each) => Math.max(most, Math.abs(each)), 1e-9) / 127
    scales[word] = scale
    for (let d = 0; d < DIM; d++) vectors[word * DIM + d] = Math.round(row[d]! / scale)
  }
  const { inQuery, inCode } = model.gains
  return encodeWeights({ name, dim: DIM, words, inQuery: inQuery.values, inCode: inCode.values, scales, vectors })
}

async function main(folders: readonly string[], out: string): Promise<void> {
  const packages = folders.flatMap((folder) => packagesIn(folder))
  const { counted, used } = await read(packages)
  const languages = `${used.length} packages, ${counted.length} pairs`
  console.log(languages)
  const { words, worth } = vocabulary(counted)
  const places = new Map(words.map((word, at) => [word, at]))
  const examples = counted.map(({ package: from, question, code }) => ({
    package: from,
    question: bagOf(question, places, (count) => count),
    code: bagOf(code, places, (count) => 1 + Math.log(count)),
  }))
  const whole = examples.filter(({ question, code }) => question.words.length >= 2 && code.words.length >= 4)
  const model = new Model(
    DIM,
    latent(
      whole.flatMap(({ question, code }) => [question, code]),
      worth,
      DIM,
      random,
    ),
    worth,
  )
  learn(model, whole)
  mkdirSync(out, { recursive: true })
  writeFileSync(join(out, 'builtin-embedding.bin'), encoded(model, words, 'static-1'))
  const sources = used.map(({ registry, name, version, license, pairs }) => ({
    registry,
    name,
    version,
    license,
    pairs,
  }))
  const lines = sources.map((source) => JSON.stringify(source))
  writeFileSync(join(out, 'sources.json'), `[\n  ${lines.join(',\n  ')}\n]\n`)
  console.log(`${languages}; written to ${out}: ${readdirSync(out).join(', ')}`)
}

const [out = '', ...folders] = process.argv.slice(2)
await main(folders, out)
