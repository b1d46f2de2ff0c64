import type { FastifyInstance } from 'fastify'
import type { WebSocket } from 'ws'
import { implement, type Asked } from '../platform/http/implement.ts'
import * as operations from '../schemas/operations/communicate.ts'
import { askerOf as askerOfActor, type Asker, type Communicate } from '../services/communicate/face.ts'

/** Actor of the person at the machine. */
const OPERATOR = 'operator'

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
      const { actor, redact } = asked
      const visitor = { presence, asker: isOperator ? { ...asker, isTrusted: true } : asker, actor, redact }
      const session = rooms.connect(visitor, lineOf(app, socket))
      socket.on('message', (bytes: Buffer, isBinary: boolean) => session.take(bytes, isBinary))
      socket.once('close', () => session.end())
      socket.on('error', () => socket.terminate())
    },
  })
}

function roomRoutes(app: FastifyInstance, { rooms, locks }: Communicate): void {
  implement(app, operations.createRoom, (asked) => rooms.create(askerOf(asked), asked.body))
  implement(app, operations.listRooms, ({ query, part }) => rooms.list({ room_type: query.room_type }, part))
  implement(app, operations.getRoom, ({ params }) => rooms.get(params.id))
  implement(app, operations.updateRoom, (asked) => rooms.update(askerOf(asked), asked.params.id, asked.body))
  implement(app, operations.deleteRoom, (asked) => rooms.delete(askerOf(asked), asked.params.id))
  implement(app, operations.listRoomsOf, ({ params, part }) => rooms.listOf(params.identifier, part))
  implement(app, operations.listLocks, (asked) => locks(askerOf(asked), asked.params.id))
}

function participantRoutes(app: FastifyInstance, { participants }: Communicate): void {
  implement(app, operations.listParticipants, ({ params, part }) => participants.list(params.id, part))
  implement(app, operations.addParticipant, (asked) => participants.add(askerOf(asked), asked.params.id, asked.body))
  implement(app, operations.getParticipant, ({ params }) => participants.get(params.id, params.identifier))
  implement(app, operations.updateParticipant, ({ params, body, ...asked }) =>
    participants.setRole(askerOf(asked), params.id, params.identifier, body.role),
  )
  implement(app, operations.removeParticipant, ({ params, ...asked }) =>
    participants.remove(askerOf(asked), params.id, params.identifier),
  )
}

function messageRoutes(app: FastifyInstance, { messages, post }: Communicate): void {
  implement(app, operations.listMessages, ({ params, query, part, ...asked }) =>
    messages.list(askerOf(asked), params.id, query, part),
  )
  implement(app, operations.latestMessages, ({ params, query, ...asked }) =>
    messages.latest(askerOf(asked), params.id, query.count),
  )
  implement(app, operations.createMessage, (asked) => post(askerOf(asked), asked.params.id, asked.body))
  implement(app, operations.readMessage, ({ params, body, ...asked }) =>
    messages.read(askerOf(asked), params.id, body.message_id),
  )
  implement(app, operations.getMessage, (asked) => messages.get(askerOf(asked), asked.params.id))
  implement(app, operations.deleteMessage, (asked) => messages.delete(askerOf(asked), asked.params.id))
}

const askerOf = ({ actor, raw }: Pick<Asked<unknown>, 'actor' | 'raw'>): Asker =>
  askerOfActor(actor, raw.headers['x-svc-agent'])

function lineOf(app: FastifyInstance, socket: WebSocket) {
  return {
    ...app.streams.writer(socket),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    /** 1012: service restart. */
    restart: (reason: string) => socket.close(1012, reason),
  }
}
