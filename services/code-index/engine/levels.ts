// Rows of files, directories and the repository, made of the rows below them.
import { createHash } from 'node:crypto'
import { basename, dirname } from 'node:path'
import { join } from 'node:path'
import { unit } from '../search/vector.ts'
import { textOf } from '../files/text.ts'
import type { GenerationWriter, IndexedFile } from '../store/port.ts'
import type { Level } from '../../../schemas/code-index/search.ts'
import { wordsOf } from '../text/tokens.ts'

interface Below {
  root: string
  files: readonly IndexedFile[]
  dim: number
}

const LONGEST = 4000
const READMES = ['README.md', 'readme.md', 'README.rst', 'README.txt', 'README']

/** A sum of vectors. */
class Mean {
  readonly sum: Float32Array
  constructor(dim: number) {
    this.sum = new Float32Array(dim)
  }
  add(vector: Float32Array, weight: number): void {
    for (let d = 0; d < vector.length; d++) this.sum[d]! += vector[d]! * weight
  }
}

interface Folder {
  mean: Mean
  names: string[]
}

/** Expects every row of level symbol to be there with its vector. */
export function addLevels(writer: GenerationWriter, { root, files, dim }: Below): void {
  const folders = new Map<string, Folder>()
  const folderOf = (path: string): Folder => {
    const known = folders.get(path) ?? { mean: new Mean(dim), names: [] }
    folders.set(path, known)
    return known
  }
  for (const [place, file] of files.entries()) {
    const { mean, names, lines } = fileMean(writer, file, dim)
    addRow(writer, 'file', { ...file, place, type: 'file', symbol: basename(file.path), lines, names, mean })
    const folder = folderOf(dirname(file.path))
    folder.names.push(basename(file.path))
    folder.mean.add(unit(mean.sum) ?? mean.sum, 1)
  }
  const whole = new Mean(dim)
  for (const path of [...folders.keys()].sort()) {
    const { mean, names } = folders.get(path)!
    const symbol = path === '.' ? basename(root) : basename(path)
    addRow(writer, 'directory', { path, language: '', place: -1, type: 'directory', symbol, lines: 0, names, mean })
    whole.add(unit(mean.sum) ?? mean.sum, 1)
  }
  const readme = READMES.map((name) => textOf(join(root, name))).find((text) => text !== null) ?? ''
  const names = [readme.slice(0, LONGEST), ...[...folders.keys()].sort()]
  addRow(writer, 'repository', {
    path: '.',
    language: '',
    place: -1,
    type: 'repository',
    symbol: basename(root),
    lines: 0,
    names,
    mean: whole,
  })
}

function fileMean(writer: GenerationWriter, { from, to }: IndexedFile, dim: number) {
  const mean = new Mean(dim)
  const names: string[] = []
  let lines = 1
  for (let at = from; at < to; at++) {
    const { symbol, start, end } = writer.look('symbol', at)
    if (symbol !== null && names.at(-1) !== symbol) names.push(symbol)
    lines = Math.max(lines, end)
    mean.add(writer.vector('symbol', at), Math.log(2 + end - start))
  }
  return { mean, names, lines }
}

interface Row {
  path: string
  language: string
  place: number
  type: string
  symbol: string
  lines: number
  names: readonly string[]
  mean: Mean
}

function addRow(writer: GenerationWriter, level: Level, row: Row): void {
  const { path, language, type, symbol, lines, names, mean } = row
  const content = [path, ...names].join('\n').slice(0, LONGEST)
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 32)
  const [start, end] = lines === 0 ? [0, 0] : [1, lines]
  const words = wordsOf({ path, symbol, content })
  const at = writer.add(level, { file: row.place, path, language, type, symbol, start, end, content, hash, words })
  writer.setVector(level, at, unit(mean.sum) ?? mean.sum)
}
