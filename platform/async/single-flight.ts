// Work that is under way is not begun again: who asks meanwhile gets what it comes to.

/** A function that begins `work` unless it is under way already. */
export function oneAtOnce<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null
  return () => {
    underWay ??= work().finally(() => {
      underWay = null
    })
    return underWay
  }
}
