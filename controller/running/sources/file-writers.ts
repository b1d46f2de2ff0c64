// Agents that could have written a manifest, as of its last change.
import { lstatSync, type Stats } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import type { ChangedFile } from '../../../platform/files/desired-files.ts'
import { realOrNull, statOrNull } from '../../reading/text-files.ts'
import type { Composition } from '../../parts.ts'

/** Limits memory; the oldest answers are dropped first. */
const MOST_KNOWN = 10_000

export class FileWriters {
  readonly #ask: Composition['writersOf']
  /** Kept by version of the file: policies and directories of an agent may change after it wrote. */
  readonly #known = new Map<string, readonly string[]>()

  constructor(ask: Composition['writersOf']) {
    this.#ask = ask
  }

  /** Names by file, without files that no agent could have written. `files` are relative to `root`. */
  async of(root: string, files: Iterable<string>): Promise<ReadonlyMap<string, readonly string[]>> {
    const changed = [...new Set(files)].flatMap((file) => {
      const found = this.#ask && changedFile(root, file)
      return found ? [{ file, ...found }] : []
    })
    const asked = changed.filter((each) => !this.#known.has(versionOf(each)))
    const answers = asked.length > 0 ? await this.#ask!(asked) : new Map<string, string[]>()
    for (const each of asked) this.#known.set(versionOf(each), answers.get(each.path) ?? [])
    const named = changed.map((each) => [each.file, this.#known.get(versionOf(each)) ?? []] as const)
    for (const version of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break
      this.#known.delete(version)
    }
    return new Map(named.filter(([, names]) => names.length > 0))
  }
}

const versionOf = ({ path, changedAt }: ChangedFile): string => `${changedAt} ${path}`

/** A folder may have been replaced with all its files. Null for a file that does not exist on this machine. */
function changedFile(root: string, file: string): ChangedFile | null {
  const top = realOrNull(root)
  const path = top && realOrNull(join(top, file))
  if (!top || !path) return null
  const entries = [path]
  for (let at = join(top, file); at.startsWith(top + sep) || at === top; at = dirname(at)) entries.push(at)
  const times = entries.flatMap((entry) => [statOrNull(entry)?.ctimeMs ?? 0, entryAt(entry)?.ctimeMs ?? 0])
  const links = entries.filter((entry) => entryAt(entry)?.isSymbolicLink())
  const places = links.flatMap((link) => {
    const folder = realOrNull(dirname(link))
    return folder === null ? [] : [join(folder, basename(link))]
  })
  return { path, links: places, changedAt: Math.max(...times) }
}

function entryAt(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}
