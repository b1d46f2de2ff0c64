import { EntryWindow, type EntryPage } from '../../../parts/lists/entry-window.ts'

export type Cursor = { after: string } | { before: string }

export type ConversationState = { kind: 'loading' } | { kind: 'ready' } | { kind: 'failed'; error: unknown }

interface ConversationWorld<Entry> {
  /** `{before: ''}`: the last page. */
  read(cursor: Cursor, signal: AbortSignal): Promise<EntryPage<Entry>>
  changed(): void
}

/** Reads a conversation around its window: older pages on request, newer ones when there are any. One read at a time. */
export class Conversation<Entry> {
  readonly #world: ConversationWorld<Entry>
  readonly #closing = new AbortController()
  window: EntryWindow<Entry> | null = null
  state: ConversationState = { kind: 'loading' }
  /** Entries follow the window, which is not at the end. */
  hasNewer = false
  #isReading = false
  #mustLookForNewer = false

  constructor(world: ConversationWorld<Entry>) {
    this.#world = world
  }

  /** No further changes are reported. */
  fail(error: unknown): void {
    this.state = { kind: 'failed', error }
    this.#world.changed()
  }

  close(): void {
    this.#closing.abort()
  }

  /** Reads the last page: at the start, and to return to the end. */
  async readEnd(): Promise<void> {
    await this.#read({ before: '' }, (page) => {
      this.window = EntryWindow.end(page)
      this.hasNewer = false
    })
  }

  async readOlder(): Promise<void> {
    const { window } = this
    if (window?.before == null) return
    await this.#read({ before: window.before }, (page) => void (this.window = window.withOlder(page)))
  }

  /** Reads the page after a window that is not at the end. */
  async readNewer(): Promise<void> {
    const { window } = this
    if (window === null || window.isAtEnd) return
    await this.#readAfter(window)
  }

  /** New entries may exist: reads them if the window is at the end. */
  async notice(): Promise<void> {
    if (this.#isReading) {
      this.#mustLookForNewer = true
      return
    }
    const { window } = this
    if (window === null) return this.readEnd()
    if (window.isAtEnd) return this.#readAfter(window)
    this.hasNewer = true
    this.#world.changed()
  }

  async #readAfter(window: EntryWindow<Entry>): Promise<void> {
    if (window.after === null) return this.readEnd()
    await this.#read({ after: window.after }, (page) => {
      this.window = window.withNewer(page)
      // A full page may not be the last one.
      if (page.items.length > 0) this.#mustLookForNewer ||= this.window.isAtEnd
      else this.hasNewer = false
    })
  }

  async #read(cursor: Cursor, take: (page: EntryPage<Entry>) => void): Promise<void> {
    if (this.#isReading) return
    const { signal } = this.#closing
    this.#isReading = true
    try {
      const page = await this.#world.read(cursor, signal)
      if (signal.aborted) return
      take(page)
      this.state = { kind: 'ready' }
    } catch (error) {
      if (signal.aborted) return
      this.state = { kind: 'failed', error }
    } finally {
      this.#isReading = false
    }
    this.#world.changed()
    if (!this.#mustLookForNewer) return
    this.#mustLookForNewer = false
    if (this.state.kind === 'ready') await this.notice()
  }
}
