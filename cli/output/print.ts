// What goes to standard output and to standard error.
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
  process.stderr.write(`${text}\n`)
}

/** Text that came from elsewhere must not drive the reader's terminal: control characters are written out. */
export function visible(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Text broken between words so that it fits the terminal; all lines but the first are indented to stand below it. */
export function wrapped(text: string, indent: number): string {
  const width = Math.max(columns() - indent, 20)
  return Number.isFinite(width) ? wrapAnsi(text, width).replaceAll('\n', `\n${' '.repeat(indent)}`) : text
}
