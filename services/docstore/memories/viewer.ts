import type { Actor } from '../../../platform/core/actor.ts'
import { forbidden } from '../../../platform/core/problem.ts'
import type { Memory } from '../../../schemas/docstore/memory.ts'

const AGENT = 'agent:'

const OPERATOR = 'operator'

export interface Viewer {
  /** Empty for an unknown caller, who sees public memories only. */
  names: readonly string[]
  /** May change every memory. */
  isOperator: boolean
  /** An agent can act only under its own name. */
  isAgent: boolean
}

/** `agent:builder` also owns memories of `builder`. */
const namesOf = (name: string): string[] => (name.startsWith(AGENT) ? [name, name.slice(AGENT.length)] : [name])

export function viewerOf({ actor, agent }: Actor): Viewer {
  const isAgent = agent !== undefined || actor.startsWith(AGENT)
  return {
    names: actor === 'anonymous' ? [] : namesOf(actor),
    isOperator: actor === OPERATOR && !isAgent,
    isAgent,
  }
}

/** Throws 403 if an agent uses another name. */
export function viewingAs(viewer: Viewer, name: string | undefined): Viewer {
  if (name === undefined) return viewer
  refuseAnotherName(viewer, name, 'as_actor')
  return { names: viewer.isAgent ? viewer.names : namesOf(name), isOperator: false, isAgent: viewer.isAgent }
}

export function refuseAnotherName({ isAgent, names }: Viewer, name: string, member: string): void {
  if (isAgent && !names.includes(name))
    throw forbidden(`${names[0]} cannot use ${member} "${name}": an agent must use its own name, ${names.at(-1)}`)
}

export function maySee({ names, isOperator }: Viewer, memory: Memory): boolean {
  if (isOperator || memory.visibility === 'public' || names.includes(memory.created_by)) return true
  return memory.visibility === 'shared' && memory.shared_with.some((name) => names.includes(name))
}

/** Throws 403 unless the viewer is the owner, the operator or an unnamed person. */
export function mustOwn({ names, isOperator, isAgent }: Viewer, memory: Memory): void {
  if (isOperator || names.includes(memory.created_by) || (names.length === 0 && !isAgent)) return
  throw forbidden(`memory ${memory.id} belongs to ${memory.created_by}: only the owner or the operator can change it`)
}
