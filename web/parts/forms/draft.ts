/** The part of a Storage that drafts use. */
export interface DraftStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

const key = (name: string) => `svc-draft:${name}`

/** Returns the stored draft, or an empty text. A storage that is blocked has no drafts. */
export function readDraft(storage: DraftStorage, name: string): string {
  try {
    return storage.getItem(key(name)) ?? ''
  } catch {
    return ''
  }
}

/** Stores a draft; an empty text removes it. A storage that is full or blocked keeps none. */
export function writeDraft(storage: DraftStorage, name: string, text: string): void {
  try {
    if (text === '') storage.removeItem(key(name))
    else storage.setItem(key(name), text)
  } catch {
    // The text stays on screen, only a reload would lose it.
  }
}
