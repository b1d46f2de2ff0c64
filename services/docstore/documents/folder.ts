// Never reads or writes outside the folder: checks names and does not follow links.
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
/** JSON can be six times as long as the text. */
const LARGEST_OWN = 8 * LARGEST_DOCUMENT

/** Bytes; smaller files are read synchronously. */
const SMALL = 64 * 1024

export interface Stamp {
  text: string
  modified: number
}

export function isDocumentId(id: string): boolean {
  return DOCUMENT_ID.test(id) && Buffer.byteLength(id) <= LONGEST_ID
}

const named = (id: string): string => {
  if (!isDocumentId(id)) throw new Error(`"${id}" is not a valid document id`)
  return id
}

export class DocumentFolder {
  readonly root: string
  /** Device and inode, to detect a replaced folder. */
  readonly #identity: string
  #temporary = 0

  private constructor(root: string, identity: string) {
    this.root = root
    this.#identity = identity
  }

  /**
   * Creates missing folders, except with `isBack`: an unmounted disk leaves an empty folder that must not be used.
   * Throws 503.
   */
  static async open(path: string, { isBack = false }: { isBack?: boolean } = {}): Promise<DocumentFolder> {
    return asUnavailable(path, async () => {
      if (!isBack) await makeFolder(path)
      const root = await realpath(path)
      const folder = new DocumentFolder(root, await identityOf(root))
      if (isBack && !(await isThere(folder.own())))
        throw folderGone(
          `${root} no longer contains ${OWN}: mount it or restore it, or restart the daemon to create a new one`,
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
  lock = (): string => this.#in('lock')
  pendingFolder = (): string => this.#in('pending')
  content = (id: string): string => join(this.root, `${named(id)}.md`)
  sidecar = (id: string): string => this.#in(`${named(id)}.json`)
  pending = (id: string): string => this.#in('pending', `${named(id)}.json`)
  history = (id: string): string => this.#in('history', named(id))
  revision = (id: string, revision: number): string =>
    join(this.history(id), `${String(revision).padStart(8, '0')}.json`)
  /** Name for an unreadable sidecar. */
  broken = (id: string, time: number): string => this.#in(`${named(id)}.json.broken-${time}`)

  #in(...names: string[]): string {
    return join(this.root, OWN, ...names)
  }

  /** Refuses a link, which could lead out of the folder. */
  async mayLock(): Promise<boolean> {
    const stats = await lstat(this.lock()).catch(unlessMissing)
    return stats === undefined || stats.isFile()
  }

  async ids(): Promise<{ ids: string[]; ignored: string[] }> {
    const entries = await readdir(this.root, { withFileTypes: true })
    const files = entries.filter(({ name }) => name.endsWith('.md'))
    const isOne = (entry: (typeof files)[number]) => entry.isFile() && isDocumentId(entry.name.slice(0, -3))
    return {
      ids: files.filter(isOne).map(({ name }) => name.slice(0, -3)),
      ignored: files.filter((entry) => !isOne(entry)).map(({ name }) => name),
    }
  }

  async sidecars(): Promise<string[]> {
    return idsOf(await readdir(this.own()))
  }

  /** Ids of writes that did not complete. */
  async unfinished(): Promise<string[]> {
    return idsOf(await readdir(this.pendingFolder()))
  }

  /** Oldest first. */
  async revisions(id: string): Promise<number[]> {
    const stats = await lstat(this.history(id)).catch(unlessMissing)
    const names = stats?.isDirectory() ? await readdir(this.history(id)) : []
    return names
      .filter((name) => /^\d{8,}\.json$/.test(name))
      .map((name) => Number(name.slice(0, -5)))
      .sort((a, b) => a - b)
  }

  async stamp(path: string): Promise<Stamp | null> {
    const stats = inPlace(() => lstatSync(path))
    if (!stats?.isFile()) return null
    return { text: `${stats.ino}:${stats.mtimeMs}:${stats.size}`, modified: stats.mtimeMs }
  }

  /** Bytes of a document with its revisions. */
  async bytes(id: string): Promise<number> {
    const paths = [this.content(id), ...(await this.revisions(id)).map((number) => this.revision(id, number))]
    return paths.reduce((sum, path) => sum + (inPlace(() => lstatSync(path))?.size ?? 0), 0)
  }

  /** Null if missing, irregular or larger than `most` bytes. */
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

  readContent(id: string): Promise<string | null> {
    return this.read(this.content(id), LARGEST_DOCUMENT)
  }

  /** Writes a temporary file, synced unless `quick`; the caller moves it into place. */
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

  async replace(staged: string, path: string): Promise<void> {
    await rename(staged, path)
  }

  /** Returns false if the target exists. */
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

  /** Syncs the folders, so that renames survive a crash. */
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

  /** Deletes temporary files of a killed daemon. */
  async clean(): Promise<void> {
    const folder = this.#in('tmp')
    for (const name of await readdir(folder)) await this.remove(join(folder, name))
  }

  async mustBeOpen(): Promise<void> {
    for (const each of [this.root, this.own()]) await mustBeOpen(each)
  }

  async probe(): Promise<void> {
    await this.remove(await this.stage('a word', { quick: true }))
  }

  /** False if the folder is missing or was replaced. */
  async isSame(): Promise<boolean> {
    return (await identityOf(this.root).catch(unlessMissing)) === this.#identity
  }

  async check(): Promise<void> {
    if (!(await this.isSame()))
      throw folderGone(`${this.root} is missing or was replaced by another folder: mount it or restore it`)
    for (const each of [this.own(), this.#in('tmp'), this.#in('pending'), this.#in('history')]) await mustBeFolder(each)
  }
}

const idsOf = (names: readonly string[]): string[] =>
  names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -5))
    .filter(isDocumentId)

/**
 * Synchronous: a scan of 10,000 documents makes 60,000 calls of a few microseconds, which take ten times as long in
 * the thread pool. Callers yield between batches.
 */
function inPlace<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    return unlessMissing(error as NodeJS.ErrnoException)
  }
}

/** Null if it is not a regular file, undefined if it is larger than `SMALL`. */
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
