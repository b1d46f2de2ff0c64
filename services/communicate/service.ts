// The rooms as a service: on record, live over sockets, swept by the clock.
import { background, type Background } from '../../platform/async/background.ts'
import { counter, gauge } from '../../platform/metrics/metrics.ts'
import { defineService, type Opened } from '../../platform/service/define.ts'
import { number, seconds, type Settings } from '../../platform/service/settings.ts'
import type { World } from '../../platform/service/world.ts'
import { openAudit } from '../../platform/store/audit.ts'
import { communicateOperations } from '../../schemas/operations/communicate.ts'
import { refuseOtherName } from './asker.ts'
import type { Communicate } from './face.ts'
import { Declared } from './declared.ts'
import { Flood } from './flood.ts'
import { Hub } from './live/hub.ts'
import { Receipts } from './live/receipts.ts'
import { RoomSession } from './live/session.ts'
import { Locks } from './locks.ts'
import { Messages } from './messages.ts'
import { migrations } from './migrations.ts'
import { Participants } from './participants.ts'
import type { Happening, Parts } from './parts.ts'
import { Posting } from './posting.ts'
import { Rooms } from './rooms.ts'
import { Tables } from './tables.ts'

const settings = {
  /** Messages that one sender may say in a second, over time; twice as many at once. */
  sendsPerSec: number({ default: 300, least: 1, most: 100_000 }),
  /** How long a [LOCK] holds that nobody takes back or renews. */
  lockSecs: seconds({ default: 900, least: 1 }),
} satisfies Settings

const TOPIC = 'communicate.rooms'
const SWEEP_MS = 60_000

export const communicate = defineService({
  operations: communicateOperations,
  settings,
  migrations,
  open: (world: World<typeof settings>): Communicate & Opened => new CommunicateService(world),
})

class CommunicateService implements Communicate, Opened {
  readonly #world: World<typeof settings>
  readonly #parts: Parts
  readonly #rooms: Rooms
  readonly #participants: Participants
  readonly #messages: Messages
  readonly #posting: Posting
  readonly #locks: Locks
  readonly #flood: Flood
  readonly #receipts: Receipts
  readonly #hub: Hub
  readonly declared: Declared
  readonly #sessions = new Set<RoomSession>()
  #posted = 0
  #sweeping: Background | null = null
  #hearing: (() => void) | null = null

  constructor(world: World<typeof settings>) {
    this.#world = world
    const { prefix } = migrations
    this.#parts = {
      world,
      tables: new Tables(world),
      audit: openAudit({ db: world.db, clock: world.clock, prefix, guards: world.guards }),
      tell: (happening, transaction) => world.bus.publish(TOPIC, JSON.stringify(happening), transaction),
    }
    this.#rooms = new Rooms(this.#parts)
    this.#participants = new Participants(this.#parts)
    this.declared = new Declared(this.#parts, this.#rooms, this.#participants)
    this.#locks = new Locks(this.#parts, world.settings.lockSecs * 1000)
    this.#messages = new Messages(this.#parts)
    this.#posting = new Posting(this.#parts, this.#locks)
    this.#flood = new Flood(world.clock, world.settings.sendsPerSec)
    this.#receipts = new Receipts(this.#messages, world.log)
    this.#hub = new Hub(this.#parts, this.#messages, this.#receipts)
  }

