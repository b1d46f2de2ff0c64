// The path that a program would reach: symbolic links followed, also links to missing files.
import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs'
import { posix } from 'node:path'

const LONGEST = 4096
const MOST_LINKS = 40
/** About microseconds of the main thread, in all of a request. */
const MOST_COST = 10_000
const COST_OF_PATH = 2
const CHARACTERS_FOR_ONE = 64
const COST_OF_ENTRY = 3
const COST_OF_FOLDER = 0.5

/** The paths of a request cost too much to resolve while other callers wait. */
export class TooManyLookups extends Error {}

/** What one request looks up in the file system: each path once, and beyond a budget TooManyLookups is thrown. */
export class PathLookups {
  #left: number
  readonly #entries = new Map<string, Stats | null | undefined>()
  readonly #existing = new Map<string, string | null | undefined>()

  /** `most`: Infinity for paths that the owner of an agent wrote. */
  constructor(most = MOST_COST) {
    this.#left = most
  }

  /**
   * Every path that `path` may mean, with `..` taken before links are followed and after; null when that is not
   * certain.
   */
  realPaths(path: string): string[] | null {
    this.#spend(COST_OF_PATH + path.length / CHARACTERS_FOR_ONE)
    const normal = posix.resolve('/', path)
    const climbs = /(^|\/)\.\.(\/|$)/.test(path)
    if ((climbs ? path : normal).length > LONGEST || path.includes('\0')) return null
    const lexical = this.#follow(normal, 0)
    const physical = climbs ? this.#follow(path, 0) : lexical
    return lexical === null || physical === null ? null : [...new Set([lexical, physical])]
  }

  /** The entry at a path, links not followed; null when there is none or that is not certain. */
  entryAt(path: string): Stats | null {
    this.#spend(COST_OF_PATH + path.length / CHARACTERS_FOR_ONE)
    return this.#entry(path) ?? null
  }

  /** Whether a path is a directory now; false when that is not certain. */
  isDirectory(path: string): boolean {
    return this.entryAt(path)?.isDirectory() ?? false
  }

  #spend(cost: number): void {
    this.#left -= cost
    if (this.#left < 0) throw new TooManyLookups()
  }

  /** The real path of the deepest ancestor that exists, and the rest of the path as written. */
  #follow(path: string, links: number): string | null {
    if (links > MOST_LINKS) return null
    const whole = this.#realAt(path)
    if (whole !== undefined) return whole
    let [real, from] = ['/', 0]
    for (;;) {
      const slash = path.indexOf('/', from + 1)
      const end = slash < 0 ? path.length : slash
      const above = path.slice(0, end)
      const found = this.#realAt(above)
      if (found === null) return null
      if (found === undefined) {
        const target = this.#danglingLink(above)
        if (target === null) return posix.resolve(real, `.${path.slice(from)}`)
        return this.#follow(absoluteTarget(target, above) + path.slice(end), links + 1)
      }
      real = found
      from = end
    }
  }

  /** Undefined when nothing is there; null when it is not certain. */
  #realAt(path: string): string | null | undefined {
    if (!this.#existing.has(path)) {
      const entry = this.#entry(path)
      this.#existing.set(path, entry ? realOf(path) : entry)
    }
    return this.#existing.get(path)
  }

  #danglingLink(path: string): string | null {
    try {
      return this.#entry(path)?.isSymbolicLink() ? readlinkSync(path) : null
    } catch {
      // Missing, or below a file.
      return null
    }
  }

  /** Undefined when nothing is there; null when it is not certain. */
  #entry(path: string): Stats | null | undefined {
    if (!this.#entries.has(path)) {
      this.#spend(COST_OF_ENTRY + path.split('/').length * COST_OF_FOLDER)
      this.#entries.set(path, entryOf(path))
    }
    return this.#entries.get(path)
  }
}

const absoluteTarget = (target: string, link: string): string =>
  target.startsWith('/') ? target : `${posix.dirname(link)}/${target}`

function realOf(path: string): string | null | undefined {
  try {
    return realpathSync.native(path)
  } catch (error) {
    return nothingThere(error) ? undefined : null
  }
}

function entryOf(path: string): Stats | null | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    return nothingThere(error) ? undefined : null
  }
}

function nothingThere(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}
