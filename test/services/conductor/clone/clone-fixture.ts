import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openConductorGit } from '../../../../services/conductor/clone/conductor-git.ts'
import type { Restack } from '../../../../services/conductor/git.ts'
import type { StackedRemote } from '../../../platform/git/stacked-remote.ts'

export const dataDirOf = (remote: StackedRemote): string => join(remote.home, 'data')
export const cloneOf = (remote: StackedRemote): string => join(dataDirOf(remote), 'conductor', 'acme', 'shop')

/** Token of the forge, which no file, error or process list may contain. */
export const TOKEN = 'planted-forge-token'

export function gitOf(remote: StackedRemote, given: { remote?: string; cloneUrl?: string | null } = {}) {
  return openConductorGit({
    owner: 'Acme',
    name: 'shop',
    remote: given.remote ?? `file://${remote.home}/acme/{name}.git`,
    cloneUrl: async () => given.cloneUrl ?? null,
    dataDir: dataDirOf(remote),
    home: remote.home,
    env: { PATH: process.env.PATH, SVC_FORGE_TOKEN: TOKEN },
  })
}

export const forever = new AbortController().signal

/** Moves b, and c above it, after the merge of a. */
export function restackOf(remote: StackedRemote, merged: string, onto = 'main'): Restack {
  return {
    onto,
    merged: { number: 1, head: merged },
    trunks: ['main'],
    branches: [
      { number: 2, branch: 'b', head: remote.head('b')!, parent: null },
      { number: 3, branch: 'c', head: remote.head('c')!, parent: 2 },
    ],
  }
}

/** Names in the folder of the clone: `clone.git` alone if no rewrite is left. */
export const leftIn = (remote: StackedRemote): string[] => readdirSync(cloneOf(remote))
