// The bridge between the rooms and the agents: a client of the rooms' service over its address, which may be down, late,
// or gone for a while. Nothing is kept in memory that has to outlive it.
import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import { background, type Background } from '../../../platform/async/background.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { RecentMap } from '../../../platform/core/recent.ts'
import type { ServerFrame } from '../../../schemas/communicate/frames.ts'
import { pathOf } from '../../../platform/http/client.ts'
import { communicateOperations, roomSocket } from '../../../schemas/operations/communicate.ts'
import type { Agents } from '../face.ts'
import type { RecordWorld } from '../record/world.ts'
import type { RoomsWorld } from './world.ts'
import { sayWhatIsDue, type RoomClient } from './answers.ts'
import { RoomInterest } from './room-interest.ts'
import { forgetRooms, readOn } from './forwarding.ts'
import { Membership, presentIn, type RoomView } from './membership.ts'

/** How often everything is looked at, whatever was heard. */
const EVERY_MS = 5000
/** The same while no agent has to do with rooms: a person may let one into a room. */
const SELDOM_MS = 30_000
const SELF = 'svc-orchestrator'
const MOST_MOVED = 1000

export class RoomBridge {
  readonly #record: RecordWorld
  readonly #world: RoomsWorld
  readonly #client: RoomClient
  readonly #membership: Membership
  #rounds: Background | null = null
  #unsubscribe: (() => void) | null = null
  #bell: WebSocket | null = null
  /** Who changed which membership, of those that were heard lately. */
  readonly #moved = new RecentMap<string>(MOST_MOVED)
  #isAway = false
  readonly #interest = new RoomInterest()
  #looked = 0

  constructor(record: RecordWorld, world: RoomsWorld, agents: Agents) {
    this.#record = record
    this.#world = world
    this.#client = world.call(communicateOperations)
    this.#membership = new Membership(record, agents, this.#client)
  }

  start(): void {
    const { clock, log } = this.#record
    const work = (signal: AbortSignal) => this.#round(signal)
    this.#rounds = background({
      clock,
      log,
      name: 'rooms of agents',
      everyMs: EVERY_MS,
      longestMs: EVERY_MS,
      atOnce: true,
      work,
    })
    this.#unsubscribe = this.#world.feed.subscribe(({ kind, id }) => {
      if (kind === 'agents') void this.#noteMove(id)
    })
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.()
    this.#bell?.terminate()
    await this.#rounds?.stop()
  }

  async #noteMove(id: string): Promise<void> {
    const agent = this.#interest.isThere ? null : await this.#record.agents.find(id).catch(() => null)
    if (this.#interest.isThere || (agent?.spec.rooms.length ?? 0) > 0) {
      this.#interest.noteMove()
      this.#rounds?.wake()
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    const now = this.#record.clock.monotonic()
    if (!this.#interest.isThere && now - this.#looked < SELDOM_MS) return
    this.#looked = now
    const saw = this.#interest.look()
    const { prompts, settings } = this.#world
    const { historyDays } = settings
    try {
      await sayWhatIsDue(this.#record, this.#client)
      const views = await this.#membership.settle(
        (roomId, identifier) => this.#moved.get(`${roomId}/${identifier}`) ?? null,
      )
      const agents = await this.#record.agents.list()
      for (const view of views) {
        if (signal.aborted) return
        await readOn(this.#record, { client: this.#client, prompts, historyDays }, view, agents)
      }
      // None is also said where there is nobody to read for.
      if (views.length > 0) await forgetRooms(this.#record, views)
      const ours = views.filter((view) => presentIn(view, agents).length > 0)
      this.#listen(ours)
      // Of an agent that is gone since, a membership is left to be taken back.
      const left = await this.#record.tables.roomMembers.count()
      saw(ours.length > 0 || left > 0 || agents.some(({ spec }) => spec.rooms.length > 0))
      if (this.#isAway) this.#record.log.info({}, 'the rooms answer again')
      this.#isAway = false
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 503) throw error
      if (!this.#isAway)
        this.#record.log.warn({ error: error.message }, 'the rooms do not answer; they are asked again')
      this.#isAway = true
      saw((await this.#record.agents.list()).some(({ spec }) => spec.rooms.length > 0))
    }
  }

  #note({ room_id, participant, by }: ParticipantFrame): void {
    if (by !== SELF) this.#moved.set(`${room_id}/${participant.identifier}`, by)
  }

  /** Hears when something is said, so that nobody waits for the next round. What is said is read, not heard. */
  #listen(views: readonly RoomView[]): void {
    if (views.length === 0 || this.#world.stopping.aborted) return
    const subscribe = (socket: WebSocket) => {
      for (const { room } of views) socket.send(JSON.stringify({ type: 'subscribe', room_id: room.id }))
    }
    if (this.#bell?.readyState === WebSocket.OPEN) return subscribe(this.#bell)
    if (this.#bell?.readyState === WebSocket.CONNECTING) return
    const { config, addressOf } = this.#world
    const query = { identifier: SELF, kind: 'agent', display_name: SELF }
    const at = addressOf(communicateOperations).replace(/^http/, 'ws') + pathOf(roomSocket.path, { query })
    const token = config.env.SVC_TOKEN
    const socket = new WebSocket(at, {
      headers: {
        'x-svc-actor': SELF,
        'x-request-id': randomUUID(),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
    })
    this.#bell = socket
    socket.on('open', () => {
      subscribe(socket)
      this.#rounds?.wake()
    })
    socket.on('message', (data: Buffer) => {
      const ring = RINGS.exec(data.toString('utf8', 0, 64))?.[1]
      if (ring === 'participant_event') this.#note(JSON.parse(data.toString()) as ParticipantFrame)
      if (ring !== undefined) this.#rounds?.wake()
    })
    // The next round opens another.
    socket.on('error', () => socket.terminate())
  }
}

type ParticipantFrame = ServerFrame & { type: 'participant_event' }

/** Frames that something is to be done about; they begin with their type. */
const RINGS = /^\{"type":"(message|participant_event|unsubscribed)"/
