import { asActor, type Actor } from '../../../platform/core/actor.ts'
import type { RateLimit } from '../../../platform/core/rate-limit.ts'
import { inPieces } from '../../../platform/async/time-slices.ts'
import { SerialQueue } from '../../../platform/async/serial-queue.ts'
import { unexpected } from '../../../platform/async/unexpected-errors.ts'
import { checkText, readJson } from '../../../platform/http/bodies.ts'
import type { Writer } from '../../../platform/http/live-streams.ts'
import { invalid, noSuch, Problem, refuseFaults } from '../../../platform/core/problem.ts'
import { clientFrames, type ClientFrame, type ServerFrame } from '../../../schemas/communicate/frames.ts'
import { checkMessage, type Message, type MessageInput } from '../../../schemas/communicate/message.ts'
import type { Presence } from '../../../schemas/communicate/room.ts'
import { valueCheck } from '../../../schemas/validation/fields.ts'
import { refuseViewer, type Asker } from '../access.ts'
import type { Messages } from '../messages.ts'
import { participantOf, type Parts } from '../parts.ts'
import type { Hub, Reader } from './hub.ts'

export interface Line extends Writer {
  /** Stops reading from the peer. */
  pause(): void
  resume(): void
  /** Closes so that the client reconnects. */
  restart(reason: string): void
}

export interface Visitor {
  presence: Presence
  asker: Asker
  actor: Actor
  redact: <T>(value: T) => Promise<T>
}

export interface SessionWorld {
  parts: Parts
  messages: Messages
  hub: Hub
  rate: RateLimit
  post(asker: Asker, room: string, input: MessageInput): Promise<Message>
  sessions: Set<RoomSession>
}

export const MOST_SUBSCRIPTIONS = 1000
/** Bytes. */
const MOST_FRAME = 1024 * 1024
/** Queued frames at which reading pauses. */
const MOST_WAITING = 32

export class RoomSession implements Reader {
  readonly #world: SessionWorld
  readonly #visitor: Visitor
  readonly #line: Line
  readonly #subscribed = new Set<string>()
  readonly #turns = new SerialQueue()
  #waiting = 0
  /** Settles when every accepted message is stored or refused. */
  #said: Promise<unknown> = Promise.resolve()
  isGone = false

  constructor(world: SessionWorld, visitor: Visitor, line: Line) {
    this.#world = world
    this.#visitor = visitor
    this.#line = line
    world.sessions.add(this)
  }

  get identifier(): string {
    return this.#visitor.presence.identifier
  }

