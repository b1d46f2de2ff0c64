// Who asks something of the rooms, and what of it they may.
import { forbidden } from '../../platform/core/problem.ts'
import type { Participant, Room } from '../../schemas/communicate/room.ts'

/** Whoever asks, as far as rooms care. */
export interface Asker {
  /** What this one is called as a participant; several for an agent, which has a name and an id. None: nobody said. */
  names: readonly string[]
  /** The person at the machine, the holder of a token that may write, or the daemon itself: may read and manage all. */
  isTrusted: boolean
  /** A token or the session of an agent says who it is: then it speaks under no other name. */
  isCertain: boolean
  /** In a room it is an agent too: a person there who has its name is somebody else. */
  isAgent: boolean
  /** It may look and say nothing: the holder of a viewer's token. */
  isViewer: boolean
}

/** Throws a 403 for who says something in the name of another. */
export function refuseOtherName({ names, isTrusted, isCertain }: Asker, name: string): void {
  if (isTrusted || !isCertain || names.includes(name)) return
  throw forbidden(`${names[0] ?? 'an agent that is not on record'} speaks for itself alone, and not as "${name}"`)
}

/** Throws a 403 for who may only look. */
export function refuseViewer({ isViewer, names }: Asker): void {
  if (isViewer) throw forbidden(`${names[0]} is viewer and may say nothing here: that takes the role operator`)
}

/** Throws the 403 for who is not in the room. */
export function refuseStranger(asker: Asker, room: Room, participant: Participant | null): void {
  if (asker.isTrusted || participant) return
  const who = asker.names[0] ?? 'who does not say who it is'
  throw forbidden(
    `what is said in room "${room.name}" is for its participants, and ${who} is none: an admin of the room adds one (X-Svc-Actor says who asks)`,
  )
}

/** Throws the 403 for who does not look after the room. */
export function refuseOtherThanAdmin(asker: Asker, room: Room, participant: Participant | null): void {
  if (asker.isTrusted || participant?.role === 'admin') return
  const who = asker.names[0] ?? 'who does not say who it is'
  const role = participant ? `is ${participant.role} there` : 'is not in it'
  throw forbidden(`only an admin of room "${room.name}" may do this, and ${who} ${role}`)
}

/** Throws the 403 for a sender who may not post. */
export function refuseMute(room: Room, sender: string, participant: Participant | null): void {
  if (!participant)
    throw forbidden(`${sender} is not in room "${room.name}" and may not post: an admin adds participants`)
  if (participant.role === 'observer')
    throw forbidden(
      `${sender} is observer of room "${room.name}", and observers only read: an admin may give another role`,
    )
  if (room.room_type === 'broadcast' && participant.role !== 'admin')
    throw forbidden(`in the broadcast room "${room.name}" only admins post, and ${sender} is ${participant.role}`)
}
