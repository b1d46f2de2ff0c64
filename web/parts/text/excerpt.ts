/** Characters that two lines of a list hold. */
export const MOST = 92

/**
 * A text without its middle, so that its end is seen too: "git push --force … --registry https://pkgs". `most`:
 * characters, default those of two lines.
 */
export function excerpt(text: string, most = MOST): string {
  const characters = Array.from(text)
  if (characters.length <= most) return text
  // The end often says what a command does.
  const end = Math.floor(most / 3)
  return `${characters.slice(0, most - end - 3).join('')} … ${characters.slice(-end).join('')}`
}

/** Splits a line, so that the page can cut the first part only. `end`: characters of the second part at most. */
export function splitEnd(text: string, end: number): [start: string, end: string] {
  const characters = Array.from(text)
  const kept = Math.min(end, Math.floor(characters.length / 3))
  const at = characters.length - kept
  return [characters.slice(0, at).join(''), characters.slice(at).join('')]
}
