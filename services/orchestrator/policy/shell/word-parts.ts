// Parts of a word whose text follows from how they are written.
import type { WordPart } from 'unbash'

/** Blank, invisible or turning the direction of text: a reader sees another word than the shell. */
const DECEPTIVE = /[^\P{Cc}\t\n]|\p{Cf}|[^\P{Z} ]|\u034f|\u115f|\u1160|\u3164|\uffa0/u

export const isDeceptive = (text: string): boolean => DECEPTIVE.test(text)

/** `$(cat <<'EOF' … EOF)` is its document: how programs that write commands pass long texts. */
export function hereDocument(part: WordPart & { type: 'CommandExpansion' }): string | null {
  const [statement, ...others] = part.script?.errors ? [] : (part.script?.commands ?? [])
  const command = statement?.command
  if (others.length > 0 || command?.type !== 'Command' || command.name?.text !== 'cat') return null
  const [document, ...rest] = [...command.prefix, ...command.suffix]
  if (document?.type !== 'HereDoc' || rest.length > 0 || document.closing === undefined) return null
  if (document.delimiter?.quoted !== true || document.operator !== '<<') return null
  const { text } = document.body
  let end = text.length
  while (text[end - 1] === '\n') end--
  return text.slice(0, end)
}

export const isPwd = ({ script, text }: WordPart & { type: 'CommandExpansion' }): boolean =>
  script?.commands.length === 1 && /^(\$\(|`)\s*pwd\s*[)`]$/.test(text)

/** The words that a brace expansion of plain text stands for; null for anything more in it, or beyond `most`. */
export function alternatives(text: string, most: number): string[] | null {
  const inside = text.slice(1, -1)
  if (/[\\'"`$*?[\]{}~]/.test(inside) || DECEPTIVE.test(inside)) return null
  if (inside.includes(',')) return inside.split(',')
  const [, from, to] = /^(-?\d{1,6})\.\.(-?\d{1,6})$/.exec(inside) ?? []
  if (from === undefined || to === undefined || /^-?0\d/.test(from) || /^-?0\d/.test(to)) return null
  const [low, high] = [Number(from), Number(to)]
  const count = Math.abs(high - low) + 1
  if (count > most) return null
  return Array.from({ length: count }, (_, index) => String(low + (low <= high ? index : -index)))
}
