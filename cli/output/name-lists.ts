// Lists of names that fit on a screen, however many there are.

/** `a, b and 7 more`: the first `most` as they are given; all of them where only one more would be left out. */
export const nameList = (names: readonly string[], most: number): string =>
  names.length > most + 1 ? `${names.slice(0, most).join(', ')} and ${names.length - most} more` : names.join(', ')

/** The first `most` lines, and one that counts the others. */
export const firstLines = (lines: readonly string[], most: number): string[] =>
  lines.length > most + 1 ? [...lines.slice(0, most), `  … and ${lines.length - most} more`] : [...lines]
