// Who asks for memories, and what of them is theirs to see and to change.
import type { Actor } from '../../../platform/core/actor.ts'
import { forbidden } from '../../../platform/core/problem.ts'
import type { Memory } from '../../../schemas/docstore/memory.ts'

const AGENT = 'agent:'

/** The person at the machine, by the name that person gives. */
const OPERATOR = 'operator'

export interface Viewer {
  /** Under which memories are made and shared; none for somebody unknown, who sees what is public. */
  names: readonly string[]
  /** Sees everything, and may change it. */
  isOperator: boolean
  /** An agent of ours: it speaks for itself alone. */
  isAgent: boolean
}

/** `agent:builder` is `builder` too. */
const namesOf = (name: string): string[] => (name.startsWith(AGENT) ? [name, name.slice(AGENT.length)] : [name])

export function viewerOf({ actor, agent }: Actor): Viewer {
  const isAgent = agent !== undefined || actor.startsWith(AGENT)
  return {
    names: actor === 'anonymous' ? [] : namesOf(actor),
    isOperator: actor === OPERATOR && !isAgent,
    isAgent,
  }
}

/** The same as somebody else. Throws 403 for an agent that would be another. */
export function viewingAs(viewer: Viewer, name: string | undefined): Viewer {
  if (name === undefined) return viewer
  refuseAnotherName(viewer, name, 'as_actor')
  return { names: viewer.isAgent ? viewer.names : namesOf(name), isOperator: false, isAgent: viewer.isAgent }
}

/** Throws 403 for an agent that speaks in the name of somebody else. */
export function refuseAnotherName({ isAgent, names }: Viewer, name: string, member: string): void {
  if (isAgent && !names.includes(name))
    throw forbidden(`${names[0]} may not ask with ${member} "${name}": an agent speaks for itself, as ${names.at(-1)}`)
}

export function maySee({ names, isOperator }: Viewer, memory: Memory): boolean {
  if (isOperator || memory.visibility === 'public' || names.includes(memory.created_by)) return true
  return memory.visibility === 'shared' && memory.shared_with.some((name) => names.includes(name))
}

/** Its creator; and a person at the machine who gave no name. Throws 403 for anybody else who sees it. */
export function mustOwn({ names, isOperator, isAgent }: Viewer, memory: Memory): void {
  if (isOperator || names.includes(memory.created_by) || (names.length === 0 && !isAgent)) return
  throw forbidden(`memory ${memory.id} is of ${memory.created_by}: only who made it, or the operator, changes it`)
}
