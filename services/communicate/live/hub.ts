// Delivers each message once to every subscribed socket, in room order.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { SerialQueues } from '../../../platform/async/serial-queue.ts'
import type { ServerFrame } from '../../../schemas/communicate/frames.ts'
import type { Messages, Numbered } from '../messages.ts'
import type { Happening, Parts } from '../parts.ts'
import type { Receipts } from './receipts.ts'

export interface Reader {
  readonly identifier: string
  readonly isGone: boolean
  /** Returns how many frames were accepted, from the first. */
  send(frames: readonly ServerFrame[]): number
  /** Resolves when more can be sent. */
  drained(): Promise<void>
  dismiss(roomId: string, reason: string): void
  /** Events may be missing: the client must reconnect. */
  interrupt(): void
}

export interface Joining {
  roomId: string
  reader: Reader
  /** Only participants count for delivery receipts. */
  isParticipant: boolean
  /** Number of the last message that the reader has; null for new messages only. */
  after: number | null
  /** Rechecks access just before the subscription becomes active; throws if denied. */
  admit(): Promise<void>
  /** Called once no message can be missed; immediately if `after` is given. */
  ready(): void
}

interface Live {
  /** Number of the last message sent. */
  last: number
  /** Number of the last message known to be stored. */
  heard: number
  readers: Map<Reader, { isParticipant: boolean }>
}

const PAGE = 200
/** Messages per send; even the longest must not overflow a reader's buffer. */
const PIECE = 16
const TRY_AGAIN_MS = 1000

export class Hub {
  readonly #parts: Parts
  readonly #messages: Messages
  readonly #receipts: Receipts
  readonly #rooms = new Map<string, Live>()
  readonly #queues = new SerialQueues()

  constructor(parts: Parts, messages: Messages, receipts: Receipts) {
    this.#parts = parts
    this.#messages = messages
    this.#receipts = receipts
  }

