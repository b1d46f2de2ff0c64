// Reads frames in event-loop slices, with backpressure.
import { hasTime, nextTurn, type Pieces } from '../../../platform/async/time-slices.ts'
import { jsonExcess } from '../../../platform/json/json-bounds.ts'
import { replacedText } from '../../../platform/json/replaced-text.ts'
import { frameFault } from '../../../schemas/frames/check.ts'
import { REFUSAL_REASONS, type RefusalReason } from '../../../schemas/frames/refusal.ts'
import { parseFrame, type Frame } from './frame.ts'

export interface Refused {
  /** Line number in the connection, from 1. */
  number: number
  reason: RefusalReason
  message: string
  frame: Frame | null
}

/** `onFrame` and `onRefused` resolve when the frame is handled. */
export interface ReaderListeners {
  /** Returns the frames to process instead. `isSuspect`: its texts may contain NUL or lone surrogates. */
  prepare(frame: Frame, isSuspect: boolean): Pieces<readonly Frame[]>
  /** `length`: characters. */
  onFrame(frame: Frame, length: number): Promise<void> | void
  onRefused(refused: Refused): Promise<void> | void
  /** Number of invalid characters of a message that became U+FFFD. */
  onReplaced(count: number): void
  /** An internal error; the rest of the message is dropped. */
  onFault(error: unknown): void
}

export interface Tap {
  pause(): void
  resume(): void
}

/** JSON escapes of NUL and surrogates. */
const ESCAPES = /\\u(?:0000|[dD][89a-fA-F])/

/** Characters; each step of a longer line gets its own event-loop tick. */
const LONG_LINE = 256 * 1024
/** Unhandled frames above which the socket is paused. */
const MOST_WAITING = 1000
const MOST_WAITING_CHARACTERS = 32 * 1024 * 1024

export class FrameReader {
  readonly #tap: Tap
  readonly #listeners: ReaderListeners
  readonly #messages: Buffer[] = []
  readonly #pending = new Set<Promise<void>>()
  #characters = 0
  #lines = 0
  #reading = false

  constructor(tap: Tap, listeners: ReaderListeners) {
    this.#tap = tap
    this.#listeners = listeners
  }

  take(message: Buffer): void {
    this.#messages.push(message)
    if (!this.#reading) void this.#read()
  }

  async #read(): Promise<void> {
    this.#reading = true
    let isPaused = false
    const rest = async (until: Promise<unknown>) => {
      if (!isPaused) this.#tap.pause()
      isPaused = true
      await until
    }
    for (let message = this.#messages.shift(); message; message = this.#messages.shift()) {
      try {
        const lines = this.#linesOf(message)
        for (let step = lines.next(); !step.done; step = lines.next()) {
          if (this.#isFull) await rest(Promise.all(this.#pending))
          else if (step.value === 'long' || !hasTime()) await rest(nextTurn())
        }
      } catch (error) {
        this.#listeners.onFault(error)
      }
    }
    this.#reading = false
    if (isPaused) this.#tap.resume()
  }

  get #isFull(): boolean {
    return this.#pending.size >= MOST_WAITING || this.#characters >= MOST_WAITING_CHARACTERS
  }

  /** Yields `long` where the event-loop slice must end. */
  *#linesOf(bytes: Buffer): Generator<'long' | void, void> {
    if (bytes.length > LONG_LINE) yield 'long'
    const { value: text, replaced } = yield* replacedText(bytes)
    if (replaced > 0) this.#listeners.onReplaced(replaced)
    for (let from = 0; from < text.length;) {
      const newline = text.indexOf('\n', from)
      const end = newline < 0 ? text.length : newline
      if (end > from) yield* this.#line(text.slice(from, end))
      from = end + 1
      yield
    }
  }

  *#line(line: string): Generator<'long' | void, void> {
    if (line.trim() === '') return
    this.#lines++
    const isLong = line.length > LONG_LINE
    if (isLong) yield 'long'
    const excess = yield* jsonExcess(line) as Pieces<RefusalReason | null>
    if (excess) return this.#refuse(excess, null)
    if (isLong) yield 'long'
    const frame = yield* parseFrame(line)
    if (isLong) yield 'long'
    const fault = frame && frameFault(frame)
    if (frame === null) this.#refuse('not-json', null)
    else if (fault !== null) this.#refuse('wrong-shape', frame, fault)
    else
      for (const each of yield* this.#listeners.prepare(frame, ESCAPES.test(line)))
        this.#wait(this.#listeners.onFrame(each, line.length), line.length)
  }

  #refuse(reason: RefusalReason, frame: Frame | null, message: string = REFUSAL_REASONS[reason]): void {
    this.#wait(this.#listeners.onRefused({ number: this.#lines, reason, message, frame }), 0)
  }

  #wait(work: Promise<void> | void, characters: number): void {
    if (!work) return
    const settled = work.finally(() => {
      this.#pending.delete(settled)
      this.#characters -= characters
    })
    this.#pending.add(settled)
    this.#characters += characters
  }
}
