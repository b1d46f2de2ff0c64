// Tracks the current generation: one folder per directory, with a file that names it.
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

  /** Creates `folder` on first use. Generations written in another format are ignored. */
  constructor(folder: string, format: number) {
    this.#folder = folder
    this.#format = format
  }

  home(root: string): string {
    return join(this.#folder, hashOf(root))
  }

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

  *all(): Generator<{ home: string; generation: number }> {
    if (!existsSync(this.#folder)) return
    for (const name of readdirSync(this.#folder)) {
      const home = join(this.#folder, name)
      const generation = this.#generationIn(home)
      if (generation !== null) yield { home, generation }
    }
  }

  /** Higher than every existing generation, unreadable ones included. */
  next(root: string): number {
    return (
      Math.max(0, this.generation(root) ?? 0, ...this.#names(root).map((name) => Number.parseInt(name, 10) || 0)) + 1
    )
  }

  /** Atomic. */
  set(root: string, generation: number): void {
    const home = this.home(root)
    mkdirSync(home, { recursive: true, mode: 0o700 })
    replace(join(home, 'current.json'), JSON.stringify({ format: this.#format, folder: String(generation) }))
  }

  /** Removes old generations and incomplete ones. */
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

/** Writes atomically. */
export function replace(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text, { mode: 0o600, flush: true })
  renameSync(`${path}.tmp`, path)
}
