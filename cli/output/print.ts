import { stripVTControlCharacters } from 'node:util'
import pc from 'picocolors'
import wrapAnsi from 'wrap-ansi'
import { indentedJson } from '../../schemas/validation/text.ts'
import { colourOn, columns } from '../settings.ts'

export type Paint = ReturnType<typeof pc.createColors>

export const paint = (): Paint => pc.createColors(colourOn(process.stdout))

/** Adds a final newline if missing. */
export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

export function printJson(value: unknown): void {
  process.stdout.write(`${indentedJson(value)}\n`)
}

/** Prints a note to standard error. */
export function note(text: string): void {
  process.stderr.write(`${fitted(text, process.stderr)}\n`)
}

/** Wraps long lines at words, indented like their first line. */
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

/** Control characters, surrogates, bidirectional controls and noncharacters. */
const HARMFUL = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u2028\u2029]/gu

/** HARMFUL characters, zero-width marks, and spaces other than U+0020. */
const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/gu

/** Escapes characters that could control the terminal or reverse text. */
export function visible(text: string): string {
  return text.replace(HARMFUL, (character) =>
    character === '\t' || character === '\n' ? character : codeOf(character),
  )
}

/** Stricter than visible(), for text that people decide from: escapes everything invisible. */
export function exact(text: string): string {
  return text.replace(UNSEEN, codeOf)
}

function codeOf(character: string): string {
  const code = character.codePointAt(0)!.toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}

/** Formats `  title  text` lines with hanging indentation. */
export function paragraph(lines: readonly (readonly [title: string, text: string])[]): string {
  const width = Math.max(...lines.map(([title]) => title.length)) + 2
  return lines.map(([title, text]) => `  ${title.padEnd(width)}${wrapped(text, width + 2)}`).join('\n')
}

/** Wraps at words to the terminal width; continuation lines are indented. */
export function wrapped(text: string, indent: number, room = columns()): string {
  const width = Math.max(room - indent, 20)
  return Number.isFinite(width)
    ? wrapAnsi(text, width, { hard: true }).replaceAll('\n', `\n${' '.repeat(indent)}`)
    : text
}
