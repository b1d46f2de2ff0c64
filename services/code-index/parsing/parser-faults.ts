import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../../platform/core/replace-file.ts'
import { CHUNKS_VERSION } from '../chunks/chunk.ts'
import { hashOf } from '../text/hash.ts'

const MOST = 10_000

/** Texts that ended the parser process, stored so that no later run parses them again. */
export class ParserFaults {
  readonly #folder: string
  readonly #reasons: Map<string, string>

  constructor(folder: string) {
    this.#folder = folder
    this.#reasons = this.#read()
  }

  reason(key: string): string | null {
    return this.#reasons.get(key) ?? null
  }

  /** Evicts the oldest entry above `MOST`. */
  add(key: string, reason: string): void {
    this.#reasons.set(key, reason)
    if (this.#reasons.size > MOST) this.#reasons.delete(this.#reasons.keys().next().value!)
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    replaceFile(this.#path, JSON.stringify([...this.#reasons]))
  }

  /** Empty if the file is missing or damaged. */
  #read(): Map<string, string> {
    try {
      return new Map(JSON.parse(readFileSync(this.#path, 'utf8')) as [string, string][])
    } catch {
      return new Map()
    }
  }

  get #path(): string {
    return join(this.#folder, 'parser-faults.json')
  }
}

/** `ending` and `language` select the parser. */
export const faultKey = ({ ending, language, text }: { ending: string; language: string; text: string }): string =>
  hashOf([CHUNKS_VERSION, ending, language, text].join('\0'))
