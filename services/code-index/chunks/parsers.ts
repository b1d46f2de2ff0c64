import type { Definition } from './chunk.ts'
import { loadScriptParser, scriptDefinitions, type ParseScript } from './script.ts'
import { TreeParsers } from './tree.ts'

export interface SourceFile {
  path: string
  language: string
}

/** Levels of definitions in definitions; deeper ones are part of their container. */
const MOST_LEVELS = 6
/** Characters; a name can be a quoted text. */
const LONGEST_NAME = 200

/** Native and WebAssembly code that can crash on foreign text: used in the parser process only. */
export class Parsers {
  #script: Promise<ParseScript | null> | null = null
  readonly #trees = new TreeParsers()

  /**
   * Null if the text does not parse, or without a parser for the language. After a rejection, the parsers can be in an
   * undefined state: do not use them.
   */
  async definitions({ path, language }: SourceFile, text: string): Promise<Definition[] | null> {
    const isScript = language === 'javascript' || language === 'typescript'
    const found = isScript ? await this.#scripts(path, text) : await this.#trees.definitions(language, text)
    return found && bounded(found)
  }

  async #scripts(path: string, text: string): Promise<Definition[] | null> {
    this.#script ??= loadScriptParser()
    const parse = await this.#script
    return parse && scriptDefinitions(parse, path, text)
  }
}

function bounded(definitions: readonly Definition[], levels = MOST_LEVELS): Definition[] {
  return definitions.map((each) => ({
    ...each,
    name: wellFormed(each.name.slice(0, LONGEST_NAME)),
    children: levels > 1 ? bounded(each.children, levels - 1) : [],
  }))
}

/** Replaces lone surrogates. */
const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8')
