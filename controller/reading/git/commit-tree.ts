// Files and links of a commit below a folder, as in a checkout.
import { posix } from 'node:path'
import type { TreeLine } from '../../../platform/git/mirror.ts'
import { isHidden, isManifest } from '../folder/folder-listings.ts'
import type { FileFault } from '../yaml/text-decoding.ts'

/** Path below the folder, outside it, or dangling (null). */
export type ResolvedPath = { to: string } | 'outside' | null

export interface Found {
  path: string
  oid: string | null
  fault: FileFault | null
}

export interface LinkTargets {
  /** Link text by object id; null if too long for a path. */
  targets: ReadonlyMap<string, string | null>
  /** Folders of the whole commit, from its top. */
  folders: ReadonlySet<string>
  /** Path of the folder in the commit; empty for its top. */
  below: string
}

const LINK = '120000'
const SUBMODULE = '160000'
const MOST_HOPS = 40
const MOST_LEVELS = 64
/** Entries that links to folders may add. */
const MOST_MULTIPLIED = 200_000

interface Entry {
  mode: string
  oid: string
}

export class CommitTree {
  readonly #entries = new Map<string, Entry>()
  readonly #children = new Map<string, string[]>([['', []]])
  readonly #broken: Found[] = []
  readonly #links: LinkTargets
  #visited = 0

  constructor(lines: readonly TreeLine[], links: LinkTargets) {
    this.#links = links
    for (const { mode, oid, path } of lines) {
      const name = path.toString('utf8')
      if (Buffer.from(name, 'utf8').equals(path)) this.#add(name, { mode, oid })
      else if (isManifest(name) && !isHidden(name)) this.#broken.push({ path: name, oid: null, fault: NO_UTF8 })
    }
  }

  /** Follows links inside the folder; `path` is that of the file itself. Null if there is no such file. */
  file(path: string): { oid: string; path: string } | 'outside' | null {
    const led = this.real(path)
    if (led === null || led === 'outside') return led
    const entry = this.#entries.get(led.to)
    return entry && entry.mode !== SUBMODULE ? { oid: entry.oid, path: led.to } : null
  }

  /** Sorted by path, without ignored files. Throws a RangeError if links add too many entries. */
  manifests(): Found[] {
    const found = [...this.#broken]
    this.#visited = 0
    this.#walk('', '', [], found)
    return found.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  real(path: string): ResolvedPath {
    const rest = path.split('/')
    let at = ''
    for (let hops = 0; rest.length > 0;) {
      const name = rest.shift()!
      if (name === '' || name === '.') continue
      if (name === '..') {
        if (at === '') return 'outside'
        at = posix.dirname(at) === '.' ? '' : posix.dirname(at)
        continue
      }
      const next = at === '' ? name : `${at}/${name}`
      const entry = this.#entries.get(next)
      if (entry?.mode === LINK) {
        const target = this.#links.targets.get(entry.oid) ?? null
        if (target === null || ++hops > MOST_HOPS) return null
        if (target.startsWith('/')) return 'outside'
        rest.unshift(...target.split('/'))
      } else at = next
    }
    return at === '' || this.#entries.has(at) || this.#children.has(at) ? { to: at } : null
  }

  #add(path: string, entry: Entry): void {
    this.#entries.set(path, entry)
    for (let at = path; at !== '';) {
      const above = posix.dirname(at) === '.' ? '' : posix.dirname(at)
      const known = this.#children.get(above)
      if (known) {
        known.push(at)
        return
      }
      this.#children.set(above, [at])
      at = above
    }
  }

  /** `real` is the path of `shown` after resolving links. */
  #walk(shown: string, real: string, above: readonly string[], found: Found[]): void {
    if (above.includes(real) || above.length >= MOST_LEVELS) return
    for (const child of this.#children.get(real) ?? []) {
      if (++this.#visited > this.#entries.size + this.#children.size + MOST_MULTIPLIED)
        throw new RangeError(
          `links to folders add more than ${MOST_MULTIPLIED} files to the scan: remove links such as ${shown}`,
        )
      const name = posix.basename(child)
      if (isHidden(name)) continue
      const path = shown === '' ? name : `${shown}/${name}`
      const led = this.real(child)
      if (led === null || led === 'outside') {
        const fault = this.#linkFault(child, led)
        if (fault) found.push({ path, oid: null, fault })
      } else if (this.#children.has(led.to)) this.#walk(path, led.to, [...above, real], found)
      else if (this.#entries.get(led.to)?.mode === SUBMODULE) found.push({ path, oid: null, fault: A_SUBMODULE })
      else if (isManifest(name)) found.push({ path, oid: this.#entries.get(led.to)!.oid, fault: null })
    }
  }

  /** A link out of the folder is an error only if it may lead to manifests. */
  #linkFault(path: string, led: 'outside' | null): FileFault | null {
    if (isManifest(path)) return led === null ? TO_NOTHING : LEADS_OUT
    if (led === null) return null
    const target = this.#links.targets.get(this.#entries.get(path)?.oid ?? '') ?? ''
    const top = posix.join(this.#links.below, posix.dirname(path), target)
    const leavesAll = target.startsWith('/') || top === '..' || top.startsWith('../')
    return leavesAll || top === '.' || this.#links.folders.has(top.replace(/\/$/, '')) ? LEADS_OUT : null
  }
}

const NO_UTF8: FileFault = {
  code: 'file-unreadable',
  message: 'the file name is not UTF-8',
  hint: 'rename it with git mv',
}
const A_SUBMODULE: FileFault = {
  code: 'file-outside',
  message: 'this is a submodule; submodules are not read',
  hint: 'add it as a separate source, or configure a path that does not contain it',
}
const LEADS_OUT: FileFault = {
  code: 'file-outside',
  message: 'the link points outside the folder of the source',
  hint: 'put the file itself here, or configure a path that contains both',
}
const TO_NOTHING: FileFault = {
  code: 'file-unreadable',
  message: 'the link target does not exist',
  hint: 'restore the file, or remove the link',
}
