// A declared agent lists its rooms in its own manifest; a room lists its other participants.
import { byController, type Lookup, type Observed, type Reconciler, type Step } from '../controller/reconciler.ts'
import { looksLikeId } from '../schemas/communicate/room.ts'
import { roomKind, type RoomSpec } from '../schemas/room.ts'
import type { Communicate, InspectedRoom } from '../services/communicate/face.ts'
import {
  NO_CONTEXT,
  declaredMember,
  movementOf,
  orMissing,
  orMoved,
  refuseGone,
  seenBy,
  written,
} from './service-calls.ts'
import { stepsOf } from '../schemas/members/member-path.ts'

export function roomReconciler({ declared }: Pick<Communicate, 'declared'>): Reconciler<RoomSpec, InspectedRoom> {
  return {
    definition: roomKind,
    observe: async ({ name, liveId }, lookup) => {
      const inspected = liveId ? await orMissing(declared.inspect(liveId)) : await declared.find(name)
      return inspected && observed(inspected, lookup)
    },
    observeAll: async (lookup) => (await declared.inspectAll()).map((each) => observed(each, lookup)),
    apply: async (step, lookup) => {
      const liveId = await converge(declared, step, lookup)
      return { liveId, spec: observed(await declared.inspect(liveId), lookup).spec }
    },
    remove: async ({ liveId }, requestId) => {
      await orMissing(declared.remove(liveId, byController(requestId)))
    },
    health: () => ({ status: 'Ready', message: 'open' }),
    interrupts: () => null,
    writer: (liveId, path) => declared.writer(liveId, path),
    declares: (written, spec, lookup) =>
      isOfAgent(written, lookup) ? null : declaredMember(written, spec, { room_type: 'type' }),
    changes: (listener, since) => declared.changes((change) => listener(movementOf(change)), since),
  }
}

async function converge(declared: Communicate['declared'], step: Step<RoomSpec>, lookup: Lookup): Promise<string> {
  const { action, liveId, name, spec, requestId } = step
  const by = byController(requestId)
  if (action === 'replace') await orMissing(declared.remove(liveId, by))
  const inspected = await orMissing(declared.inspect(liveId))
  const { name: _, ...members } = inspected ? written(step) : spec
  if (!inspected) {
    refuseGone(step, 'room')
    await declared.make(liveId, name, spec, by)
    return liveId
  }
  const left = declaredAgents(inspected, lookup)
  await orMoved(declared.assign(liveId, members, { by, seen: seenBy(step), left }))
  return liveId
}

function declaredAgents({ participants }: InspectedRoom, lookup: Lookup): ReadonlySet<string> {
  return new Set(
    participants
      .filter(({ kind, identifier }) => kind === 'agent' && looksLikeId(identifier))
      .map(({ identifier }) => identifier)
      .filter((identifier) => lookup.nameOf('agents', identifier) !== null),
  )
}

/** True for a participant that declares the room in its own manifest. */
function isOfAgent(written: string, lookup: Lookup): boolean {
  const [list, participant] = stepsOf(written)
  return list?.key === 'participants' && participant !== undefined && lookup.nameOf('agents', participant.key) !== null
}

function observed(inspected: InspectedRoom, lookup: Lookup): Observed<RoomSpec, InspectedRoom> {
  const { room, participants, version } = inspected
  const left = declaredAgents(inspected, lookup)
  return {
    liveId: room.id,
    version,
    live: inspected,
    spec: roomKind.canonicalise(
      {
        name: room.name,
        topic: room.topic,
        description: room.description,
        type: room.room_type,
        participants: participants
          .filter(({ identifier }) => !left.has(identifier))
          .map(({ identifier, kind, role, display_name }) => ({ identifier, kind, role, display_name })),
      },
      NO_CONTEXT,
    ),
  }
}
