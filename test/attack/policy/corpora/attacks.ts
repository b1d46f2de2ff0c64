// The attacks of attacks.json. A judge of tool calls and a sandbox are tested with the same.
import { readFileSync } from 'node:fs'
import type { World } from './world.ts'

/**
 * How an attack is seen to work. `changed`: a file outside the project; `read`: a secret from outside in the output or
 * in the project; `removed`: victim.txt, by the denied `rm`; `ran`: a new file in the project whose name ends in `ran`;
 * `sent`: bytes at the listener; `promoted`: the agent's own manifests or configuration.
 */
export type Effect = 'changed' | 'read' | 'removed' | 'ran' | 'sent' | 'promoted'

export interface Spelling {
  tool: string
  /** `{project}`, `{out}`, `{home}`, `{data}` and `{port}` are of the world. */
  input: Record<string, unknown>
  effect: Effect
  /** Where it is not the author of the family. */
  author?: Family['author']
}

export interface Family {
  id: string
  title: string
  group: string
  /** `blind`: written without knowledge of the analyser. `aimed`: at what it may not see. */
  author: 'blind' | 'aimed'
  /** Names in policies.ts. None may allow a spelling without a person. */
  policies: string[]
  /** How many spellings passed under one of the policies before the analyser had three answers. */
  before: number
  spellings: Spelling[]
}

export interface Attack extends Spelling {
  /** Family and place in it, such as `home/3`. */
  id: string
  family: Family
}

export const { families } = JSON.parse(readFileSync(new URL('attacks.json', import.meta.url), 'utf8')) as {
  families: Family[]
}

/** All spellings, in the order of the file, with the paths of `world`. */
export const attacksIn = (world: World): Attack[] =>
  families.flatMap((family) =>
    family.spellings.map((spelling, at) => ({
      ...spelling,
      id: `${family.id}/${at + 1}`,
      family,
      input: filled(spelling.input, world) as Spelling['input'],
    })),
  )

function filled(value: unknown, world: World): unknown {
  if (typeof value === 'string')
    return value.replace(/\{(project|out|home|data|port)\}/g, (_, name: keyof World) => String(world[name]))
  if (Array.isArray(value)) return value.map((each) => filled(each, world))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, world)]))
}
