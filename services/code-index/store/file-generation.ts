// Opens a generation in files: numbers in memory, row texts on disk.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Level } from '../../../schemas/code-index/search.ts'
import { COLUMNS, type Column } from './file-writer.ts'
import type { Generation, GenerationAbout, Section, StoredRow } from './port.ts'
import { byLevel } from './rows.ts'

const SMALL = new Set<Column>(['typeOf', 'languageOf', 'all', 'name'])

/** Throws if a file is missing or damaged. */
export function openGeneration(folder: string): Generation {
  const about = json(folder, 'about.json') as GenerationAbout
  const names = json(folder, 'names.json') as Pick<Generation, 'words' | 'types' | 'languages'>
  const sections = byLevel((level) => openSection(folder, level, about))
  return {
    about,
    ...names,
    section: (level) => sections[level],
    close: () => {
      for (const section of Object.values(sections)) section.close()
    },
  }
}

const json = (folder: string, name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))

function openSection(folder: string, level: Level, about: GenerationAbout): Section & { close(): void } {
  const columns = readColumns(join(folder, `${level}.bin`))
  const symbols = json(folder, `${level}.symbols.json`) as (string | null)[]
  const count = about.rows[level]
  const lengths = columns.lengths as Uint32Array
  if (lengths.length !== count || symbols.length !== count || columns.vectors.length !== count * about.model.dim)
    throw new Error(`${folder}: ${level} does not have the expected ${count} rows`)
  const files = columns.files as Int32Array
  const file = openSync(join(folder, `${level}.jsonl`), 'r')
  const places = placesOf(lengths)
  const row = (at: number): StoredRow => {
    const bytes = Buffer.allocUnsafe(lengths[at]!)
    readSync(file, bytes, 0, bytes.length, places[at]!)
    return JSON.parse(bytes.toString('utf8')) as StoredRow
  }
  return {
    count,
    symbols,
    path: (at) => about.files[files[at]!]?.path ?? row(at).path,
    // Read synchronously: the file may be closed before a promise settles.
    rows: async (asked) => asked.map(row),
    close: () => closeSync(file),
    files,
    starts: columns.starts as Uint32Array,
    ends: columns.ends as Uint32Array,
    typeOf: columns.typeOf as Uint8Array,
    languageOf: columns.languageOf as Uint8Array,
    offsets: Uint32Array.from(placesOf(columns.counts as Uint32Array)),
    words: columns.words as Uint32Array,
    all: columns.all as Uint8Array,
    name: columns.name as Uint8Array,
    scales: columns.scales as Float32Array,
    vectors: columns.vectors as Int8Array,
  }
}

/** Start offset of each item, and the end of the last. */
function placesOf(lengths: Uint32Array): Float64Array {
  const places = new Float64Array(lengths.length + 1)
  for (let at = 0; at < lengths.length; at++) places[at + 1] = places[at]! + lengths[at]!
  return places
}

type Columns = Record<Column, Uint8Array | Int8Array | Uint32Array | Int32Array | Float32Array>

function readColumns(path: string): Columns {
  const { buffer, byteOffset, byteLength } = readFileSync(path)
  // 32-bit numbers must be aligned to four bytes.
  const whole = byteOffset % 8 === 0 ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
  const base = byteOffset % 8 === 0 ? byteOffset : 0
  let at = 0
  const columns = COLUMNS.map((column) => {
    const length = Number(new DataView(whole, base + at, 8).getBigUint64(0, true))
    const from = base + at + 8
    at += 8 + length + ((8 - (length % 8)) % 8)
    return [column, numbers(column, whole, from, length)]
  })
  if (at !== byteLength) throw new Error(`${path} has ${byteLength} bytes, expected ${at}`)
  return Object.fromEntries(columns) as Columns
}

function numbers(column: Column, whole: ArrayBufferLike, from: number, length: number): Columns[Column] {
  if (SMALL.has(column)) return new Uint8Array(whole, from, length)
  if (column === 'vectors') return new Int8Array(whole, from, length)
  if (column === 'scales') return new Float32Array(whole, from, length / 4)
  return column === 'files' ? new Int32Array(whole, from, length / 4) : new Uint32Array(whole, from, length / 4)
}
