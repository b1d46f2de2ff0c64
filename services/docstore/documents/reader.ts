// Reads documents and repairs effects of manual changes: edited texts; missing, orphaned or unreadable sidecars.
import type { Clock } from '../../../platform/core/clock.ts'
import type { Log } from '../../../platform/core/log/log.ts'
import type { Entry } from './catalog.ts'
import { BY_HAND, changedMembers, NOBODY } from './document-changes.ts'
import type { DocumentFolder, Stamp } from './folder.ts'
import { isFull, isThere } from './filesystem.ts'
import { digestOf, headingOf, readRevision, readSidecar, type Revision, type Sidecar } from './sidecar.ts'
import type { DocumentWriter } from './writer.ts'

/** Documents require a four-digit year. */
const LATEST = Date.UTC(9999, 11, 31)

/** Matches no file, so that the document is read again. */
const UNWRITTEN = ''

export interface ReaderParts {
  folder: DocumentFolder
  writer: DocumentWriter
  clock: Clock
  log: Log
}

/** Null if it is missing or ignored, `same` if unchanged. */
export type Look = Entry | null | 'same'

export class DocumentReader {
  readonly #parts: ReaderParts

  constructor(parts: ReaderParts) {
    this.#parts = parts
  }

  /** `known` is the previous stamp. Callers must serialize work per document. */
  async look(id: string, known: string | undefined): Promise<Look> {
    const { folder } = this.#parts
    const file = await folder.stamp(folder.content(id))
    if (file === null) return this.#forgetSidecar(id)
    const stamp = `${file.text}/${(await folder.stamp(folder.sidecar(id)))?.text ?? ''}`
    if (stamp === known) return 'same'
    const content = await folder.readContent(id)
    if (content === null) {
      this.#parts.log.warn({ id }, 'ignored document: its file is larger than 5 MiB or not a regular file')
      return null
    }
    // PostgreSQL refuses NUL in text.
    if (content.includes('\0')) {
      this.#parts.log.warn({ id }, 'ignored document: its file contains NUL characters')
      return null
    }
    return this.#describe(id, content, { file, isKnown: known !== undefined })
  }

  async entry(id: string, revision: Revision): Promise<Entry> {
    const { folder } = this.#parts
    const [file, sidecar] = [await folder.stamp(folder.content(id)), await folder.stamp(folder.sidecar(id))]
    return { ...withoutAuthor(revision), id, stamp: `${file?.text}/${sidecar?.text ?? ''}` }
  }

  async next(id: string): Promise<number> {
    return ((await this.#parts.folder.revisions(id)).at(-1) ?? 0) + 1
  }

  /** Newest first. */
  async revisions(id: string): Promise<Revision[]> {
    const found: Revision[] = []
    for (const number of (await this.#parts.folder.revisions(id)).reverse()) {
      const revision = await this.revision(id, number)
      if (revision) found.push(revision)
    }
    return found
  }

  async revision(id: string, number: number): Promise<Revision | null> {
    const { folder } = this.#parts
    return number === 0 ? null : readRevision(await folder.read(folder.revision(id, number)))
  }

  /** Keeps the history: if the file returns, title and tags are restored. */
  async #forgetSidecar(id: string): Promise<null> {
    const { folder } = this.#parts
    if (!(await isThere(folder.content(id)))) await folder.remove(folder.sidecar(id))
    return null
  }

  async #describe(id: string, content: string, { file, isKnown }: { file: Stamp; isKnown: boolean }): Promise<Entry> {
    const { writer } = this.#parts
    const digest = digestOf(content)
    const sidecar = await this.#sidecar(id)
    if (sidecar?.digest === digest && !(isKnown && (await this.#isEdited(id, sidecar))))
      return this.entry(id, { ...sidecar, by: BY_HAND, content })
    const revision = await this.next(id)
    const updated_at = new Date(Math.min(Math.max(0, file.modified), LATEST)).toISOString()
    const known = sidecar ?? (await this.revision(id, revision - 1)) ?? this.#describeUnknown(id, content, updated_at)
    const after: Revision = { ...known, updated_at, revision, digest, by: BY_HAND, content }
    try {
      await writer.describe(id, after)
    } catch (error) {
      if (!isFull(error)) throw error
      // A later read writes the sidecar once there is space.
      return { ...withoutAuthor(after), id, stamp: UNWRITTEN }
    }
    return this.entry(id, after)
  }

  /** True if the sidecar differs from its revision. */
  async #isEdited(id: string, sidecar: Sidecar): Promise<boolean> {
    const before = await this.revision(id, sidecar.revision)
    return before !== null && changedMembers(before, { ...sidecar, content: before.content }).length > 0
  }

  /** Renames an unreadable sidecar. */
  async #sidecar(id: string): Promise<Sidecar | null> {
    const { folder, log, clock } = this.#parts
    const path = folder.sidecar(id)
    const text = await folder.read(path)
    const sidecar = readSidecar(text)
    if (sidecar === null && (await isThere(path))) {
      const aside = folder.broken(id, clock.now())
      await folder.replace(path, aside)
      log.warn({ id, aside }, 'unreadable sidecar renamed and recreated')
    }
    return sidecar
  }

  #describeUnknown(id: string, content: string, updated_at: string): Omit<Sidecar, 'digest' | 'revision'> {
    const title = headingOf(content) ?? id
    return { title, tags: [], created_by: NOBODY, created_at: updated_at, updated_at }
  }
}

const withoutAuthor = ({ by: _by, ...rest }: Revision): Omit<Revision, 'by'> => rest
