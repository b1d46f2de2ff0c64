import { lstatSync, readFileSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import ignore, { type Ignore } from 'ignore'

const IGNORE_FILES = ['.gitignore', '.ignore']
const LARGEST_IGNORE_FILE = 1024 * 1024

export interface Rules {
  /** Length of the folder's path, including the slash. */
  from: number
  rules: Ignore
}

/** These patterns override every ignore file. */
export const alwaysOf = (patterns: readonly string[]): Ignore => ignore().add([...patterns])

export const ignoreFilesOf = (folder: string, entries: readonly Dirent[]): string[] =>
  entries
    .filter((entry) => IGNORE_FILES.includes(entry.name) && entry.isFile())
    .map(({ name }) => join(folder, name))
    .sort()

/** `path` is relative to the root and ends with a slash. */
export function withOwnRules(ignoreFiles: readonly string[], path: string, above: readonly Rules[]): readonly Rules[] {
  const texts = ignoreFiles.flatMap(ruleText)
  return texts.length === 0 ? above : [...above, { from: path.length, rules: ignore().add(texts.join('\n')) }]
}

function ruleText(path: string): string[] {
  try {
    return lstatSync(path).size > LARGEST_IGNORE_FILE ? [] : [readFileSync(path, 'utf8')]
  } catch {
    return []
  }
}

/** The nearest ignore file with a matching rule decides. Folder paths end with a slash. */
export function isIgnored(path: string, always: Ignore, above: readonly Rules[]): boolean {
  if (always.ignores(path)) return true
  for (let at = above.length - 1; at >= 0; at--) {
    const { from, rules } = above[at]!
    const { ignored, unignored } = rules.test(path.slice(from))
    if (ignored) return true
    if (unignored) return false
  }
  return false
}

export class TreeRules {
  readonly #root: string
  readonly #always: Ignore
  readonly #folders = new Map<string, readonly Rules[] | null>()

  constructor(root: string, patterns: readonly string[]) {
    this.#root = root
    this.#always = alwaysOf(patterns)
  }

  leavesOut(path: string): boolean {
    const above = this.#rulesIn(path.slice(0, path.lastIndexOf('/') + 1))
    return above === null || isIgnored(path, this.#always, above)
  }

  /** `path` ends with a slash. */
  leavesOutFolder(path: string): boolean {
    const above = this.#rulesIn(parentOf(path))
    return above === null || isIgnored(path, this.#always, above)
  }

  #rulesIn(path: string): readonly Rules[] | null {
    const known = this.#folders.get(path)
    if (known !== undefined) return known
    const isOut = path !== '' && this.leavesOutFolder(path)
    const above = path === '' ? [] : this.#rulesIn(parentOf(path))
    const rules = isOut || above === null ? null : withOwnRules(this.#ignoreFiles(path), path, above)
    this.#folders.set(path, rules)
    return rules
  }

  #ignoreFiles(path: string): string[] {
    return IGNORE_FILES.map((name) => join(this.#root, path, name)).filter((file) => {
      try {
        return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true
      } catch {
        return false
      }
    })
  }
}

/** Paths end with a slash; the root is empty. */
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/', path.length - 2) + 1)
