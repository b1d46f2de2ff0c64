/** Entries of Bash, one per line of the texts. */
export function commands(...texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.trim().split('\n')).map((line) => `Bash(${line.trim()})`)
}

/** Entries of Bash for programs that take any words, by name. */
export function programs(names: string): string[] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => `Bash(${name} *)`)
}
