// The rooms over HTTP, and over their socket.
import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import { implement, type Asked } from '../platform/http/implement.ts'
import type { Wire } from '../platform/http/live-streams.ts'
import * as operations from '../schemas/operations/communicate.ts'
import type { Asker, Communicate } from '../services/communicate/face.ts'

/** The name of the person at the machine, and of the parts of the daemon that ask over its address. */
const OPERATOR = 'operator'
const OURS = /^svc-[a-z]+$/
/** What the door calls an agent, before its name. */
const AGENT = 'agent:'

export function communicateRoutes(app: FastifyInstance, rooms: Communicate): void {
  roomRoutes(app, rooms)
  participantRoutes(app, rooms)
  messageRoutes(app, rooms)
  implement(app, operations.roomSocket, {
    admit: async (asked) => rooms.admit(askerOf(asked), asked.query.identifier),
    open: (socket, asked) => {
      const presence = asked.query
      const asker = askerOf(asked)
      const isOperator = asked.actor.actor === 'anonymous' && presence.identifier === OPERATOR
      const visitor = { presence, asker: isOperator ? { ...asker, isTrusted: true } : asker, actor: asked.actor }
      const { take, end } = rooms.connect(visitor, lineOf(app, socket, asked.raw.socket))
      socket.on('message', (bytes: Buffer, isBinary: boolean) => take(bytes, isBinary))
      socket.once('close', end)
      socket.on('error', () => socket.terminate())
    },
  })
}

function roomRoutes(app: FastifyInstance, rooms: Communicate): void {
  implement(app, operations.createRoom, (asked) => rooms.createRoom(askerOf(asked), asked.body))
  implement(app, operations.listRooms, ({ query, page }) => rooms.listRooms({ room_type: query.room_type }, page ?? {}))
  implement(app, operations.getRoom, ({ params }) => rooms.getRoom(params.id))
  implement(app, operations.updateRoom, (asked) => rooms.updateRoom(askerOf(asked), asked.params.id, asked.body))
  implement(app, operations.deleteRoom, (asked) => rooms.deleteRoom(askerOf(asked), asked.params.id))
  implement(app, operations.listLocks, (asked) => rooms.locks(askerOf(asked), asked.params.id))
}

function participantRoutes(app: FastifyInstance, rooms: Communicate): void {
  implement(app, operations.listParticipants, ({ params, page }) => rooms.participants(params.id, page ?? {}))
  implement(app, operations.addParticipant, (asked) =>
    rooms.addParticipant(askerOf(asked), asked.params.id, asked.body),
  )
  implement(app, operations.getParticipant, ({ params }) => rooms.participant(params.id, params.identifier))
  implement(app, operations.updateParticipant, (asked) =>
    rooms.setRole(askerOf(asked), asked.params.id, asked.params.identifier, asked.body.role),
  )
  implement(app, operations.removeParticipant, (asked) =>
    rooms.removeParticipant(askerOf(asked), asked.params.id, asked.params.identifier),
  )
  implement(app, operations.listRoomsOf, ({ params, page }) => rooms.roomsOf(params.identifier, page ?? {}))
}

function messageRoutes(app: FastifyInstance, rooms: Communicate): void {
  implement(app, operations.listMessages, (asked) =>
    rooms.messages(askerOf(asked), asked.params.id, asked.query, asked.page ?? {}),
  )
  implement(app, operations.latestMessages, (asked) => rooms.latest(askerOf(asked), asked.params.id, asked.query.count))
  implement(app, operations.createMessage, (asked) => rooms.post(askerOf(asked), asked.params.id, asked.body))
  implement(app, operations.readMessage, (asked) => rooms.read(askerOf(asked), asked.params.id, asked.body.message_id))
  implement(app, operations.getMessage, (asked) => rooms.message(askerOf(asked), asked.params.id))
  implement(app, operations.deleteMessage, (asked) => rooms.deleteMessage(askerOf(asked), asked.params.id))
}

/** Whoever asks, by the names it may have in a room. */
function askerOf({ actor, raw }: Pick<Asked<unknown>, 'actor' | 'raw'>): Asker {
  if (actor.role === undefined && actor.actor.startsWith(AGENT)) {
    // It is listed by its id, or by its name; one of which no more is known than that it is one has neither.
    const names = actor.agent === undefined ? [] : [actor.agent, actor.actor.slice(AGENT.length)]
    return { ...NOBODY, names, isCertain: true, isAgent: true }
  }
  // Agents of an orchestrator elsewhere are known by what their own commands say.
  const said = raw.headers['x-svc-agent']
  if (actor.role === undefined && typeof said === 'string' && said !== '')
    return { ...NOBODY, names: [said], isCertain: true, isAgent: true }
  const names = [actor.actor]
  if (actor.role !== undefined)
    return { ...NOBODY, names, isTrusted: actor.role !== 'viewer', isCertain: true, isViewer: actor.role === 'viewer' }
  if (actor.actor === 'anonymous') return NOBODY
  return { ...NOBODY, names, isTrusted: actor.actor === OPERATOR || OURS.test(actor.actor) }
}

const NOBODY: Asker = { names: [], isTrusted: false, isCertain: false, isAgent: false, isViewer: false }

function lineOf(app: FastifyInstance, socket: WebSocket, wire: Wire) {
  return {
    ...app.streams.writer(socket, wire),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    /** 1012: service restart. */
    restart: (reason: string) => socket.close(1012, reason),
  }
}
