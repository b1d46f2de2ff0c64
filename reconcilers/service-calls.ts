import { MovedError, type Movement, type Step } from '../controller/reconciler.ts'
import { Problem } from '../platform/core/problem.ts'
import { MOVED, type Seen } from '../platform/store/write-preconditions.ts'
import { pathOf, stepsOf } from '../schemas/members/member-path.ts'
import type { RepositoryNotice } from '../services/code-index/face.ts'
import type { RoomNotice } from '../services/communicate/face.ts'
import type { DocumentNotice } from '../services/docstore/face.ts'
import type { ChangeNotice } from '../services/orchestrator/face.ts'

export function written<Spec extends object>({ spec, members }: Step<Spec>): Partial<Spec> {
  return picked(spec, members)
}

/** The fields to write, as the plan saw them; undefined if it saw none. */
export function seenBy<Spec extends object>({ seen, seenVersion, members }: Step<Spec>): Seen<Spec> | undefined {
  return seen === null ? undefined : { version: seenVersion, members: picked(seen, members) }
}

function picked<Spec extends object>(spec: Spec, members: readonly string[]): Partial<Spec> {
  const given = members as readonly (keyof Spec)[]
  return Object.fromEntries(given.map((member) => [member, spec[member]])) as Partial<Spec>
}

/** Converts a service's `moved` error to a MovedError. */
export function orMoved<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof Problem && error.code === MOVED) throw new MovedError(error.message)
    throw error
  })
}

/** Throws if the resource was deleted since the plan. */
export function refuseGone({ action, name, seen }: Step<unknown>, kind: string): void {
  if (seen !== null && action !== 'replace' && action !== 'create')
    throw new MovedError(`${kind} ${name} was deleted since it was read; nothing was written`)
}

/** Converts a 404 to null. */
export function orMissing<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: unknown) => {
    if (error instanceof Problem && error.status === 404) return null
    throw error
  })
}

/** Field of the spec for a live field, or null. `spelt`: names that differ. */
export function declaredMember(
  written: string,
  spec: object,
  spelt: Readonly<Record<string, string>> = {},
): string | null {
  const [first, ...rest] = stepsOf(written)
  if (!first) return written
  const key = spelt[first.key] ?? first.key
  return Object.hasOwn(spec, key) ? pathOf([{ key, isElement: false }, ...rest]) : null
}

type ServiceChange = ChangeNotice | RoomNotice | DocumentNotice | RepositoryNotice

export function movementOf({ id, name, idle, cursor, by }: ServiceChange): Movement {
  return { liveId: id, name, moved: idle ? 'idle' : 'state', cursor, by }
}

/** Canonicalising a live resource needs no context. */
export const NO_CONTEXT = null as never