  async join(joining: Joining): Promise<void> {
    const { roomId, reader } = joining
    if (joining.after !== null) joining.ready()
    const seen = joining.after === null ? null : await this.#catchUp(joining, joining.after)
    await this.#queues.run(roomId, async () => {
      try {
        const live = this.#rooms.get(roomId) ?? (await this.#begin(roomId))
        if (seen !== null) await this.#replay(joining, seen, live.last)
        await joining.admit()
        if (reader.isGone) return
        live.readers.set(reader, { isParticipant: joining.isParticipant })
        if (joining.after === null) joining.ready()
      } finally {
        this.#endIfEmpty(roomId)
      }
    })
  }

  leave(roomId: string, reader: Reader): void {
    const live = this.#rooms.get(roomId)
    live?.readers.delete(reader)
    // Queued: a concurrent join relies on the entry.
    if (live?.readers.size === 0) void this.#queues.run(roomId, async () => this.#endIfEmpty(roomId))
  }

  hear(happening: Happening): void {
    const live = this.#rooms.get(happening.room_id)
    if (!live) return
    switch (happening.type) {
      case 'message':
        live.heard = Math.max(live.heard, happening.number)
        return this.#advanceSoon(happening.room_id)
      case 'participant':
        return this.#participant(live, happening)
      case 'room':
        if (happening.event === 'deleted')
          for (const reader of live.readers.keys()) reader.dismiss(happening.room_id, 'the room was deleted')
        return
      case 'typing':
        for (const reader of live.readers.keys())
          if (reader.identifier !== happening.identifier) reader.send([happening])
        return
      case 'status':
        return this.#tellSender(live, happening)
    }
  }

  interrupt(): void {
    const readers = new Set([...this.#rooms.values()].flatMap(({ readers }) => [...readers.keys()]))
    for (const reader of readers) reader.interrupt()
  }

  /** Registers the room before reading its state, so that no event is missed. */
  async #begin(roomId: string): Promise<Live> {
    const live: Live = { last: 0, heard: 0, readers: new Map() }
    this.#rooms.set(roomId, live)
    const { posted } = await this.#parts.tables.rooms.get(roomId)
    live.last = posted
    return live
  }

  #endIfEmpty(roomId: string): void {
    if (this.#rooms.get(roomId)?.readers.size === 0) this.#rooms.delete(roomId)
  }

  /** Sends missed messages until fewer than `PIECE` are left. Returns the last number sent. */
  async #catchUp(joining: Joining, after: number): Promise<number> {
    let seen = after
    for (;;) {
      const page = await this.#messages.after(joining.roomId, seen, PAGE)
      if (page.length < PIECE || joining.reader.isGone) return seen
      for (let at = 0; at < page.length; at += PIECE) {
        this.#give(joining, page.slice(at, at + PIECE))
        await joining.reader.drained()
      }
      seen = page.at(-1)!.number
    }
  }

  async #replay(joining: Joining, after: number, upTo: number): Promise<void> {
    let seen = after
    while (seen < upTo && !joining.reader.isGone) {
      const page = await this.#messages.after(joining.roomId, seen, PAGE)
      const due = page.filter(({ number }) => number <= upTo)
      this.#give(joining, due)
      if (due.length < PAGE) return
      seen = due.at(-1)!.number
    }
  }

  #give({ roomId, reader, isParticipant }: Joining, page: readonly Numbered[]): void {
    const given = reader.send(page.map(({ message }) => ({ type: 'message', room_id: roomId, message })))
    if (isParticipant)
      for (const { message } of page.slice(0, given)) this.#receipts.markDelivered(message, reader.identifier)
  }

  #advanceSoon(roomId: string): void {
    this.#queues
      .run(roomId, () => this.#advance(roomId))
      .catch((error: unknown) => {
        const { log, clock } = this.#parts.world
        log.warn(
          { room_id: roomId, error: (error as Error).message },
          'failed to read messages for subscribers; retrying',
        )
        clock.after(TRY_AGAIN_MS, () => this.#advanceSoon(roomId))
      })
  }

  async #advance(roomId: string): Promise<void> {
    for (;;) {
      const live = this.#rooms.get(roomId)
      if (!live || live.last >= live.heard) return
      const page = await this.#messages.after(roomId, live.last, PAGE)
      for (let at = 0; at < page.length; at += PIECE) {
        if (at > 0) await turnOfTheLoop()
        const piece = page.slice(at, at + PIECE)
        this.#emit(live, piece)
        live.last = piece.at(-1)!.number
      }
      // The remaining messages were deleted.
      if (page.length === 0) live.last = live.heard
    }
  }

  /** Sends a page per reader: a batch of frames costs little more than one. */
  #emit(live: Live, page: readonly Numbered[]): void {
    const frames = page.map(({ message }) => ({ type: 'message' as const, room_id: message.room_id, message }))
    const missing = new Set(page.map(({ message }) => message))
    for (const [reader, { isParticipant }] of live.readers) {
      const given = reader.send(frames)
      if (!isParticipant || missing.size === 0) continue
      for (const { message } of page.slice(0, given)) {
        if (reader.identifier === message.sender_id || !missing.delete(message)) continue
        this.#receipts.markDelivered(message, reader.identifier)
      }
    }
  }

  /** Others have received the message itself. */
  #tellSender(live: Live, { sender_id, ...status }: Happening & { type: 'status' }): void {
    const frame = { ...status, type: 'message_status' as const }
    for (const reader of live.readers.keys()) if (reader.identifier === sender_id) reader.send([frame])
  }

  #participant(live: Live, { room_id, event, participant, by }: Happening & { type: 'participant' }): void {
    const frame = { type: 'participant_event' as const, room_id, event, participant, by }
    for (const reader of live.readers.keys()) {
      reader.send([frame])
      if (event === 'left' && reader.identifier === participant.identifier)
        reader.dismiss(room_id, 'you are no longer in the room')
    }
  }
}
