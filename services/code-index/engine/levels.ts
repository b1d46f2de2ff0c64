import { basename, dirname } from 'node:path'
import { unit } from '../search/vector.ts'
import type { OpenTree } from '../../../platform/files/open-file.ts'
import { textOf } from '../files/text.ts'
import type { GenerationWriter, IndexedFile } from '../store/port.ts'
import type { Level } from '../../../schemas/code-index/search.ts'
import { hashOf } from '../text/hash.ts'
import { wordsOf } from '../text/tokens.ts'

interface Below extends OpenTree {
  files: readonly IndexedFile[]
  dim: number
}

const LONGEST = 4000
const READMES = ['README.md', 'readme.md', 'README.rst', 'README.txt', 'README']

interface Folder {
  sum: Float32Array
  names: string[]
}

/** Adds the rows of files, directories and the repository. Every symbol row must already have its vector. */
export function addLevels(writer: GenerationWriter, { files, dim, ...tree }: Below): void {
  const folders = new Map<string, Folder>()
  const folderOf = (path: string): Folder => {
    const known = folders.get(path) ?? { sum: new Float32Array(dim), names: [] }
    folders.set(path, known)
    return known
  }
  for (const [place, file] of files.entries()) {
    const { sum, names, lines } = sumOfFile(writer, file, dim)
    addRow(writer, 'file', { ...file, place, type: 'file', symbol: basename(file.path), lines, names, sum })
    const folder = folderOf(dirname(file.path))
    folder.names.push(basename(file.path))
    addTo(folder.sum, directionOf(sum))
  }
  const whole = new Float32Array(dim)
  for (const path of [...folders.keys()].sort()) {
    const { sum, names } = folders.get(path)!
    const symbol = path === '.' ? basename(tree.root) : basename(path)
    addRow(writer, 'directory', { path, language: '', place: -1, type: 'directory', symbol, lines: 0, names, sum })
    addTo(whole, directionOf(sum))
  }
  const readme = READMES.map((name) => textOf(name, tree)).find((text) => text !== null) ?? ''
  const names = [readme.slice(0, LONGEST), ...[...folders.keys()].sort()]
  addRow(writer, 'repository', {
    path: '.',
    language: '',
    place: -1,
    type: 'repository',
    symbol: basename(tree.root),
    lines: 0,
    names,
    sum: whole,
  })
}

function sumOfFile(writer: GenerationWriter, { from, to }: IndexedFile, dim: number) {
  const sum = new Float32Array(dim)
  const names: string[] = []
  let lines = 1
  for (let at = from; at < to; at++) {
    const { symbol, start, end } = writer.levels.symbol.place(at)
    if (symbol !== null && names.at(-1) !== symbol) names.push(symbol)
    lines = Math.max(lines, end)
    addTo(sum, writer.levels.symbol.vector(at), Math.log(2 + end - start))
  }
  return { sum, names, lines }
}

interface Row {
  path: string
  language: string
  place: number
  type: string
  symbol: string
  lines: number
  names: readonly string[]
  sum: Float32Array
}

function addRow(writer: GenerationWriter, level: Level, row: Row): void {
  const { path, language, type, symbol, lines, names, sum } = row
  const content = [path, ...names].join('\n').slice(0, LONGEST)
  const hash = hashOf(content)
  const [start, end] = lines === 0 ? [0, 0] : [1, lines]
  const words = wordsOf({ path, symbol, content })
  const at = writer.add(level, { file: row.place, path, language, type, symbol, start, end, content, hash, words })
  writer.levels[level].setVector(at, directionOf(sum))
}

function addTo(sum: Float32Array, vector: Float32Array, weight = 1): void {
  for (let d = 0; d < vector.length; d++) sum[d]! += vector[d]! * weight
}

const directionOf = (sum: Float32Array): Float32Array => unit(sum) ?? sum
