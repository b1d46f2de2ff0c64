// The files of one commit below a folder, with their links: as a checkout would have them, without one.
import { posix } from 'node:path'
import type { TreeLine } from '../../../platform/git/mirror.ts'
import { isHidden, isManifest } from '../folder/folder-listings.ts'
import type { FileFault } from '../yaml/text-decoding.ts'

/** Where a path leads to: below the folder, out of it, or to nothing. */
export type Led = { to: string } | 'outside' | null

/** A manifest under the name it was found by. */
export interface Found {
  path: string
  /** Null for one that cannot be read. */
  oid: string | null
  fault: FileFault | null
}

export interface LinkTargets {
  /** What a link says, by its object; null for what is too long to be a path. */
  targets: ReadonlyMap<string, string | null>
  /** Of the whole commit, from its top. */
  folders: ReadonlySet<string>
  /** Where the folder stands in the commit; empty for its top. */
  below: string
}

const LINK = '120000'
const SUBMODULE = '160000'
const MOST_HOPS = 40
const MOST_LEVELS = 64
/** What links to folders may add to what is there. */
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
  #lookedAt = 0

  constructor(lines: readonly TreeLine[], links: LinkTargets) {
    this.#links = links
    for (const { mode, oid, path } of lines) {
      const name = path.toString('utf8')
      if (Buffer.from(name, 'utf8').equals(path)) this.#add(name, { mode, oid })
      else if (isManifest(name) && !isHidden(name)) this.#broken.push({ path: name, oid: null, fault: NO_UTF8 })
    }
  }

  /** The file a path means, with links followed inside the folder. */
  file(path: string): { oid: string } | 'outside' | null {
    const led = this.real(path)
    if (led === null || led === 'outside') return led
    const entry = this.#entries.get(led.to)
    return entry && entry.mode !== SUBMODULE ? { oid: entry.oid } : null
  }

  /** Every manifest, sorted by path; dotfiles and node_modules are left out. Throws a RangeError for too much to look at. */
  manifests(): Found[] {
    const found = [...this.#broken]
    this.#lookedAt = 0
    this.#walk('', '', [], found)
    return found.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  real(path: string): Led {
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

  /** `real` is where the folder stands that was found as `shown`. */
  #walk(shown: string, real: string, above: readonly string[], found: Found[]): void {
    if (above.includes(real) || above.length >= MOST_LEVELS) return
    for (const child of this.#children.get(real) ?? []) {
      if (++this.#lookedAt > this.#entries.size + this.#children.size + MOST_MULTIPLIED)
        throw new RangeError(
          `links to folders multiply what there is to look through by more than ${MOST_MULTIPLIED} files: take out such as ${shown}`,
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

  /** A link that leads out is a fault where manifests may stand behind it; to another file, it is nobody's. */
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
  message: 'the name of this file is no UTF-8',
  hint: 'rename it: git mv',
}
const A_SUBMODULE: FileFault = {
  code: 'file-outside',
  message: 'this is a submodule, which is another repository and not read',
  hint: 'make it a source of its own, or name a path of this repository that does not hold it',
}
const LEADS_OUT: FileFault = {
  code: 'file-outside',
  message: 'this link leads out of the folder that is read',
  hint: 'put the file itself here, or name a path that holds both',
}
const TO_NOTHING: FileFault = {
  code: 'file-unreadable',
  message: 'this link leads to nothing',
  hint: 'put back the file it stands for, or remove it',
}
