import type { Message, MessageInput, RoomLock } from '../../schemas/communicate/message.ts'
import type { Asker } from './access.ts'
import type { DeclaredRooms } from './declared-rooms.ts'
import type { Line, RoomSession, Visitor } from './live/session.ts'
import type { Messages } from './messages.ts'
import type { Participants } from './participants.ts'
import type { Rooms } from './rooms.ts'

export { askerOf, type Asker } from './access.ts'
export type { InspectedRoom, RoomNotice } from './declared-rooms.ts'

/** `room` is an id or a name. Methods throw 404 for missing records, 403 without access. */
export interface Communicate {
  readonly rooms: Pick<Rooms, 'create' | 'list' | 'listOf' | 'get' | 'update' | 'delete'>
  readonly participants: Pick<Participants, 'list' | 'get' | 'add' | 'setRole' | 'remove'>
  readonly messages: Pick<Messages, 'list' | 'latest' | 'get' | 'read' | 'delete'>
  readonly declared: Pick<
    DeclaredRooms,
    'inspect' | 'find' | 'inspectAll' | 'make' | 'assign' | 'remove' | 'writer' | 'changes'
  >
  /** Throws 429 for a sender above the rate limit. */
  post(asker: Asker, room: string, input: MessageInput): Promise<Message>
  locks(asker: Asker, room: string): Promise<RoomLock[]>
  admit(asker: Asker, identifier: string): void
  /** The session accepts frames until `end`. */
  connect(visitor: Visitor, line: Line): Pick<RoomSession, 'take' | 'end'>
}
