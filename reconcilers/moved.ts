// What a step writes: its members, on the condition that they are as the plan saw them.
import { MovedError, type Step } from '../controller/reconciler.ts'
import { Problem } from '../platform/core/problem.ts'
import { MOVED, type Seen } from '../platform/store/write-preconditions.ts'

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
