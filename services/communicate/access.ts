import { forbidden } from '../../platform/core/problem.ts'
import { isReservedName } from '../../schemas/access/names.ts'
import type { Actor } from '../../platform/core/actor.ts'
import type { Participant, Room } from '../../schemas/communicate/room.ts'

export interface Asker {
  /** Names of the caller as a participant: an agent has a name and an id. Empty if unknown. */
  names: readonly string[]
  /** The local user, a token with write access, or the daemon: may manage every room. */
  isTrusted: boolean
  /** Proven by a token or agent session; cannot post under another name. */
  isCertain: boolean
  /** Matches only participants of kind agent: a person may have the same name. */
  isAgent: boolean
  isViewer: boolean
}

/** Actors of the person at the machine and of the daemon's services. */
const OPERATOR = 'operator'
const OURS = /^svc-[a-z]+$/
/** Prefix of an agent's actor. */
const AGENT = 'agent:'

const NOBODY: Asker = { names: [], isTrusted: false, isCertain: false, isAgent: false, isViewer: false }

/** Returns the caller with every identifier it may have in a room. `agent`: header of an agent's commands. */
export function askerOf(actor: Actor, agent?: unknown): Asker {
  if (actor.role === undefined && actor.actor.startsWith(AGENT)) {
    // An unknown agent has neither id nor name.
    const names = actor.agent === undefined ? [] : [actor.agent, actor.actor.slice(AGENT.length)]
    return { ...NOBODY, names, isCertain: true, isAgent: true }
  }
  // Commands of agents of a remote orchestrator send this header.
  if (actor.role === undefined && typeof agent === 'string' && agent !== '')
    return { ...NOBODY, names: [agent], isCertain: true, isAgent: true }
  const names = [actor.actor]
  if (actor.role !== undefined)
    return { ...NOBODY, names, isTrusted: actor.role !== 'viewer', isCertain: true, isViewer: actor.role === 'viewer' }
  if (actor.actor === 'anonymous') return NOBODY
  return { ...NOBODY, names, isTrusted: actor.actor === OPERATOR || OURS.test(actor.actor) }
}

/** Throws 403 if a proven caller that cannot manage every room uses another name. */
export function refuseOtherName(asker: Asker, name: string): void {
  if (!asker.isTrusted) refuseOtherSender(asker, name)
}

/** Throws 403 if a proven caller posts under another name, whatever its role. */
export function refuseOtherSender({ names, isCertain }: Asker, name: string): void {
  if (!isCertain || names.includes(name)) return
  const [own] = names
  if (own === undefined) throw forbidden(`an unknown agent cannot act as "${name}"`)
  throw forbidden(`${own} cannot act as "${name}": use the name ${own} (commands: --as, or SVC_ACTOR)`)
}

/** Throws 403 if the name is reserved for someone else. */
export function refuseReservedName({ names, isTrusted }: Asker, name: string): void {
  if (isTrusted || names.includes(name) || !isReservedName(name)) return
  throw forbidden(`"${name}" is a reserved name: only its owner or the operator can add it to a room`)
}

export function refuseViewer({ isViewer, names }: Asker): void {
  if (isViewer) throw forbidden(`${names[0]} has role viewer and cannot write here: role operator is required`)
}

export function refuseStranger(asker: Asker, room: Room, participant: Participant | null): void {
  if (asker.isTrusted || participant) return
  const who = asker.names[0] ?? 'an anonymous caller'
  throw forbidden(
    `only participants can read room "${room.name}", and ${who} is not one: ask an admin of the room to add it (X-Svc-Actor names the caller)`,
  )
}

export function refuseOtherThanAdmin(asker: Asker, room: Room, participant: Participant | null): void {
  if (asker.isTrusted || participant?.role === 'admin') return
  const who = asker.names[0] ?? 'an anonymous caller'
  const role = participant ? `has role ${participant.role}` : 'is not in the room'
  throw forbidden(`only an admin of room "${room.name}" can do this, and ${who} ${role}`)
}

export function refuseMute(room: Room, sender: string, participant: Participant | null): void {
  if (!participant)
    throw forbidden(`${sender} is not in room "${room.name}" and cannot post: ask an admin of the room to add it`)
  if (participant.role === 'observer')
    throw forbidden(
      `${sender} has role observer in room "${room.name}" and can only read: ask an admin of the room for another role`,
    )
  if (room.room_type === 'broadcast' && participant.role !== 'admin')
    throw forbidden(`only admins post in the broadcast room "${room.name}", and ${sender} has role ${participant.role}`)
}
