// The face of the rooms, for their routes and their reconciler.
import type { Message, MessageInput, RoomLock } from '../../schemas/communicate/message.ts'
import type { Asker } from './access.ts'
import type { DeclaredRooms } from './declared-rooms.ts'
import type { Line, RoomSession, Visitor } from './live/session.ts'
import type { Messages } from './messages.ts'
import type { Participants } from './participants.ts'
import type { Rooms } from './rooms.ts'

export type { Asker } from './access.ts'
export type { InspectedRoom, ToldRoom } from './declared-rooms.ts'

/** A room is named by its id or its name. Methods throw 404 for a missing record, and 403 for a caller without access. */
export interface Communicate {
  readonly rooms: Pick<Rooms, 'create' | 'list' | 'listOf' | 'get' | 'update' | 'delete'>
  readonly participants: Pick<Participants, 'list' | 'get' | 'add' | 'setRole' | 'remove'>
  readonly messages: Pick<Messages, 'list' | 'latest' | 'get' | 'read' | 'delete'>
  readonly declared: Pick<
    DeclaredRooms,
    'inspect' | 'find' | 'inspectAll' | 'make' | 'assign' | 'remove' | 'writer' | 'changes'
  >
  /** Posts a message. Throws 429 for a sender above the rate limit. */
  post(asker: Asker, room: string, input: MessageInput): Promise<Message>
  locks(asker: Asker, room: string): Promise<RoomLock[]>
  /** Throws 403 if the caller may not open a socket under this name. */
  admit(asker: Asker, identifier: string): void
  /** Opens a session for a socket, which takes its frames until `end`. */
  connect(visitor: Visitor, line: Line): Pick<RoomSession, 'take' | 'end'>
}
