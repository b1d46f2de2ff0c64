// The manifests of a command: as its argument, or by `-f`, where `-` reads standard input.
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { typed } from '../command-line.ts'
import { misuse } from '../failure.ts'
import { readManifestSet, sentFrom, type ManifestSet } from './files.ts'

export interface PathOption {
  filename?: string
}

/** What stands for standard input. */
export const STDIN = '-'

export const withPath = (command: Command, what: string): Command =>
  command.argument('[path]', what).option('-f, --filename <path>', 'the same as the argument; - reads standard input')

/** The one that was given. Throws when none was, or two. */
export function pathOf(path: string | undefined, { filename }: PathOption): string {
  if (path !== undefined && filename !== undefined && path !== filename)
    throw misuse(`${path} and -f ${filename} exclude each other`, 'give one of them')
  const given = filename ?? path
  if (given === undefined) throw misuse('which manifests?', 'name a file or folder, or - for standard input')
  return given
}

/** What is on standard input is a set without a place of its own: nothing it leaves out is deleted. */
export async function manifestsAt(path: string, { prune }: { prune?: boolean } = {}): Promise<ManifestSet> {
  if (path !== STDIN) return readManifestSet(path)
  if (prune)
    throw misuse(
      '--prune needs a file or folder',
      'standard input is no place that was applied before and can be again',
    )
  const content = await text(process.stdin)
  if (content.trim() === '')
    throw misuse('there is no manifest on standard input', `pipe one in: cat team.yml | ${typed`svc apply -f -`}`)
  return sentFrom([{ path: 'stdin.yml', content }], { root: process.cwd(), source: `apply:${STDIN}` })
}
