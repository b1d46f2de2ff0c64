// The face of the rooms: what their routes may ask of them.
import type { Actor } from '../../platform/core/actor.ts'
import type { Unsubscribe } from '../../platform/async/change-feed.ts'
import type { AuditEntry } from '../../platform/store/audit.ts'
import type { ToldChange } from '../../platform/store/change-log.ts'
import type { Page, PageLimits } from '../../platform/store/page.ts'
import type { Seen } from '../../platform/store/write-preconditions.ts'
import type { Message, MessageInput, RoomLock } from '../../schemas/communicate/message.ts'
import type {
  Participant,
  ParticipantInput,
  ParticipantRole,
  Room,
  RoomInput,
  RoomType,
  RoomUpdate,
} from '../../schemas/communicate/room.ts'
import type { RoomSpec } from '../../schemas/room.ts'
import type { Asker } from './asker.ts'
import type { Line, Visitor } from './live/line.ts'
import type { Span } from './messages.ts'

export type { Asker } from './asker.ts'

/** A list takes the part that is wanted; all of it where none is named. */
type Part = Partial<PageLimits>

/** What of a room a manifest says, in its words. */
export type RoomMembers = Omit<RoomSpec, 'name'>

/** A room with everybody in it, as it is at one moment. */
export interface InspectedRoom {
  room: Room
  participants: readonly Participant[]
  /** Counts every write to the room and to who is in it; not what is said there. */
  version: number
}

export type ToldRoom = ToldChange<'rooms'>

/** Rooms as manifests declare them: for the reconciler, in the name of `by`. */
export interface DeclaredRooms {
  inspect(id: string): Promise<InspectedRoom>
  find(name: string): Promise<InspectedRoom | null>
  /** Newest first; the same object as long as the room has not changed. */
  inspectAll(): Promise<InspectedRoom[]>
  /** With these participants and no other. Throws 409 for a name that is taken. */
  make(id: string, name: string, members: RoomMembers, by: Actor): Promise<void>
  /**
   * Gives whole members other values, and leaves the participants in `left` as they are. 409 `moved` where a member is
   * not as it was seen.
   */
  assign(
    id: string,
    members: Partial<RoomMembers>,
    options: { by: Actor; seen: Seen<RoomMembers> | undefined; left: ReadonlySet<string> },
  ): Promise<void>
  remove(id: string, by: Actor): Promise<void>
  /** Who last wrote `path` of a room. */
  writer(id: string, path: string): Promise<AuditEntry | null>
  /** Called after every committed change of a room; with a cursor, first for what was written after it. */
  changes(listener: (change: ToldRoom) => void, since?: number | null): Unsubscribe
}

/** `room` is an id or a name everywhere. Each throws 404 for what is not there, and 403 for who may not. */
export interface Communicate {
  /** Throws 409 for a name that is taken, and 403 for who makes it in the name of another. */
  createRoom(asker: Asker, input: RoomInput): Promise<Room>
  listRooms(filter: { room_type?: RoomType }, part: Part): Promise<Page<Room>>
  getRoom(room: string): Promise<Room>
  updateRoom(asker: Asker, room: string, change: RoomUpdate): Promise<Room>
  deleteRoom(asker: Asker, room: string): Promise<void>

  participants(room: string, part: Part): Promise<Page<Participant>>
  participant(room: string, identifier: string): Promise<Participant>
  /** Throws 409 for who is in there already, and for the third of a direct room. */
  addParticipant(asker: Asker, room: string, input: ParticipantInput): Promise<Participant>
  setRole(asker: Asker, room: string, identifier: string, role: ParticipantRole): Promise<Participant>
  removeParticipant(asker: Asker, room: string, identifier: string): Promise<void>
  roomsOf(identifier: string, part: Part): Promise<Page<Room>>

  messages(asker: Asker, room: string, span: Span, part: Part): Promise<Page<Message>>
  latest(asker: Asker, room: string, count: number | undefined): Promise<Message[]>
  message(asker: Asker, id: string): Promise<Message>
  /** Throws 429 for a sender who says too much at once. */
  post(asker: Asker, room: string, input: MessageInput): Promise<Message>
  read(asker: Asker, room: string, id: string): Promise<Message>
  deleteMessage(asker: Asker, id: string): Promise<void>
  locks(asker: Asker, room: string): Promise<RoomLock[]>

  readonly declared: DeclaredRooms

  /** Throws the 403 for who may not be at a socket under this name. */
  admit(asker: Asker, identifier: string): void
  /** Somebody is at a socket from now on, until `end` is called. */
  connect(visitor: Visitor, line: Line): { take(bytes: Buffer, isBinary: boolean): void; end(): void }
}
