import type { Actor } from '../../../platform/core/actor.ts'
import { forbidden } from '../../../platform/core/problem.ts'
import { isReservedName } from '../../../schemas/access/names.ts'
import type { Memory } from '../../../schemas/docstore/memory.ts'

const AGENT = 'agent:'

const OPERATOR = 'operator'

export interface Viewer {
  /** Empty for an unknown caller, who sees public memories only. */
  names: readonly string[]
  /** Sees and changes every memory: with tokens the role admin, without them the actor `operator`. */
  isOperator: boolean
  /** May search and write under any name. */
  mayActAs: boolean
  /** An agent can act only under its own name. */
  isAgent: boolean
}

/** `agent:builder` also owns memories of `builder`. */
const namesOf = (name: string): string[] => (name.startsWith(AGENT) ? [name, name.slice(AGENT.length)] : [name])

export function viewerOf({ actor, agent, role }: Actor): Viewer {
  const isAgent = agent !== undefined || actor.startsWith(AGENT)
  const isOperator = !isAgent && (role === undefined ? actor === OPERATOR : role === 'admin')
  return {
    names: actor === 'anonymous' ? [] : namesOf(actor),
    isOperator,
    mayActAs: isOperator || role === 'operator',
    isAgent,
  }
}

/** Throws 403 if the viewer may not act under the name. */
export function viewingAs(viewer: Viewer, name: string | undefined): Viewer {
  if (name === undefined || viewer.names.includes(name)) return viewer
  if (viewer.mayActAs) return { ...viewer, names: namesOf(name), isOperator: false }
  throw forbidden(
    `${viewer.names[0] ?? 'an anonymous caller'} cannot search as "${name}": omit as_actor, or use a token of role operator ` +
      '(with tokens off, the actor "operator")',
  )
}

/** Throws 403 if the viewer may not be the author `name`. */
export function refuseAnotherAuthor({ isAgent, mayActAs, names }: Viewer, name: string): void {
  if (mayActAs || names.includes(name)) return
  if (isAgent)
    throw forbidden(`${names[0]} cannot use created_by "${name}": an agent must use its own name, ${names.at(-1)}`)
  if (isReservedName(name)) throw forbidden(`created_by "${name}" is a reserved name: use your own name`)
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
