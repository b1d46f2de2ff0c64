// What reconcilers share in their calls of services: the members that a step writes, refusals, and changes.
import { MovedError, type Movement, type Step } from '../controller/reconciler.ts'
import { Problem } from '../platform/core/problem.ts'
import { MOVED, type Seen } from '../platform/store/write-preconditions.ts'
import { pathOf, stepsOf } from '../schemas/members/member-path.ts'
import type { ToldRepository } from '../services/code-index/face.ts'
import type { ToldRoom } from '../services/communicate/face.ts'
import type { ToldDocument } from '../services/docstore/face.ts'
import type { ToldChange } from '../services/orchestrator/face.ts'

/** The members of a step as they are to be. */
export function written<Spec extends object>({ spec, members }: Step<Spec>): Partial<Spec> {
  return picked(spec, members)
}

/** The members of a step as the plan saw them; undefined where it saw nothing. */
export function seenBy<Spec extends object>({ seen, seenVersion, members }: Step<Spec>): Seen<Spec> | undefined {
  return seen === null ? undefined : { version: seenVersion, members: picked(seen, members) }
}

function picked<Spec extends object>(spec: Spec, members: readonly string[]): Partial<Spec> {
  const given = members as readonly (keyof Spec)[]
  return Object.fromEntries(given.map((member) => [member, spec[member]])) as Partial<Spec>
}

/** What a service refuses because it moved is a MovedError to the controller. */
export function orMoved<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof Problem && error.code === MOVED) throw new MovedError(error.message)
    throw error
  })
}

/** A change of what is there no more is none: somebody deleted it since it was planned. */
export function refuseGone({ action, name, seen }: Step<unknown>, kind: string): void {
  if (seen !== null && action !== 'replace' && action !== 'create')
    throw new MovedError(`${kind} ${name} was deleted since it was looked at; nothing was written`)
}

/** Null in place of a 404. */
export function orMissing<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error: unknown) => {
    if (error instanceof Problem && error.status === 404) return null
    throw error
  })
}

/**
 * The member of a spec that a write of its live resource is about. `spelt`: what a service calls a top-level member, and what the spec does. Returns null for what is no member of the spec.
 */
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

type ServiceChange = ToldChange | ToldRoom | ToldDocument | ToldRepository

/** The change of a service as the controller takes it. */
export function movementOf({ id, name, idle, cursor, by }: ServiceChange): Movement {
  return { liveId: id, name, moved: idle ? 'idle' : 'state', cursor, by }
}

/** Context of a live resource that is made canonical: it depends on nothing else. */
export const NO_CONTEXT = null as never
