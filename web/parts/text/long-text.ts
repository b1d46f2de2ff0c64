/** Limits on one entry of a conversation. */
export const MOST_LINES = 2000
export const MOST_CHARACTERS = 256 * 1024

export interface Head {
  text: string
  /** Characters that are left out. */
  rest: number
}

/** The part of a long text that is shown before the rest is opened, cut at a line if possible. */
export function headOf(text: string): Head {
  let end = 0
  for (let line = 0; line < MOST_LINES && end < text.length; line += 1) {
    const next = text.indexOf('\n', end)
    const lineEnd = next === -1 ? text.length : next + 1
    if (lineEnd > MOST_CHARACTERS) {
      if (end === 0) end = MOST_CHARACTERS
      break
    }
    end = lineEnd
  }
  return { text: text.slice(0, end), rest: text.length - end }
}

const UNITS = ['B', 'kB', 'MB', 'GB'] as const

/** For example "9.7 MB". */
export function bytesText(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1)
  const amount = bytes / 1000 ** power
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[power]}`
}
