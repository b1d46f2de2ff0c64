// Which generation of a directory is in force: a folder a directory, and in it a file that names the one.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf } from '../text/hash.ts'

interface Current {
  format: number
  folder: string
}

export class CurrentGenerations {
  readonly #folder: string
  readonly #format: number

  /** `folder` is made when it is first needed. `format`: what was written in another one is not in force. */
  constructor(folder: string, format: number) {
    this.#folder = folder
    this.#format = format
  }

  /** Folder of a directory. */
  home(root: string): string {
    return join(this.#folder, hashOf(root))
  }

  /** Number of the generation; null where there is none. */
  generation(root: string): number | null {
    return this.#generationIn(this.home(root))
  }

  #generationIn(home: string): number | null {
    try {
      const text = readFileSync(join(home, 'current.json'), 'utf8')
      const { format, folder } = JSON.parse(text) as Current
      return format === this.#format ? Number(folder) : null
    } catch {
      return null
    }
  }

  /** Folder of every directory that has a generation in force, and its number. */
  *all(): Generator<{ home: string; generation: number }> {
    if (!existsSync(this.#folder)) return
    for (const name of readdirSync(this.#folder)) {
      const home = join(this.#folder, name)
      const generation = this.#generationIn(home)
      if (generation !== null) yield { home, generation }
    }
  }

  /** A number that no generation of the directory has had, not even one that cannot be read any more. */
  next(root: string): number {
    return (
      Math.max(0, this.generation(root) ?? 0, ...this.#names(root).map((name) => Number.parseInt(name, 10) || 0)) + 1
    )
  }

  /** Wholly or not at all. */
  set(root: string, generation: number): void {
    const home = this.home(root)
    mkdirSync(home, { recursive: true, mode: 0o700 })
    replace(join(home, 'current.json'), JSON.stringify({ format: this.#format, folder: String(generation) }))
  }

  /** Removes what is of other generations, or of none that was ended. */
  tidy(root: string): void {
    const current = this.generation(root)
    for (const name of this.#names(root))
      if (/^\d+(\.\w+)?$/.test(name) && !(name === String(current) || name === `${current}.json`))
        rmSync(join(this.home(root), name), { recursive: true, force: true })
  }

  #names(root: string): string[] {
    const home = this.home(root)
    return existsSync(home) ? readdirSync(home) : []
  }
}

/** Wholly or not at all. */
export function replace(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text, { mode: 0o600, flush: true })
  renameSync(`${path}.tmp`, path)
}
