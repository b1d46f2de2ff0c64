/** A page of a conversation, oldest entry first. Cursors are null only without entries in that direction. */
export interface EntryPage<Entry> {
  items: readonly Entry[]
  previous: string | null
  /** Also of entries still to come. */
  next: string | null
}

/** More entries make scrolling slow, and a virtual list over all of them needs the height of each. */
export const MOST_ENTRIES = 1200
/** Small pages of new entries are joined up to this size. */
const JOINED = 200

/**
 * A bounded window over a long conversation. It drops whole pages at the other end when it grows, so that the cursors of
 * the others lead there. Immutable: each change returns a new window.
 */
export class EntryWindow<Entry> {
  readonly #pages: readonly EntryPage<Entry>[]
  /** True if no entry followed the window when it was read. */
  readonly isAtEnd: boolean
  readonly entries: readonly Entry[]

  private constructor(pages: readonly EntryPage<Entry>[], isAtEnd: boolean) {
    this.#pages = pages
    this.isAtEnd = isAtEnd
    this.entries = pages.flatMap(({ items }) => items)
  }

  /** A window of the last page. */
  static end<Entry>(page: EntryPage<Entry>): EntryWindow<Entry> {
    return new EntryWindow([page], true)
  }

  /** Cursor of the entries before the window, null at the start of the conversation. */
  get before(): string | null {
    return this.#pages[0]?.previous ?? null
  }

  /** Cursor of the entries after the window; null if the conversation is empty. */
  get after(): string | null {
    return this.#pages.at(-1)?.next ?? null
  }

  /** Adds the page before the window, and drops pages at its end. */
  withOlder(page: EntryPage<Entry>): EntryWindow<Entry> {
    const pages = [page, ...this.#pages]
    const count = pages.length
    while (sizeOf(pages) > MOST_ENTRIES && pages.length > 1) pages.pop()
    return new EntryWindow(pages, this.isAtEnd && pages.length === count)
  }

  /** Adds the page after the window, and drops pages at its start. An empty page is the end. */
  withNewer(page: EntryPage<Entry>): EntryWindow<Entry> {
    if (page.items.length === 0) return this.isAtEnd ? this : new EntryWindow(this.#pages, true)
    const pages = joined(this.#pages, page)
    while (sizeOf(pages) > MOST_ENTRIES && pages.length > 1) pages.shift()
    return new EntryWindow(pages, this.isAtEnd)
  }
}

const sizeOf = (pages: readonly EntryPage<unknown>[]) => pages.reduce((sum, { items }) => sum + items.length, 0)

function joined<Entry>(pages: readonly EntryPage<Entry>[], page: EntryPage<Entry>): EntryPage<Entry>[] {
  const last = pages.at(-1)
  if (last === undefined || last.items.length + page.items.length > JOINED) return [...pages, page]
  const whole = { items: [...last.items, ...page.items], previous: last.previous, next: page.next }
  return [...pages.slice(0, -1), whole]
}
