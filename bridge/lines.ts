// Cuts a stream of bytes into lines, and lets go of a line that never ends.
import { StringDecoder } from 'node:string_decoder'

/** Longest line taken from a program, in characters. */
const LONGEST_LINE = 64 * 1024 * 1024

/** Takes chunks as they come and calls back once a line, without its newline; blank lines are left out. */
export function lineCutter(
  onLine: (line: string) => void,
  onTooLong: (length: number) => void,
  longest = LONGEST_LINE,
): { take(chunk: Buffer): void; end(): void } {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  let length = 0
  const emit = (last: string) => {
    const whole = length + last.length
    const line = whole > longest ? '' : [...parts, last].join('')
    parts = []
    length = 0
    if (whole > longest) onTooLong(whole)
    else if (line.trim() !== '') onLine(line.endsWith('\r') ? line.slice(0, -1) : line)
  }
  return {
    take(chunk) {
      const pieces = decoder.write(chunk).split('\n')
      const rest = pieces.pop()!
      for (const piece of pieces) emit(piece)
      length += rest.length
      if (length <= longest) parts.push(rest)
      else parts = []
    },
    end() {
      emit(decoder.end())
    },
  }
}