  readonly metrics = [
    gauge('svc_communicate_rooms', 'Rooms on record', () => this.#parts.tables.rooms.count()),
    gauge('svc_communicate_sockets', 'Sockets that are open', () => this.#sessions.size),
    counter('svc_communicate_messages_total', 'Messages kept since the start', () => this.#posted),
    counter('svc_communicate_refused_floods_total', 'Messages beyond what a sender may say', () => this.#flood.refused),
  ]

  async start(): Promise<void> {
    const { bus, clock, log } = this.#world
    this.#hearing = bus.subscribe(TOPIC, {
      heard: (text) => this.#heard(JSON.parse(text) as Happening),
      missed: () => this.#hub.interrupt(),
    })
    const work = async (signal: AbortSignal) => {
      await this.#messages.sweep(signal)
      await this.#locks.sweep()
    }
    this.#sweeping = background({ clock, log, name: 'room sweep', everyMs: SWEEP_MS, atOnce: true, work })
  }

  async stop(): Promise<void> {
    this.#hearing?.()
    await Promise.all([this.#sweeping?.stop(), this.#receipts.settled()])
  }

  async health(): Promise<Record<string, unknown>> {
    return { sockets: this.#sessions.size }
  }

  readonly createRoom: Communicate['createRoom'] = (asker, input) => this.#rooms.create(asker, input)
  readonly listRooms: Communicate['listRooms'] = (filter, part) => this.#rooms.list(filter, part)
  readonly getRoom: Communicate['getRoom'] = (room) => this.#rooms.get(room)
  readonly updateRoom: Communicate['updateRoom'] = (asker, room, change) => this.#rooms.update(asker, room, change)
  readonly deleteRoom: Communicate['deleteRoom'] = async (asker, room) => {
    await this.#rooms.delete(asker, room)
    this.#sweeping?.wake()
  }

  readonly participants: Communicate['participants'] = (room, part) => this.#participants.list(room, part)
  readonly participant: Communicate['participant'] = (room, identifier) => this.#participants.get(room, identifier)
  readonly addParticipant: Communicate['addParticipant'] = (asker, room, input) =>
    this.#participants.add(asker, room, input)
  readonly setRole: Communicate['setRole'] = (asker, room, identifier, role) =>
    this.#participants.setRole(asker, room, identifier, role)
  readonly removeParticipant: Communicate['removeParticipant'] = (asker, room, identifier) =>
    this.#participants.remove(asker, room, identifier)
  readonly roomsOf: Communicate['roomsOf'] = (identifier, part) => this.#rooms.listOf(identifier, part)

  readonly messages: Communicate['messages'] = (asker, room, span, part) => this.#messages.list(asker, room, span, part)
  readonly latest: Communicate['latest'] = (asker, room, count) => this.#messages.latest(asker, room, count)
  readonly message: Communicate['message'] = (asker, id) => this.#messages.get(asker, id)
  readonly read: Communicate['read'] = (asker, room, id) => this.#messages.read(asker, room, id)
  readonly deleteMessage: Communicate['deleteMessage'] = (asker, id) => this.#messages.delete(asker, id)

  readonly post: Communicate['post'] = async (asker, room, input) => {
    // Who speaks as another spends nothing of what that one may say.
    refuseOtherName(asker, input.sender_id)
    this.#flood.count(input.sender_id)
    const numbered = await this.#posting.post(asker, room, input)
    this.#posted++
    this.#hub.offer(numbered.message.room_id, numbered)
    return numbered.message
  }

  readonly locks: Communicate['locks'] = async (asker, room) => {
    const { id } = await this.#messages.readable(asker, room)
    return this.#locks.list(id)
  }

  readonly admit: Communicate['admit'] = (asker, identifier) => refuseOtherName(asker, identifier)

  readonly connect: Communicate['connect'] = (visitor, line) => {
    const { post } = this
    const world = { parts: this.#parts, messages: this.#messages, hub: this.#hub, flood: this.#flood, post }
    const session = new RoomSession(world, visitor, line)
    this.#sessions.add(session)
    return {
      take: (bytes, isBinary) => session.take(bytes, isBinary),
      end: () => {
        this.#sessions.delete(session)
        session.end()
      },
    }
  }

  #heard(happening: Happening): void {
    this.#hub.hear(happening)
    if (happening.type === 'room' || happening.type === 'participant') this.declared.moved(happening.room_id)
    if (happening.type === 'typing') {
      for (const reader of this.#hub.readersOf(happening.room_id))
        if (reader.identifier !== happening.identifier) reader.send([happening])
    }
    // Who sent it wants to know; everybody else has seen the message itself.
    if (happening.type === 'status') this.#tellSender(happening)
  }

  #tellSender({ sender_id, ...told }: Happening & { type: 'status' }): void {
    const frame = { ...told, type: 'message_status' as const }
    for (const reader of this.#hub.readersOf(told.room_id)) if (reader.identifier === sender_id) reader.send([frame])
  }
}
