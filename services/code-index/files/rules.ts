import { lstatSync, readFileSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { fitsRule, ignoreRule, type IgnoreRule } from './path-patterns.ts'

const IGNORE_FILES = ['.gitignore', '.ignore']
const LARGEST_IGNORE_FILE = 1024 * 1024

export interface Rules {
  /** Number of folders above the ones that the rules are for. */
  depth: number
  /** The last one first: it decides. */
  rules: readonly IgnoreRule[]
}

const rulesOf = (lines: readonly string[], depth: number): Rules => ({
  depth,
  rules: lines.flatMap((line) => ignoreRule(line) ?? []).reverse(),
})

/** These patterns override every ignore file. */
export const alwaysOf = (patterns: readonly string[]): Rules => rulesOf(patterns, 0)

export const ignoreFilesOf = (folder: string, entries: readonly Dirent[]): string[] =>
  entries
    .filter((entry) => IGNORE_FILES.includes(entry.name) && entry.isFile())
    .map(({ name }) => join(folder, name))
    .sort()

/** `path` is relative to the root and ends with a slash. */
export function withOwnRules(ignoreFiles: readonly string[], path: string, above: readonly Rules[]): readonly Rules[] {
  const lines = ignoreFiles.flatMap(linesOf)
  return lines.length === 0 ? above : [...above, rulesOf(lines, path.split('/').length - 1)]
}

function linesOf(path: string): string[] {
  try {
    if (lstatSync(path).size > LARGEST_IGNORE_FILE) return []
    return `${readFileSync(path, 'utf8')}\n`.replace(/^\uFEFF/, '').split(/\r?\n/)
  } catch {
    return []
  }
}

/** The nearest ignore file with a matching rule decides. Folder paths end with a slash. */
export function isIgnored(path: string, always: Rules, above: readonly Rules[]): boolean {
  const isFolder = path.endsWith('/')
  const names = (isFolder ? path.slice(0, -1) : path).toLowerCase().split('/')
  const decided = (each: Rules) => {
    const below = each.depth === 0 ? names : names.slice(each.depth)
    return each.rules.find((rule) => fitsRule(rule, below, isFolder))
  }
  if (decided(always)?.isNegated === false) return true
  for (let at = above.length - 1; at >= 0; at--) {
    const rule = decided(above[at]!)
    if (rule) return !rule.isNegated
  }
  return false
}

export class TreeRules {
  readonly #root: string
  readonly #always: Rules
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
