import type { DraftStorage } from './draft.ts'

const memory = new Map<string, string>()

/** Keeps values until a reload. */
const TRANSIENT: DraftStorage = {
  getItem: (key) => memory.get(key) ?? null,
  setItem: (key, value) => void memory.set(key, value),
  removeItem: (key) => void memory.delete(key),
}

/** A storage of the browser; one that lasts until a reload if the browser blocks even the access to it. */
export function storageOf(open: () => DraftStorage): DraftStorage {
  try {
    return open()
  } catch {
    return TRANSIENT
  }
}
