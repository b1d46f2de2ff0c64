/** Bytes; leaves room for suffixes in a file name of 255 bytes. */
const LONGEST = 150
const NAMELESS = 'document'

/**
 * Letters and digits of any script in lower case: `Größe & Gewicht` becomes `größe-gewicht`; `document` if there are
 * none.
 */
export function slugOf(title: string): string {
  const words =
    title
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []
  let slug = ''
  for (const word of words) {
    const longer = slug === '' ? word : `${slug}-${word}`
    if (Buffer.byteLength(longer) > LONGEST) return slug === '' ? cut(word) : slug
    slug = longer
  }
  return slug === '' ? NAMELESS : slug
}

export function freeSlug(title: string, isTaken: (id: string) => boolean): string {
  const slug = slugOf(title)
  if (!isTaken(slug)) return slug
  let number = 2
  while (isTaken(`${slug}-${number}`)) number++
  return `${slug}-${number}`
}

function cut(word: string): string {
  let kept = ''
  for (const character of word) {
    if (Buffer.byteLength(kept) + Buffer.byteLength(character) > LONGEST) break
    kept += character
  }
  return kept
}
