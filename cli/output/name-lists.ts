/** `a, b and 7 more`. Shows all names if only one would be omitted. */
export const nameList = (names: readonly string[], most: number): string =>
  names.length > most + 1 ? `${names.slice(0, most).join(', ')} and ${names.length - most} more` : names.join(', ')

/** The first `most` lines and a count of the others. */
export const firstLines = (lines: readonly string[], most: number): string[] =>
  lines.length > most + 1 ? [...lines.slice(0, most), `  … and ${lines.length - most} more`] : [...lines]
