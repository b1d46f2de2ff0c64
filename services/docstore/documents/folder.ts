// The folder of the documents: every path in it, and the few ways to read and write them. Nothing outside it is ever
// read or written: names are checked, links are not followed, and the folders of our own are no links.
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'
import { link, lstat, mkdir, open, readdir, realpath, rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { DOCUMENT_ID, LARGEST_DOCUMENT, LONGEST_ID } from '../../../schemas/docstore/document.ts'
import {
  asUnavailable,
  FOLDER_MODE,
  folderGone,
  identityOf,
  isThere,
  makeFolder,
  mustBeFolder,
  mustBeOpen,
  unlessMissing,
  unlessThere,
} from './filesystem.ts'

const OWN = '.docstore'
const FILE_MODE = 0o600
/** Of what is our own beside a document: a revision holds its text as JSON, which may be six times as long. */
const LARGEST_OWN = 8 * LARGEST_DOCUMENT

/** Bytes of a file that is read in place. */
const SMALL = 64 * 1024

/** What of a file tells that it was written. */
export interface Stamp {
  text: string
  modified: number
}

/** Throws for an id that is no plain name; the routes refuse it before. */
export function isDocumentId(id: string): boolean {
  return DOCUMENT_ID.test(id) && Buffer.byteLength(id) <= LONGEST_ID
}

const named = (id: string): string => {
  if (!isDocumentId(id)) throw new Error(`"${id}" is no id of a document`)
  return id
}

export class DocumentFolder {
  readonly root: string
  /** Of the folder itself: another one in its place has another. */
  readonly #identity: string
  #temporary = 0

  private constructor(root: string, identity: string) {
    this.root = root
    this.#identity = identity
  }

  /**
   * Makes what is missing of it, unless it was there before (`isBack`): a disk that is not mounted leaves an empty folder
   * behind, which is not ours. Throws a 503 that says what is wrong with the folder.
   */
  static async open(path: string, { isBack = false }: { isBack?: boolean } = {}): Promise<DocumentFolder> {
    return asUnavailable(path, async () => {
      if (!isBack) await makeFolder(path)
      const root = await realpath(path)
      const folder = new DocumentFolder(root, await identityOf(root))
      if (isBack && !(await isThere(folder.own())))
        throw folderGone(
          `${root} holds no ${OWN} any more: mount it or put it back, or start again to begin anew in it`,
        )
      for (const each of [folder.own(), folder.#in('tmp'), folder.#in('pending'), folder.#in('history')]) {
        await mkdir(each, { mode: FOLDER_MODE }).catch(unlessThere)
        await mustBeFolder(each)
      }
      await folder.mustBeOpen()
      return folder
    })
  }

  own = (): string => join(this.root, OWN)
  /** Held by the daemon that works here. */
  lock = (): string => this.#in('lock')
  pendingFolder = (): string => this.#in('pending')
  content = (id: string): string => join(this.root, `${named(id)}.md`)
  sidecar = (id: string): string => this.#in(`${named(id)}.json`)
  pending = (id: string): string => this.#in('pending', `${named(id)}.json`)
  history = (id: string): string => this.#in('history', named(id))
  revision = (id: string, revision: number): string =>
    join(this.history(id), `${String(revision).padStart(8, '0')}.json`)
  /** Where what cannot be read is put aside. */
  broken = (id: string, time: number): string => this.#in(`${named(id)}.json.broken-${time}`)

  #in(...names: string[]): string {
    return join(this.root, OWN, ...names)
  }

  /** A link in its place would lead out of the folder. */
  async mayLock(): Promise<boolean> {
    const stats = await lstat(this.lock()).catch(unlessMissing)
    return stats === undefined || stats.isFile()
  }

  /** Ids of the documents there are: regular files `<id>.md`. What else there is, is left alone. */
  async ids(): Promise<{ ids: string[]; ignored: string[] }> {
    const entries = await readdir(this.root, { withFileTypes: true })
    const files = entries.filter(({ name }) => name.endsWith('.md'))
    const isOne = (entry: (typeof files)[number]) => entry.isFile() && isDocumentId(entry.name.slice(0, -3))
    return {
      ids: files.filter(isOne).map(({ name }) => name.slice(0, -3)),
      ignored: files.filter((entry) => !isOne(entry)).map(({ name }) => name),
    }
  }

  /** Ids that have a sidecar. */
  async sidecars(): Promise<string[]> {
    return idsOf(await readdir(this.own()))
  }

  /** Ids of writes that were begun, and whose end is not on record. */
  async unfinished(): Promise<string[]> {
    return idsOf(await readdir(this.pendingFolder()))
  }

  /** Numbers of the revisions of a document, oldest first. */
  async revisions(id: string): Promise<number[]> {
    const stats = await lstat(this.history(id)).catch(unlessMissing)
    const names = stats?.isDirectory() ? await readdir(this.history(id)) : []
    return names
      .filter((name) => /^\d{8,}\.json$/.test(name))
      .map((name) => Number(name.slice(0, -5)))
      .sort((a, b) => a - b)
  }

  /** Null where no regular file is. */
  async stamp(path: string): Promise<Stamp | null> {
    const stats = inPlace(() => lstatSync(path))
    if (!stats?.isFile()) return null
    return { text: `${stats.ino}:${stats.mtimeMs}:${stats.size}`, modified: stats.mtimeMs }
  }

  /** The text of a regular file; null where none is, or one that is larger than may be. */
  async read(path: string, most = LARGEST_OWN): Promise<string | null> {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    const small = smallText(path, flags)
    if (small !== undefined) return small
    const file = await open(path, flags).catch(unlessMissing)
    if (!file) return null
    try {
      const stats = await file.stat()
      return stats.isFile() && stats.size <= most ? await file.readFile('utf8') : null
    } finally {
      await file.close()
    }
  }

  /** The text of a document as it is on the disk. */
  readContent(id: string): Promise<string | null> {
    return this.read(this.content(id), LARGEST_DOCUMENT)
  }

  /** A file of our own with `text`, on the disk unless `quick`; to be moved where it belongs. */
  async stage(text: string, { quick = false }: { quick?: boolean } = {}): Promise<string> {
    const folder = this.#in('tmp')
    await mustBeFolder(folder)
    const path = join(folder, `${process.pid}-${this.#temporary++}`)
    const file = await open(path, 'wx', FILE_MODE)
    try {
      await file.writeFile(text)
      if (!quick) await file.sync()
    } catch (error) {
      await unlink(path).catch(() => undefined)
      throw error
    } finally {
      await file.close()
    }
    return path
  }

  /** Moves it in the place of what is there. */
  async replace(staged: string, path: string): Promise<void> {
    await rename(staged, path)
  }

  /** Moves it where nothing is yet; false where something is. */
  async add(staged: string, path: string): Promise<boolean> {
    const isAdded = await link(staged, path).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false
        throw error
      },
    )
    await unlink(staged)
    return isAdded
  }

  /** What has happened in these folders stays, come what may. */
  async settle(...folders: string[]): Promise<void> {
    for (const each of folders) {
      const folder = await open(each, constants.O_RDONLY | constants.O_DIRECTORY)
      await folder.sync().finally(() => folder.close())
    }
  }

  async makeHistory(id: string): Promise<void> {
    await mustBeFolder(this.#in('history'))
    await mkdir(this.history(id), { mode: FOLDER_MODE }).catch(unlessThere)
    await mustBeFolder(this.history(id))
  }

  async removeHistory(id: string): Promise<void> {
    await mustBeFolder(this.#in('history'))
    await rm(this.history(id), { recursive: true, force: true })
  }

  async remove(path: string): Promise<void> {
    await unlink(path).catch(unlessMissing)
  }

  /** What a daemon left behind that was killed while it wrote. */
  async clean(): Promise<void> {
    const folder = this.#in('tmp')
    for (const name of await readdir(folder)) await this.remove(join(folder, name))
  }

  /** Throws where it is read-only, or closed to the daemon. */
  async mustBeOpen(): Promise<void> {
    for (const each of [this.root, this.own()]) await mustBeOpen(each)
  }

  /** Writes a little, and takes it away again. */
  async probe(): Promise<void> {
    await this.remove(await this.stage('a word', { quick: true }))
  }

  /** False where it is folderGone, or where another one is in its place. */
  async isSame(): Promise<boolean> {
    return (await identityOf(this.root).catch(unlessMissing)) === this.#identity
  }

  /** It and our own folders are what they were: throws where one is folderGone, or was replaced. */
  async check(): Promise<void> {
    if (!(await this.isSame()))
      throw folderGone(`${this.root} is folderGone, or another folder is in its place: mount it or put it back`)
    for (const each of [this.own(), this.#in('tmp'), this.#in('pending'), this.#in('history')]) await mustBeFolder(each)
  }
}

const idsOf = (names: readonly string[]): string[] =>
  names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -5))
    .filter(isDocumentId)

/**
 * In place, for a look at 10,000 documents takes 60,000 calls of some microseconds, and handing each to a thread takes
 * ten times as long. Who looks at many gives others a turn now and then.
 */
function inPlace<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    return unlessMissing(error as NodeJS.ErrnoException)
  }
}

/** The text of a file that is read in no time; null where no regular file is, undefined for a larger one. */
function smallText(path: string, flags: number): string | null | undefined {
  const file = inPlace(() => openSync(path, flags))
  if (file === undefined) return null
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) return null
    return stats.size <= SMALL ? readFileSync(file, 'utf8') : undefined
  } finally {
    closeSync(file)
  }
}
