import type { Command } from 'commander'
import { misuse } from '../failure.ts'
import { READS } from '../standard-input.ts'

export interface PathOption {
  filename?: string
}

export const withPath = (command: Command, what: string): Command =>
  command.argument('[path]', `${what}; ${READS}`).option('-f, --filename <path>', `Same as the argument; ${READS}`)

/** Throws if no path is given, or two different ones. */
export function pathOf(path: string | undefined, { filename }: PathOption): string {
  if (path !== undefined && filename !== undefined && path !== filename)
    throw misuse(`${path} and -f ${filename} are mutually exclusive`, 'use one of the two')
  const given = filename ?? path
  if (given === undefined) throw misuse('no manifests given', 'pass a file or folder, or - for standard input')
  return given
}