  /** Faults are answered with an `error` frame. */
  take(bytes: Buffer, isBinary: boolean): void {
    if (++this.#waiting === MOST_WAITING) this.#line.pause()
    void this.#turns.run(() => this.#takeInTurn(bytes, isBinary))
  }

  end(): void {
    this.isGone = true
    this.#world.sessions.delete(this)
    for (const roomId of this.#subscribed) this.#world.hub.leave(roomId, this)
    this.#subscribed.clear()
  }

  send(frames: readonly ServerFrame[]): number {
    return this.#line.sendAll(frames)
  }

  #answer(frame: ServerFrame): void {
    this.#line.send(frame)
  }

  drained(): Promise<void> {
    return this.#line.drained()
  }

  dismiss(roomId: string, reason: string): void {
    if (this.#visitor.asker.isTrusted && reason !== DELETED) return
    this.#leave(roomId)
    this.#answer({ type: 'unsubscribed', room_id: roomId, reason })
  }

  interrupt(): void {
    this.#line.restart('reconnect, and subscribe with "after"')
  }

  /** Settles when the next frame can be processed, before a sent message is stored. */
  async #takeInTurn(bytes: Buffer, isBinary: boolean): Promise<void> {
    if (this.isGone) return this.#done()
    const actor = { ...this.#visitor.actor, audited: false }
    const before = this.#said
    let ref: string | undefined
    try {
      const value = await this.#read(bytes, isBinary)
      ref = refOf(value)
      const frame = parseFrame(value)
      if (frame.type === 'send') {
        const said = Promise.allSettled([asActor(actor, () => this.#post(frame))])
        this.#said = this.#answerInOrder(before, said, frame).finally(() => this.#done())
        return
      }
      await before
      await asActor(actor, () => this.#do(frame))
    } catch (error) {
      await before
      this.#refuse(error, ref)
    }
    this.#done()
  }

  async #answerInOrder(
    before: Promise<unknown>,
    said: Promise<PromiseSettledResult<Message>[]>,
    frame: ClientFrame,
  ): Promise<void> {
    await before
    const [result] = await said
    if (result!.status === 'rejected') return this.#refuse(result!.reason, frame.ref)
    this.#answer({ type: 'sent', ...echoRef(frame), message: result!.value })
  }

  #done(): void {
    if (--this.#waiting === MOST_WAITING - 1) this.#line.resume()
  }

  async #read(bytes: Buffer, isBinary: boolean): Promise<unknown> {
    if (isBinary) throw invalid('the frame is binary: send JSON as text')
    if (bytes.length > MOST_FRAME)
      throw new Problem(
        413,
        `the frame has ${bytes.length} bytes, more than the limit of ${MOST_FRAME}: send smaller frames`,
      )
    const value = await inPieces(readJson(bytes, 'frame'))
    checkText(value)
    return value
  }

  async #do(frame: Exclude<ClientFrame, { type: 'send' }>): Promise<void> {
    switch (frame.type) {
      case 'subscribe':
        return this.#subscribe(frame)
      case 'unsubscribe':
        return this.#unsubscribe(frame)
      case 'read':
        refuseViewer(this.#asker)
        return void (await this.#world.messages.read(this.#asker, frame.room_id, frame.message_id))
      case 'typing':
        return this.#typing(frame.room_id)
      case 'ping':
        return this.#answer({ type: 'pong', ...echoRef(frame) })
    }
  }

  /** The caller, named as the socket unless a token names it. */
  get #asker(): Asker {
    const { asker } = this.#visitor
    return asker.isCertain && !asker.isAgent ? asker : { ...asker, names: [this.identifier] }
  }

  async #subscribe(frame: ClientFrame & { type: 'subscribe' }): Promise<void> {
    const { parts, messages, hub } = this.#world
    const room = await messages.readable(this.#asker, frame.room_id)
    const answer = { type: 'subscribed' as const, room_id: room.id, ...echoRef(frame) }
    if (this.#subscribed.has(room.id)) return this.#answer(answer)
    if (this.#subscribed.size >= MOST_SUBSCRIPTIONS)
      throw new Problem(
        429,
        `this socket has reached the limit of ${MOST_SUBSCRIPTIONS} subscriptions: unsubscribe from some rooms, or open another socket`,
      )
    const after = frame.after === undefined ? null : await messages.numberOf(room, frame.after, 'after')
    const participant = await participantOf(parts, room, this.#asker)
    this.#subscribed.add(room.id)
    let isReady = false
    const ready = () => {
      isReady = true
      this.#answer(answer)
    }
    const admit = async () => void (await messages.readable(this.#asker, room.id))
    const joining = { roomId: room.id, reader: this, isParticipant: participant !== null, after, admit, ready }
    await hub.join(joining).catch((error: unknown) => {
      this.#subscribed.delete(room.id)
      if (isReady) this.#answer({ type: 'unsubscribed', room_id: room.id, reason: 'the subscription failed' })
      throw error
    })
  }

  async #unsubscribe(frame: ClientFrame & { type: 'unsubscribe' }): Promise<void> {
    const { id } = await this.#world.messages.readable(this.#asker, frame.room_id)
    this.#leave(id)
    this.#answer({ type: 'unsubscribed', room_id: id, ...echoRef(frame) })
  }

  async #post(frame: ClientFrame & { type: 'send' }): Promise<Message> {
    refuseViewer(this.#asker)
    refuseFaults(checkMessage(frame))
    await this.#world.parts.world.disk.mustHaveRoom()
    const { type: _type, ref: _ref, room_id, ...sent } = frame
    const said = await this.#visitor.redact(sent)
    return this.#world.post(this.#asker, room_id, { ...said, sender_id: this.identifier })
  }

  async #typing(word: string): Promise<void> {
    const { parts, messages, rate } = this.#world
    rate.count(this.identifier)
    const { id } = await messages.readable(this.#asker, word)
    const { identifier, display_name } = this.#visitor.presence
    await parts.tell({ type: 'typing', room_id: id, identifier, display_name })
  }

  #leave(roomId: string): void {
    this.#subscribed.delete(roomId)
    this.#world.hub.leave(roomId, this)
  }

  #refuse(error: unknown, ref: string | undefined): void {
    const problem = error instanceof Problem ? error : null
    if (!problem) unexpected(this.#world.parts.world.log, 'frame', error, { service: 'communicate' })
    this.#answer({
      type: 'error',
      code: problem?.code ?? 'internal-error',
      message: problem?.message ?? 'internal error; see the log of the daemon',
      ...(ref === undefined ? {} : { ref }),
    })
  }
}

const DELETED = 'the room was deleted'

const echoRef = ({ ref }: { ref?: string | undefined }) => (ref === undefined ? {} : { ref })

/** Echoed in errors, even for invalid frames. */
function refOf(value: unknown): string | undefined {
  const { ref } = (value ?? {}) as { ref?: unknown }
  return typeof ref === 'string' && ref.length <= 128 ? ref : undefined
}

const frameChecks = new Map(
  Object.entries(clientFrames).map(([type, schema]) => [type, valueCheck(schema, `a frame of type ${type}`)]),
)

/** Throws 400 with every fault. */
function parseFrame(value: unknown): ClientFrame {
  const { type } = (value ?? {}) as { type?: unknown }
  if (typeof type !== 'string') throw invalid('the frame has no type: send an object such as {"type": "ping"}')
  if (!frameChecks.has(type))
    throw invalid(noSuch('type of frame', type.slice(0, 64), Object.keys(clientFrames)).message)
  const errors = frameChecks.get(type)!(value)
  if (errors.length > 0)
    throw invalid(errors.map(({ path, message }) => `${path} ${message}`.trim()).join('; '), errors)
  return value as ClientFrame
}
