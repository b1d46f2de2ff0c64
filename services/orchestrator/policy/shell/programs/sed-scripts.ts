// Whether a script of sed only edits what it reads: one pass over its text.

/** False also for what is not understood. */
export function harmlessSed(script: string): boolean {
  let at = 0
  while (at < script.length) {
    if (/[\s;{}]/.test(script[at] ?? '')) {
      at++
      continue
    }
    const command = addresses(script, at)
    const end = command < 0 ? -1 : one(script, command)
    if (end < 0) return false
    at = end
  }
  return true
}

/** Where the command begins behind its addresses; -1 when they are not understood. */
function addresses(script: string, from: number): number {
  let at = from
  for (;;) {
    const character = script[at] ?? ''
    if (/[\d$,!~+\s]/.test(character)) at++
    else if (character === '/' || character === '\\') {
      const delimiter = character === '/' ? '/' : script[++at]
      if (delimiter === undefined) return -1
      at = upTo(script, at + 1, delimiter)
      if (at < 0) return -1
      while (script[at] === 'I' || script[at] === 'M') at++
    } else return at
  }
}

/** The place behind one command; -1 when it may run or write something. */
function one(script: string, at: number): number {
  const command = script[at] ?? ''
  if (command === '{' || command === '}') return at + 1
  if (/[pPdDqQ=hHgGxnNlz]/.test(command)) return ending(script, at + 1, /\d/)
  if (/[btT:]/.test(command)) return ending(script, at + 1, /[\w ]/)
  if (/[aic]/.test(command)) {
    const line = script.indexOf('\n', at)
    return line < 0 ? script.length : line
  }
  if (command !== 's' && command !== 'y') return -1
  const delimiter = script[at + 1]
  if (delimiter === undefined || /[\w\s\\;]/.test(delimiter)) return -1
  const middle = upTo(script, at + 2, delimiter)
  const end = middle < 0 ? -1 : upTo(script, middle, delimiter)
  return end < 0 ? -1 : ending(script, end, /[gpiIM\d]/)
}

function upTo(script: string, from: number, delimiter: string): number {
  for (let at = from; at < script.length; at++) {
    if (script[at] === '\\') at++
    else if (script[at] === delimiter) return at + 1
  }
  return -1
}

/** Nothing but these may stand before the end of a command. */
function ending(script: string, from: number, allowed: RegExp): number {
  let at = from
  while (at < script.length && allowed.test(script[at] ?? '')) at++
  return at === script.length || /[\s;}]/.test(script[at] ?? '') ? at : -1
}
