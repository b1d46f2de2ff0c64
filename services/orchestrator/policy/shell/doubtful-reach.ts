// Why a command may reach other paths than its words name: through links, code, and names that are not known.
import { posix } from 'node:path'
import { isHidden } from '../../../../platform/files/closed-set.ts'
import { isWithin } from '../../../../platform/files/within.ts'
import { absolute, openDirectories, type OpenDirectory, type RequestPlace } from '../workplace.ts'
import type { Access } from '../desired-writes.ts'
import {
  buildsPaths,
  codeOfProgram,
  followsLinks,
  listedBy,
  namesIn,
  partsOf,
  pathsIn,
  runsInput,
} from './hidden-paths.ts'
import { isDevice } from './opened-files.ts'
import { baseName } from './programs/nested-command.ts'
import type { ShellScript, SimpleCommand } from './simple-command.ts'
import type { ShellWord } from './shell-word.ts'

/** Entries that are read to find links: those that a pattern can match, and those below a folder. */
const MOST_MATCHED = 300
const MOST_FOLLOWED = 2000

const MANIFEST = 'it may change a manifest'

/** Each method returns a reason, or null. `folders`: where the command may run. */
export class DoubtfulReach {
  readonly #place: RequestPlace
  #open: OpenDirectory[] | undefined
  #writesListed = false

  constructor(place: RequestPlace) {
    this.#place = place
  }

  ofCommand(name: string, command: SimpleCommand, folders: readonly string[]): string | null {
    if (runsInput(name, command)) return 'it runs code from its input'
    if (followsLinks(name, command) && folders.some((folder) => this.#leadsOut(folder, '', MOST_FOLLOWED)))
      return 'it follows links that lead outside'
    const { texts, builds } = codeOfProgram(name, command)
    for (const text of texts) {
      if (buildsPaths(text, builds)) return 'its code may reach any path'
      if (pathsIn(text, name).some((path) => this.#isOutside(path, folders))) return 'its code names a path outside'
      if (namesIn(text).some((path) => folders.some((folder) => this.#isDesired(posix.resolve(folder, path)))))
        return 'its code names a manifest'
    }
    return null
  }

  ofWord({ text }: ShellWord, folders: readonly string[]): string | null {
    return partsOf(text).some((part) => this.#isOutside(part, folders)) ? 'a part of a word leads outside' : null
  }

  /** Names of files that are not known may be links, or manifests. */
  ofNames({ text, rest, source }: ShellWord, access: Access, folders: readonly string[]): string | null {
    const slash = text.lastIndexOf('/') + 1
    const isDeep = source === 'inside' || rest === undefined
    if (access !== 'read' && isDeep) this.#writesListed = true
    for (const folder of folders) {
      const within = posix.normalize(this.#absolute(text.slice(0, slash) || '.', folder))
      const ending = isDeep ? '' : (rest.split('/', 1)[0] ?? '')
      if (this.#leadsOut(within, text.slice(slash), isDeep ? MOST_FOLLOWED : MOST_MATCHED, ending))
        return 'a name may be a link that leads outside'
      const begins = posix.join(within, '/') + text.slice(slash)
      if (access !== 'read' && rest !== undefined && this.#matchesDesired(begins, rest)) return MANIFEST
    }
    return null
  }

  /** Names that a lister prints, and another command writes, may be manifests. */
  ofListers({ commands }: ShellScript): string | null {
    const { desired = [], lookups } = this.#place
    if (!this.#writesListed || desired.length === 0) return null
    const exists = (path: string) => lookups.entryAt(path) !== null
    const folders = commands.flatMap((each) => listedBy(baseName(each.words[0]?.text ?? ''), each, exists))
    return folders.some((folder) => desired.some(({ root }) => isWithin(root, folder) || isWithin(folder, root)))
      ? MANIFEST
      : null
  }

  #absolute(path: string, folder: string): string {
    return absolute(path, { ...this.#place, workingDir: folder })
  }

  /** Whether a path that exists, as far as its first folder, is not in an open directory. */
  #isOutside(path: string, folders: readonly string[]): boolean {
    if (isDevice(path)) return false
    const { lookups } = this.#place
    if (path.startsWith('/') && lookups.entryAt(`/${path.split('/')[1]}`) === null) return false
    const open = (this.#open ??= openDirectories(this.#place))
    const isOpen = (real: string) => open.some((each) => isWithin(real, each.real) && !isHidden(real, each.hidden))
    return folders.some((folder) => !lookups.realPaths(this.#absolute(path, folder))?.every(isOpen))
  }

  /** Whether a link in the folder with such a name leads outside. */
  #leadsOut(folder: string, begins: string, most: number, ends = ''): boolean {
    const start = posix.join(folder, '/') + begins
    return this.#place.lookups
      .linksBelow(folder, most)
      .some((link) => link.startsWith(start) && link.endsWith(ends) && this.#isOutside(link, [folder]))
  }

  #isDesired(path: string): boolean {
    const { desired = [] } = this.#place
    return desired.some(({ root, reads, holds }) => root === path || reads?.(path) || holds?.(path))
  }

  #matchesDesired(begins: string, rest: string): boolean {
    const last = rest.slice(rest.lastIndexOf('/') + 1)
    return (this.#place.desired ?? []).some(({ root }) => {
      if (!root.startsWith(begins)) return false
      if (!rest.includes('/')) return root.endsWith(rest) && !root.slice(begins.length).includes('/')
      return last === '' || /\.(ya?ml|json)$/.test(last) || root.endsWith(last)
    })
  }
}
