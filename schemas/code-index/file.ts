import * as Type from 'typebox'
import type { Fault } from '../kind.ts'
import { namedObject, orNull } from '../shapes.ts'

/** Lines per answer. */
export const MOST_LINES = 2000
/** Bytes of all lines per answer, as JSON. */
export const MOST_BYTES = 256 * 1024

const lineNumber = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }))

export const FileQuery = Type.Object({
  path: Type.String({
    minLength: 1,
    maxLength: 4096,
    description: 'Path of the file, relative to the repository',
    examples: ['src/main.ts'],
  }),
  from: lineNumber('First line; default 1'),
  to: lineNumber(`Last line; at most ${MOST_LINES} lines are returned, and fewer of long ones`),
})
export type FileQuery = Type.Static<typeof FileQuery>

export const FileLines = namedObject('FileLines', {
  path: Type.String(),
  language: Type.String(),
  size: Type.Integer({ description: 'Bytes of the file' }),
  modified_at: Type.String({ format: 'date-time' }),
  total_lines: Type.Integer(),
  from: Type.Integer({ description: 'Number of the first line, from 1' }),
  lines: Type.Array(Type.String(), { description: 'Without line ends; empty after the last line' }),
  cut: Type.Array(Type.Integer(), { description: 'Numbers of lines that are cut and end with …' }),
  next: orNull(Type.Integer(), 'Number of the line after the returned ones; null at the end of the file'),
})
export type FileLines = Type.Static<typeof FileLines>

export function fileQueryFaults({ path, from = 1, to }: FileQuery): Fault[] {
  const names = path.split('/')
  const fault = (member: string, message: string, hint: string): Fault[] => [
    { path: [member], code: 'invalid-value', message, hint },
  ]
  const relative = 'use a path relative to the repository, such as src/main.ts'
  return [
    ...(path.startsWith('/') ? fault('path', `${JSON.stringify(path)} is absolute`, relative) : []),
    ...(path.includes('\0') ? fault('path', 'contains a NUL character', relative) : []),
    ...(!path.startsWith('/') && names.some((name) => name === '' || name === '.' || name === '..')
      ? fault('path', `${JSON.stringify(path)} has an empty part, "." or ".."`, relative)
      : []),
    ...(to !== undefined && to < from
      ? fault('to', `${to} is before from (${from})`, 'name the last line, or leave it out')
      : []),
  ]
}
