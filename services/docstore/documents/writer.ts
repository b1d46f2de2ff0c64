// Writes documents so that a crash at any moment leaves each as it was or as it was to be: what a write is about to do
// is on the disk first; then the text, its sidecar, and the intent becomes the revision of the history.
import type { DocumentFolder } from './folder.ts'
import { isFull } from './filesystem.ts'
import { digestOf, readIntent, sidecarOf, type Intent, type Revision } from './sidecar.ts'

/** Revisions of a document that are kept. */
const MOST_REVISIONS = 20

/** Where a crash may come; tests bring it. */
export const CRASH_POINTS = ['staged', 'intended', 'content', 'sidecar', 'settled', 'kept'] as const
export type CrashPoint = (typeof CRASH_POINTS)[number]

export interface WriterOptions {
  /** Called between the steps of a write. */
  reached?(point: CrashPoint): void
}

export class DocumentWriter {
  readonly #folder: DocumentFolder
  readonly #reached: (point: CrashPoint) => void

  constructor(folder: DocumentFolder, { reached = () => undefined }: WriterOptions = {}) {
    this.#folder = folder
    this.#reached = reached
  }

  /**
   * Replaces a document whose text has the digest `before`, or makes one that is not there yet (null); false where there
   * is another text by now.
   */
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
      // Of a write that failed, or came too late, nothing is left: nobody finishes it at the next start.
      if (!isPlaced)
        for (const each of [...staged, folder.pending(id)]) await folder.remove(each).catch(() => undefined)
    }
  }

  /** Writes what goes with a text that is there already. Not forced to the disk: it can be made again of the text. */
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

  /** Deletes a document whose text has the digest `before`; false where it has another one by now. */
  async remove(id: string, before: string): Promise<boolean> {
    await this.#folder.check()
    await this.#intendRemoval(id, before).catch((error: unknown) => {
      // It is what makes space, and comes to its end without a note: what a crash leaves is a document, or none.
      if (!isFull(error)) throw error
    })
    return this.#removeFiles(id, before)
  }

  /** Ends what a crash cut short. What was edited by hand since then stays as it is. */
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

  /** From here on the write comes to its end, whatever happens to the daemon. */
  async #intend(id: string, staged: string): Promise<void> {
    await this.#folder.replace(staged, this.#folder.pending(id))
    await this.#folder.settle(this.#folder.pendingFolder())
    this.#reached('intended')
  }

  /** Moves the text where it belongs, unless somebody was there before. */
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
      // The sidecar first: there is none without its document at any time.
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

  /** The intent becomes the newest revision; of those before it the last ones stay. */
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
