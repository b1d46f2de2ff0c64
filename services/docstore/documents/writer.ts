// Makes writes survive crashes: stores an intent, writes text and sidecar, and turns the intent into a revision.
import type { DocumentFolder } from './folder.ts'
import { isFull } from './filesystem.ts'
import { digestOf, readIntent, sidecarOf, type Intent, type Revision } from './sidecar.ts'

/** Kept per document. */
const MOST_REVISIONS = 20

/** Points at which tests simulate a crash. */
export const CRASH_POINTS = ['staged', 'intended', 'content', 'sidecar', 'settled', 'kept'] as const
export type CrashPoint = (typeof CRASH_POINTS)[number]

export interface WriterOptions {
  reached?(point: CrashPoint): void
}

export class DocumentWriter {
  readonly #folder: DocumentFolder
  readonly #reached: (point: CrashPoint) => void

  constructor(folder: DocumentFolder, { reached = () => undefined }: WriterOptions = {}) {
    this.#folder = folder
    this.#reached = reached
  }

  /** `before` is the digest of the replaced text; null creates. Returns false if the text has changed meanwhile. */
  async write(id: string, before: string | null, after: Revision): Promise<boolean> {
    const folder = this.#folder
    await folder.check()
    const staged: string[] = []
    const stage = async (text: string) => staged[staged.push(await folder.stage(text)) - 1]!
    let isPlaced = false
    try {
      await folder.makeHistory(id)
      const [content, sidecar] = [await stage(after.content), await stage(sidecarText(after))]
      const intent = await stage(intentText({ before, after }))
      this.#reached('staged')
      await this.#intend(id, intent)
      isPlaced = await this.#place(id, before, content)
      if (isPlaced) await this.#finishPlaced(id, after.revision, sidecar)
      return isPlaced
    } finally {
      // The next start must not complete a failed or late write.
      if (!isPlaced)
        for (const each of [...staged, folder.pending(id)]) await folder.remove(each).catch(() => undefined)
    }
  }

  /** Adds sidecar and revision to an existing text. Not synced: both can be recreated from it. */
  async describe(id: string, after: Revision): Promise<void> {
    const folder = this.#folder
    await folder.makeHistory(id)
    const intent = await folder.stage(intentText({ before: after.digest, after }), { quick: true })
    try {
      await folder.replace(await folder.stage(sidecarText(after), { quick: true }), folder.sidecar(id))
      await folder.replace(intent, folder.pending(id))
    } catch (error) {
      await folder.remove(intent).catch(() => undefined)
      throw error
    }
    await this.#keep(id, after.revision)
  }

  /** Returns false if the text no longer has the digest `before`. */
  async remove(id: string, before: string): Promise<boolean> {
    await this.#folder.check()
    await this.#intendRemoval(id, before).catch((error: unknown) => {
      // Deleting frees space, so it continues without an intent; a crash leaves the document or nothing.
      if (!isFull(error)) throw error
    })
    return this.#removeFiles(id, before)
  }

  /** Completes an interrupted write, unless the document was edited since. */
  async finish(id: string): Promise<void> {
    const intent = readIntent(await this.#folder.read(this.#folder.pending(id)))
    if (intent?.after) await this.#finishWrite(id, intent.before, intent.after)
    else if (intent?.before) await this.#removeFiles(id, intent.before)
    else await this.#folder.remove(this.#folder.pending(id))
  }

  async #intendRemoval(id: string, before: string): Promise<void> {
    const staged = await this.#folder.stage(intentText({ before, after: null }))
    this.#reached('staged')
    try {
      await this.#intend(id, staged)
    } catch (error) {
      for (const each of [staged, this.#folder.pending(id)]) await this.#folder.remove(each).catch(() => undefined)
      throw error
    }
  }

  /** From here on the write completes even after a crash. */
  async #intend(id: string, staged: string): Promise<void> {
    await this.#folder.replace(staged, this.#folder.pending(id))
    await this.#folder.settle(this.#folder.pendingFolder())
    this.#reached('intended')
  }

  /** False if the document has changed meanwhile. */
  async #place(id: string, before: string | null, staged: string): Promise<boolean> {
    const folder = this.#folder
    const path = folder.content(id)
    if (before === null) {
      if (!(await folder.add(staged, path))) return false
    } else {
      if (digestOrNull(await folder.readContent(id)) !== before) return false
      await folder.replace(staged, path)
    }
    this.#reached('content')
    return true
  }

  async #finishPlaced(id: string, revision: number, sidecar: string): Promise<void> {
    const folder = this.#folder
    await folder.replace(sidecar, folder.sidecar(id))
    this.#reached('sidecar')
    await folder.settle(folder.root, folder.own())
    this.#reached('settled')
    await this.#keep(id, revision)
    this.#reached('kept')
  }

  async #finishWrite(id: string, before: string | null, after: Revision): Promise<void> {
    const folder = this.#folder
    await folder.makeHistory(id)
    const now = digestOrNull(await folder.readContent(id))
    const mayPlace = before === null || now === before
    const isPlaced =
      now === after.digest || (mayPlace && (await this.#place(id, before, await folder.stage(after.content))))
    if (isPlaced) await this.#finishPlaced(id, after.revision, await folder.stage(sidecarText(after)))
    else await folder.remove(folder.pending(id))
  }

  async #removeFiles(id: string, before: string): Promise<boolean> {
    const folder = this.#folder
    const now = digestOrNull(await folder.readContent(id))
    const isMeant = now === null || now === before
    if (isMeant) {
      // First, so that no sidecar exists without its document.
      await folder.remove(folder.sidecar(id))
      this.#reached('sidecar')
      if (now !== null) await folder.remove(folder.content(id))
      this.#reached('content')
      await folder.settle(folder.own(), folder.root)
      this.#reached('settled')
      await folder.removeHistory(id)
    }
    await folder.remove(folder.pending(id))
    this.#reached('kept')
    return isMeant
  }

  /** Turns the intent into the newest revision and prunes old ones. */
  async #keep(id: string, revision: number): Promise<void> {
    const folder = this.#folder
    await folder.replace(folder.pending(id), folder.revision(id, revision))
    const kept = await folder.revisions(id)
    for (const old of kept.slice(0, -MOST_REVISIONS)) await folder.remove(folder.revision(id, old))
  }
}

const intentText = (intent: Intent): string => JSON.stringify(intent)
const sidecarText = (after: Revision): string => `${JSON.stringify(sidecarOf(after), null, 2)}\n`
const digestOrNull = (text: string | null): string | null => (text === null ? null : digestOf(text))
