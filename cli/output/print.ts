// What goes to standard output and to standard error.
import { stripVTControlCharacters } from 'node:util'
import pc from 'picocolors'
import wrapAnsi from 'wrap-ansi'
import { colourOn, columns } from '../settings.ts'

export type Paint = ReturnType<typeof pc.createColors>

/** Colours for standard output. */
export const paint = (): Paint => pc.createColors(colourOn(process.stdout))

/** Writes text and ends the line when it is not ended. */
export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

/** Notes for people, beside the output: to standard error. */
export function note(text: string): void {
  process.stderr.write(`${fitted(text, process.stderr)}\n`)
}

/** Lines that are wider than the terminal are broken between words, and go on below where they began. */
export function fitted(text: string, stream: { isTTY?: boolean; columns?: number } = process.stdout): string {
  if (stream.isTTY !== true) return text
  const room = stream.columns || 80
  const broken = (line: string) => {
    const indent = /^ */.exec(line)![0]
    return `${indent}${wrapped(line.slice(indent.length), indent.length + 2, room)}`
  }
  return text
    .split('\n')
    .map((line) => (stripVTControlCharacters(line).length > room ? broken(line) : line))
    .join('\n')
}

/** What drives a terminal, turns the direction of text, or is no character at all. */
const HARMFUL = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u2028\u2029]/gu

/** What is there and does not show: the above, marks without a width, and blanks that are no space. */
const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/gu

/** Text that came from elsewhere must not drive the reader's terminal, nor read otherwise than it is: written out. */
export function visible(text: string): string {
  return text.replace(HARMFUL, (character) =>
    character === '\t' || character === '\n' ? character : codeOf(character),
  )
}

/** The same where somebody decides by what it says: nothing in it that is not seen. */
export function exact(text: string): string {
  return text.replace(UNSEEN, codeOf)
}

/** `\u001b`, `\u{e0041}` */
function codeOf(character: string): string {
  const code = character.codePointAt(0)!.toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}

/** A line each, `  title  text`, the text below itself where it goes on. */
export function paragraph(lines: readonly (readonly [title: string, text: string])[]): string {
  const width = Math.max(...lines.map(([title]) => title.length)) + 2
  return lines.map(([title, text]) => `  ${title.padEnd(width)}${wrapped(text, width + 2)}`).join('\n')
}

/** Text broken between words so that it fits the terminal; all lines but the first are indented to stand below it. */
export function wrapped(text: string, indent: number, room = columns()): string {
  const width = Math.max(room - indent, 20)
  return Number.isFinite(width)
    ? wrapAnsi(text, width, { hard: true }).replaceAll('\n', `\n${' '.repeat(indent)}`)
    : text
}
