// The id of a document, made of its title.

/** Bytes of a slug: what is appended to it, and the names of files made of it, fit into a name of 255 bytes. */
const LONGEST = 150
const NAMELESS = 'document'

/**
 * Letters and digits of any script in lower case, words joined by hyphens: `Größe & Gewicht` is `größe-gewicht`;
 * `document` where there is none.
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

/** `plan`, `plan-2`, `plan-3`, …: the first that is free. */
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
