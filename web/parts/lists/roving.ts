/** Entries that PageUp and PageDown skip. */
const PAGE = 10

/** Index after a key in a list, or null if the key does not move. `index` may be -1 if none is current. */
export function movedIndex(key: string, index: number, count: number): number | null {
  if (count === 0) return null
  const last = count - 1
  const clamped = (next: number) => Math.min(Math.max(next, 0), last)
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return clamped(index + 1)
    case 'ArrowUp':
    case 'k':
      return clamped(index - 1)
    case 'Home':
      return 0
    case 'End':
      return last
    case 'PageDown':
      return clamped(index + PAGE)
    case 'PageUp':
      return clamped(index - PAGE)
    default:
      return null
  }
}
