// The room service may be down, so all state is in the database.
import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import { background, type Background } from '../../../platform/async/background.ts'
import { ownActor } from '../../../platform/core/actor.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { RecentMap, RecentSet } from '../../../platform/core/recent.ts'
import type { ServerFrame } from '../../../schemas/communicate/frames.ts'
import { pathOf } from '../../../platform/http/client.ts'
import { callerHeaders } from '../../../platform/http/service-callers.ts'
import { communicateOperations, roomSocket } from '../../../schemas/operations/communicate.ts'
import type { RoomMessagePreview, RoomWakes } from '../../../schemas/agent/room-wakes.ts'
import type { Agents, RoomPreviews } from '../face.ts'
import { now, type RecordWorld } from '../record/world.ts'
import type { RoomsWorld } from './world.ts'
import { postDueAnswers, type RoomClient } from './answers.ts'
import { RoomInterest } from './room-interest.ts'
import { agentsToWake, forgetRooms, forwardMessages } from './forwarding.ts'
import { Membership, presentIn, type RoomView } from './membership.ts'

const EVERY_MS = 5000
/** Interval while no agent uses rooms: a person may still add one. */
const SELDOM_MS = 30_000
const SELF = 'svc-orchestrator'
const MOST_MOVED = 1000

export class RoomBridge implements RoomPreviews {
  readonly #record: RecordWorld
  readonly #world: RoomsWorld
  readonly #client: RoomClient
  readonly #membership: Membership
  #rounds: Background | null = null
  #unsubscribe: (() => void) | null = null
  #bell: WebSocket | null = null
  /** Authors of membership changes by room and identifier. */
  readonly #moved = new RecentMap<string>(MOST_MOVED)
  readonly #flooding = new RecentSet(MOST_MOVED)
  #isUnavailable = false
  readonly #interest = new RoomInterest()
  #roundAt = 0

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
      name: 'room sync',
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

  async wakes(id: string, { content, sender_id = '' }: RoomMessagePreview): Promise<RoomWakes> {
    const params = { id }
    const [room, participants, agents] = await Promise.all([
      this.#client.getRoom({ params }),
      this.#client.listParticipants({ params }),
      this.#record.agents.list(),
    ])
    const message = { content, sender_id, created_at: now(this.#record) }
    const woken = agentsToWake(message, room.name, presentIn({ room, participants }, agents))
    return { agents: woken.map(({ agent }) => ({ id: agent.id, name: agent.name })) }
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
    if (!this.#interest.isThere && now - this.#roundAt < SELDOM_MS) return
    this.#roundAt = now
    const endCheck = this.#interest.beginCheck()
    const { prompts, settings, config } = this.#world
    const parts = { client: this.#client, prompts, config, historyDays: settings.historyDays, flooding: this.#flooding }
    try {
      await postDueAnswers(this.#record, this.#client)
      const views = await this.#membership.settle(
        (roomId, identifier) => this.#moved.get(`${roomId}/${identifier}`) ?? null,
      )
      const agents = await this.#record.agents.list()
      for (const view of views) {
        if (signal.aborted) return
        await forwardMessages(this.#record, parts, view, agents)
      }
      // `views` is also empty if there are no agents.
      if (views.length > 0) await forgetRooms(this.#record, views)
      const ours = views.filter((view) => presentIn(view, agents).length > 0)
      this.#listen(ours)
      // Memberships of deleted agents must still be removed.
      const left = await this.#record.tables.roomMembers.count()
      endCheck(ours.length > 0 || left > 0 || agents.some(({ spec }) => spec.rooms.length > 0))
      if (this.#isUnavailable) this.#record.log.info({}, 'room service is available again')
      this.#isUnavailable = false
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 503) throw error
      if (!this.#isUnavailable) this.#record.log.warn({ error: error.message }, 'room service unavailable, retrying')
      this.#isUnavailable = true
      endCheck((await this.#record.agents.list()).some(({ spec }) => spec.rooms.length > 0))
    }
  }

  #note({ room_id, participant, by }: ParticipantFrame): void {
    if (by !== SELF) this.#moved.set(`${room_id}/${participant.identifier}`, by)
  }

  /** Events only start a round; content is read over HTTP. */
  #listen(views: readonly RoomView[]): void {
    if (views.length === 0 || this.#world.stopping.aborted) return
    const subscribe = (socket: WebSocket) => {
      for (const { room } of views) socket.send(JSON.stringify({ type: 'subscribe', room_id: room.id }))
    }
    if (this.#bell?.readyState === WebSocket.OPEN) return subscribe(this.#bell)
    if (this.#bell?.readyState === WebSocket.CONNECTING) return
    const { config, addressOf, serviceToken, refusedCalls } = this.#world
    const query = { identifier: SELF, kind: 'agent', display_name: SELF }
    const address = addressOf(communicateOperations)
    const at = address.replace(/^http/, 'ws') + pathOf(roomSocket.path, { query })
    const token = config.env.SVC_TOKEN
    const self = ownActor(SELF, randomUUID())
    const socket = new WebSocket(at, {
      headers: {
        ...callerHeaders(self, serviceToken),
        'x-request-id': self.requestId,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
    })
    this.#bell = socket
    socket.on('unexpected-response', (_request, { statusCode }) => {
      if (statusCode === 401) refusedCalls.add(communicateOperations.service, address)
      socket.terminate()
    })
    socket.on('open', () => {
      refusedCalls.clear(communicateOperations.service)
      subscribe(socket)
      this.#rounds?.wake()
    })
    socket.on('message', (data: Buffer) => {
      const ring = RINGS.exec(data.toString('utf8', 0, 64))?.[1]
      if (ring === 'participant_event') this.#note(JSON.parse(data.toString()) as ParticipantFrame)
      if (ring !== undefined) this.#rounds?.wake()
    })
    // The next round reconnects.
    socket.on('error', () => socket.terminate())
  }
}

type ParticipantFrame = ServerFrame & { type: 'participant_event' }

/** The type is always the first field. */
const RINGS = /^\{"type":"(message|participant_event|unsubscribed)"/
