/** Characters that move the cursor, change text direction or break formats. */
const HARMFUL = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u2028\u2029]/gu

/** Keeps tabs and newlines. */
export function printable(text: string): string {
  return text.replace(HARMFUL, (character) => (character === '\t' || character === '\n' ? character : '\uFFFD'))
}

/** As in `3 errors, 1 warning in 2 files`. */
export function countLine(diagnostics: readonly { severity: string; file: string }[]): string {
  if (diagnostics.length === 0) return 'no errors'
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length
  const files = new Set(diagnostics.map((diagnostic) => diagnostic.file)).size
  return `${plural(errors, 'error')}, ${plural(diagnostics.length - errors, 'warning')} in ${plural(files, 'file')}`
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
