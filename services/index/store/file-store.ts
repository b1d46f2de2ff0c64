// Chunks in plain files: a folder a directory, in it a folder a generation, and a file that names the one in force.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { LEVELS } from '../../../schemas/index/search.ts'
import { openGeneration } from './file-generation.ts'
import { FileWriter } from './file-writer.ts'
import type { ChunkStore, Generation, GenerationAbout, GenerationWriter } from './port.ts'

/** Counts up when files of an earlier version cannot be read any more: they are made anew. */
export const FORMAT = 1

interface Current {
  format: number
  folder: string
}

export class FileStore implements ChunkStore {
  readonly #folder: string

  /** `folder` is made when it is first needed. */
  constructor(folder: string) {
    this.#folder = folder
  }

  open(root: string): Generation | null {
    const folder = this.#current(root)
    try {
      return folder === null ? null : openGeneration(folder)
    } catch {
      return null
    }
  }

  about(root: string): GenerationAbout | null {
    const folder = this.#current(root)
    try {
      return folder === null ? null : (JSON.parse(readFileSync(join(folder, 'about.json'), 'utf8')) as GenerationAbout)
    } catch {
      return null
    }
  }

  inForce(root: string): number | null {
    const folder = this.#current(root)
    return folder === null ? null : Number(basename(folder))
  }

  begin(about: Pick<GenerationAbout, 'root' | 'model' | 'recipe'>): GenerationWriter {
    const home = this.#home(about.root)
    const generation = this.#last(about.root) + 1
    const temporary = join(home, `${generation}.tmp`)
    rmSync(temporary, { recursive: true, force: true })
    mkdirSync(temporary, { recursive: true, mode: 0o700 })
    const rows = Object.fromEntries(LEVELS.map((level) => [level, 0])) as GenerationAbout['rows']
    return new FileWriter(temporary, { ...about, generation, rows, files: [] }, () => {
      const folder = join(home, String(generation))
      rmSync(folder, { recursive: true, force: true })
      renameSync(temporary, folder)
      replace(join(home, 'current.json'), JSON.stringify({ format: FORMAT, folder: String(generation) }))
    })
  }

  tidy(root: string): void {
    const home = this.#home(root)
    const current = this.#current(root)
    for (const name of existsSync(home) ? readdirSync(home) : [])
      if (/^\d+(\.tmp)?$/.test(name) && join(home, name) !== current)
        rmSync(join(home, name), { recursive: true, force: true })
  }

  /** The highest number of a generation, also of one that cannot be read any more. */
  #last(root: string): number {
    const home = this.#home(root)
    const numbers = existsSync(home) ? readdirSync(home).map((name) => (/^\d+$/.test(name) ? Number(name) : 0)) : []
    return Math.max(0, this.about(root)?.generation ?? 0, ...numbers)
  }

  #home(root: string): string {
    return join(this.#folder, createHash('sha256').update(root).digest('hex').slice(0, 32))
  }

  #current(root: string): string | null {
    const home = this.#home(root)
    try {
      const { format, folder } = JSON.parse(readFileSync(join(home, 'current.json'), 'utf8')) as Current
      return format === FORMAT ? join(home, folder) : null
    } catch {
      return null
    }
  }
}

/** Wholly or not at all. */
function replace(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text, { mode: 0o600, flush: true })
  renameSync(`${path}.tmp`, path)
}
