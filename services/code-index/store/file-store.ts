import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openGeneration } from './file-generation.ts'
import { FileWriter } from './file-writer.ts'
import { CurrentGenerations } from './current-generation.ts'
import type { ChunkStore, Generation, GenerationAbout, GenerationWriter } from './port.ts'
import { byLevel } from './rows.ts'

/** Increment when older files become unreadable: it forces a new index. */
const FORMAT = 1

export class FileStore implements ChunkStore {
  readonly kind = 'files'
  readonly #current: CurrentGenerations

  constructor(folder: string) {
    this.#current = new CurrentGenerations(folder, FORMAT)
  }

  async open(root: string): Promise<Generation | null> {
    const folder = this.#folder(root)
    try {
      return folder === null ? null : openGeneration(folder)
    } catch {
      return null
    }
  }

  about(root: string): GenerationAbout | null {
    const folder = this.#folder(root)
    try {
      return folder === null ? null : (JSON.parse(readFileSync(join(folder, 'about.json'), 'utf8')) as GenerationAbout)
    } catch {
      return null
    }
  }

  async begin(
    about: Pick<GenerationAbout, 'root' | 'model' | 'recipe'>,
    old: Generation | null,
  ): Promise<GenerationWriter> {
    const home = this.#current.home(about.root)
    const generation = this.#current.next(about.root)
    const temporary = join(home, `${generation}.tmp`)
    rmSync(temporary, { recursive: true, force: true })
    mkdirSync(temporary, { recursive: true, mode: 0o700 })
    const rows = byLevel(() => 0)
    return new FileWriter(temporary, { ...about, generation, rows, files: [] }, old, () => {
      const folder = join(home, String(generation))
      rmSync(folder, { recursive: true, force: true })
      renameSync(temporary, folder)
      this.#current.set(about.root, generation)
    })
  }

  async tidy(root: string): Promise<void> {
    this.#current.tidy(root)
  }

  async close(): Promise<void> {}

  #folder(root: string): string | null {
    const generation = this.#current.generation(root)
    return generation === null ? null : join(this.#current.home(root), String(generation))
  }
}
