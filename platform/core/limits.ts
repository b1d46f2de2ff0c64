// Limits per owner: how much one caller may accumulate.
import { isAgent, type Actor } from './actor.ts'
import type { Config } from './config.ts'
import { Problem } from './problem.ts'

export interface Owner {
  /** An agent's id; otherwise the actor. */
  id: string
  name: string
}

const OWN_PARTS = new Set(['controller', 'daemon', 'conductor'])

/** Returns the caller whose limits apply to a change, or null if it has none. */
export function ownerOf(actor: Actor | null, { limitsFor }: Pick<Config, 'limitsFor'>): Owner | null {
  if (actor === null || OWN_PARTS.has(actor.actor)) return null
  return isAgent(actor) || limitsFor === 'everyone' ? { id: actor.agent ?? actor.actor, name: actor.actor } : null
}

export interface Limit {
  most: number
  /** Of what: `memories`. */
  what: string
  /** Name of the setting. */
  variable: string
  /** How to get below the limit: `delete some`. */
  next: string
}

const RETRY_SECS = 60

/** Throws 429 if the owner would have more than allowed. */
export function refuseAbove({ name }: Pick<Owner, 'name'>, limit: Limit, after: number): void {
  if (after > limit.most)
    throw new Problem(429, limitText(name, limit), { code: 'limit-reached', retrySecs: RETRY_SECS })
}

export const limitText = (name: string, { most, what, variable, next }: Limit): string =>
  `${name} has reached its limit of ${most} ${what} (${variable}): ${next}, or ask a person to raise the limit`
