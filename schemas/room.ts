import * as Type from 'typebox'
import {
  DIRECT_PARTICIPANTS,
  PARTICIPANT_KINDS,
  PARTICIPANT_ROLES,
  ParticipantIdentifier,
  ROOM_TYPES,
} from './communicate/room.ts'
import { manifestObject, oneFault, type Fault, type KindDefinition } from './kind.ts'
import { canonical, costIn, inputOf, keyedIn, nullable, shaped, widensIn, withDefault, type SpecOf } from './members.ts'
import { never, raisesRole } from './members/widening.ts'
import { closedObject } from './shapes.ts'

const Listed = closedObject({
  identifier: ParticipantIdentifier,
  kind: Type.Optional(Type.Enum([...PARTICIPANT_KINDS], { description: 'Kind of participant; default human' })),
  role: Type.Optional(Type.Enum([...PARTICIPANT_ROLES], { description: 'Role; default member' })),
  display_name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'Display name; default: the identifier' }),
  ),
})

type Participants = Type.Static<typeof Listed>[]

const roomMembers = {
  topic: nullable(Type.String({ maxLength: 256 }), 'Short purpose of the room', { widens: never }),
  description: nullable(Type.String({ maxLength: 4096 }), 'Long description of the room', { widens: never }),
  type: withDefault(Type.Enum([...ROOM_TYPES], { description: 'Type of the room; default group' }), 'group', {
    widens: never,
  }),
  participants: shaped(
    Type.Array(Listed, { description: 'Participants, in addition to the agents whose manifests list the room' }),
    byIdentifier,
    { keyed: 'identifier', widens: raisesRole('identifier') },
  ),
}

export const RoomManifest = manifestObject(
  'Room',
  'A room where people and agents exchange messages',
  inputOf(roomMembers),
)
export type RoomManifest = Type.Static<typeof RoomManifest>

/** Canonical form, also produced from live rooms. */
export interface RoomSpec extends SpecOf<typeof roomMembers> {
  name: string
}

export const roomKind: KindDefinition<RoomSpec> = {
  kind: 'rooms',
  title: 'room',
  manifestKind: 'Room',
  schema: RoomManifest,
  secrets: [],
  check: ({ type, participants = [] }: RoomManifest) => [
    ...duplicateFaults(participants ?? []),
    ...crowdFaults(type, participants ?? []),
  ],
  references: () => [],
  canonicalise: (manifest: RoomManifest) => ({ name: manifest.name, ...canonical(roomMembers, manifest) }),
  change: costIn(roomMembers),
  keyed: keyedIn(roomMembers),
  widens: widensIn(roomMembers),
}

function byIdentifier(written: Participants | null | undefined) {
  return (written ?? [])
    .map(({ identifier, kind = 'human', role = 'member', display_name = identifier }) => ({
      identifier,
      kind,
      role,
      display_name,
    }))
    .sort((a, b) => (a.identifier < b.identifier ? -1 : 1))
}

/** A participant can be listed once, with one role. */
function duplicateFaults(participants: Participants): Fault[] {
  const first = new Map<string, number>()
  return participants.flatMap((participant, index) => {
    const identifier = participant?.identifier
    const before = first.get(identifier)
    if (before === undefined) {
      first.set(identifier, index)
      return []
    }
    const role = (at: number) => participants[at]!.role ?? 'member'
    return oneFault(
      ['participants', index, 'identifier'],
      'conflicting-members',
      `"${identifier}" is listed twice: at participants[${before}] as ${role(before)}, and here as ${role(index)}`,
      'keep one of the two',
    )
  })
}

function crowdFaults(type: RoomManifest['type'], { length }: Participants): Fault[] {
  if (type !== 'direct' || length <= DIRECT_PARTICIPANTS) return []
  return oneFault(
    ['participants'],
    'invalid-value',
    `a direct room has at most ${DIRECT_PARTICIPANTS} participants, instead got ${length}`,
    'set type: group, or remove some',
  )
}
