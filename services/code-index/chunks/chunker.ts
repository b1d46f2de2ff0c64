import { chunksOf, type Chunk, type Definition } from './chunk.ts'
import { loadScriptParser, scriptDefinitions, type ParseScript } from './script.ts'
import { TreeParsers } from './tree.ts'

export interface SourceFile {
  path: string
  language: string
}

export class Chunker {
  readonly #parseScript: ParseScript | null
  readonly #trees = new TreeParsers()

  private constructor(parseScript: ParseScript | null) {
    this.#parseScript = parseScript
  }

  static async load(): Promise<Chunker> {
    return new Chunker(await loadScriptParser())
  }

  /** Never throws: files that do not parse are split by lines. */
  async chunks(file: SourceFile, text: string): Promise<Chunk[]> {
    return chunksOf(text, (await this.#definitions(file, text)) ?? [])
  }

  async #definitions({ path, language }: SourceFile, text: string): Promise<Definition[] | null> {
    try {
      if (language !== 'javascript' && language !== 'typescript') return await this.#trees.definitions(language, text)
      return this.#parseScript && scriptDefinitions(this.#parseScript, path, text)
    } catch {
      return null
    }
  }
}
