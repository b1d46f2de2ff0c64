import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { typed } from '../command-line.ts'
import { misuse } from '../failure.ts'
import { readManifestSet, sentFrom, type ManifestSet } from './files.ts'

export interface PathOption {
  filename?: string
}

export const STDIN = '-'

export const withPath = (command: Command, what: string): Command =>
  command.argument('[path]', what).option('-f, --filename <path>', 'Same as the argument; - reads standard input')

/** Throws if no path is given, or two different ones. */
export function pathOf(path: string | undefined, { filename }: PathOption): string {
  if (path !== undefined && filename !== undefined && path !== filename)
    throw misuse(`${path} and -f ${filename} are mutually exclusive`, 'use one of the two')
  const given = filename ?? path
  if (given === undefined) throw misuse('no manifests given', 'pass a file or folder, or - for standard input')
  return given
}

/** Throws for `prune` with standard input, which has no identity. */
export async function manifestsAt(path: string, { prune }: { prune?: boolean } = {}): Promise<ManifestSet> {
  if (path !== STDIN) return readManifestSet(path)
  if (prune)
    throw misuse(
      '--prune needs a file or folder',
      'standard input has no identity, so earlier applies of it are unknown',
    )
  const content = await text(process.stdin)
  if (content.trim() === '')
    throw misuse('standard input contains no manifest', `pipe one in: cat team.yml | ${typed`svc apply -f -`}`)
  return sentFrom([{ path: 'stdin.yml', content }], { root: process.cwd(), source: `apply:${STDIN}` })
}
