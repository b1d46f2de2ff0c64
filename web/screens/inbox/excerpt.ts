/** Characters that two lines of the list hold. */
const MOST = 92
/** Characters of the end, which often say what a command does. */
const END = 32

/** A text without its middle, so that its end is seen too: "git push --force … --registry https://pkgs". */
export function excerpt(text: string): string {
  const characters = Array.from(text)
  if (characters.length <= MOST) return text
  return `${characters.slice(0, MOST - END - 3).join('')} … ${characters.slice(-END).join('')}`
}
