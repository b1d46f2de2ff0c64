import { RateLimit } from '../../platform/core/rate-limit.ts'
import { background, type Background } from '../../platform/async/background.ts'
import { counter, gauge } from '../../platform/metrics/metrics.ts'
import { defineService, type Opened } from '../../platform/service/define.ts'
import { limit, number, seconds, variableOf, type Settings } from '../../platform/service/settings.ts'
import type { World } from '../../platform/service/world.ts'
import { Audit } from '../../platform/store/audit.ts'
import { communicateOperations } from '../../schemas/operations/communicate.ts'
import { refuseOtherName, refuseOtherSender } from './access.ts'
import type { Communicate } from './face.ts'
import { DeclaredRooms } from './declared-rooms.ts'
import { Hub } from './live/hub.ts'
import { Receipts } from './live/receipts.ts'
import { RoomSession } from './live/session.ts'
import { roomTopic } from './live-topics.ts'
import { Locks } from './locks.ts'
import { Messages } from './messages.ts'
import { migrations } from './migrations.ts'
import { Participants } from './participants.ts'
import type { Happening, Parts } from './parts.ts'
import { Posting } from './posting.ts'
import { Rooms } from './rooms.ts'
import { tablesOf } from './tables.ts'

const settings = {
  /** Messages per second and sender; a burst can have twice as many. */
  sendsPerSec: number({ default: 300, least: 1, most: 100_000 }),
  /** Lifetime of a lock that is neither released nor renewed. */
  lockSecs: seconds({ default: 900, least: 1 }),
  mostRooms: limit({ default: 50, variable: 'SVC_LIMIT_ROOMS' }),
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
  readonly rooms: Rooms
  readonly participants: Participants
  readonly messages: Messages
  readonly #posting: Posting
  readonly #locks: Locks
  readonly #rate: RateLimit
  readonly #receipts: Receipts
  readonly #hub: Hub
  readonly declared: DeclaredRooms
  readonly #sessions = new Set<RoomSession>()
  #posted = 0
  #sweeping: Background | null = null
  #hearing: (() => void) | null = null

  constructor(world: World<typeof settings>) {
    this.#world = world
    const { prefix } = migrations
    this.#parts = {
      world,
      tables: tablesOf(world),
      audit: new Audit({ db: world.db, clock: world.clock, prefix, guards: world.guards }),
      tell: (happening, transaction) => world.bus.publish(TOPIC, JSON.stringify(happening), transaction),
    }
    const { variable } = settings.mostRooms
    const next = 'delete some'
    this.rooms = new Rooms(this.#parts, { what: 'rooms', most: world.settings.mostRooms, variable, next })
    this.participants = new Participants(this.#parts)
    this.declared = new DeclaredRooms(this.#parts, this.rooms, this.participants)
    this.#locks = new Locks(this.#parts, world.settings.lockSecs * 1000)
    this.messages = new Messages(this.#parts)
    this.#posting = new Posting(this.#parts, this.#locks)
    this.#rate = new RateLimit({
      clock: world.clock,
      perSec: world.settings.sendsPerSec,
      what: 'messages',
      variable: variableOf('communicate', 'sendsPerSec', settings.sendsPerSec),
    })
    this.#receipts = new Receipts(this.messages, world.log)
    this.#hub = new Hub(this.#parts, this.messages, this.#receipts)
    this.topics = [roomTopic(this.#parts, this.messages)]
  }

  readonly topics

  readonly metrics = [
    gauge('svc_communicate_rooms', 'Existing rooms', () => this.#parts.tables.rooms.count()),
    gauge('svc_communicate_sockets', 'Open sockets', () => this.#sessions.size),
    counter('svc_communicate_messages_total', 'Messages stored since start', () => this.#posted),
    counter(
      'svc_communicate_refused_floods_total',
      'Messages refused by the rate limit per sender',
      () => this.#rate.refused,
    ),
  ]

  async start(): Promise<void> {
    const { bus, clock, log } = this.#world
    this.#hearing = bus.subscribe(TOPIC, {
      heard: (text) => this.#hear(JSON.parse(text) as Happening),
      missed: () => this.#hub.interrupt(),
    })
    const work = async (signal: AbortSignal) => {
      await this.messages.sweep(signal)
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

  readonly post: Communicate['post'] = async (asker, room, input) => {
    // Checked first: a false name must not use up the limit of its owner.
    refuseOtherSender(asker, input.sender_id)
    this.#rate.count(input.sender_id)
    const message = await this.#posting.post(asker, room, input)
    this.#posted++
    return message
  }

  readonly locks: Communicate['locks'] = async (asker, room) => {
    const { id } = await this.messages.readable(asker, room)
    return this.#locks.list(id)
  }

  readonly admit: Communicate['admit'] = (asker, identifier) => refuseOtherName(asker, identifier)

  readonly connect: Communicate['connect'] = (visitor, line) => {
    const { messages, post } = this
    const world = { parts: this.#parts, messages, hub: this.#hub, rate: this.#rate, post, sessions: this.#sessions }
    return new RoomSession(world, visitor, line)
  }

  #hear(happening: Happening): void {
    this.#hub.hear(happening)
    const { type, room_id } = happening
    if (type === 'room' || type === 'participant') this.declared.publishChange(room_id)
    if (type === 'room' && happening.event === 'deleted') this.#sweeping?.wake()
  }
}
