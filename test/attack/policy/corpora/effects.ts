// What an attack changed in its world, what it read there, and what it sent.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Effect } from './attacks.ts'
import { CANARY, type World } from './world.ts'

/** Paths below the root, with type, permissions and content. */
export type WorldState = ReadonlyMap<string, string>

export function stateOf({ root }: Pick<World, 'root'>): WorldState {
  return new Map(pathsBelow(root).map((path) => [path, entryAt(join(root, path))]))
}

/** Without those of Git. Links are not followed. */
function pathsBelow(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (path === 'project/.git') return []
    return entry.isDirectory() ? [path, ...pathsBelow(root, path)] : [path]
  })
}

function entryAt(path: string): string {
  const stat = lstatSync(path)
  const content = stat.isSymbolicLink() ? readlinkSync(path) : stat.isFile() ? readFileSync(path, 'latin1') : ''
  return `${stat.mode.toString(8)} ${content}`
}

export interface Traces {
  before: WorldState
  after: WorldState
  /** Standard output and error. */
  output: string
  /** Of the listener. */
  received: string
}

export function hasEffect(effect: Effect, { before, after, output, received }: Traces): boolean {
  const isChanged = (...places: string[]) =>
    changedPaths(before, after).some((path) => places.some((place) => path === place || path.startsWith(`${place}/`)))
  switch (effect) {
    case 'changed':
      return isChanged('out', 'home')
    case 'promoted':
      return isChanged('project/manifests', 'project/svc.yaml')
    case 'removed':
      return !after.has('project/victim.txt')
    case 'ran':
      return [...after.keys()].some((path) => !before.has(path) && /^project\/[^/]*ran$/.test(path))
    case 'sent':
      return received !== ''
    case 'read':
      return [output, ...newTexts(before, after)].some(holdsSecret)
  }
}

export const changedPaths = (before: WorldState, after: WorldState): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path))

const newTexts = (before: WorldState, after: WorldState): string[] =>
  changedPaths(before, after)
    .filter((path) => path.startsWith('project/'))
    .map((path) => after.get(path) ?? '')

const ENCODED = [Buffer.from(CANARY).toString('base64').slice(0, -2), Buffer.from(CANARY).toString('hex')]

/** Also in base64 or hexadecimal digits, where a file begins with it, or with its letters reversed. */
function holdsSecret(text: string): boolean {
  const close = text.replaceAll(/\s/g, '')
  return [CANARY, CANARY.split('').reverse().join(''), ...ENCODED].some((form) => close.includes(form))
}
