// What the server may not have got: frames kept for the next connection, and requests that wait for an answer.
import { asksForTool, textAt, type Frame } from './frames.ts'

/** Bounds of what is kept: an agent that works on while the server is away must not fill the memory. */
export const MOST_FRAMES = 2000
export const MOST_BYTES = 32 * 1024 * 1024

interface Kept {
  line: string
  /** The server knows a repeated frame by its uuid, so it may be sent again. */
  repeatable: boolean
  isResult: boolean
  sent: boolean
  /** Which frame of the present connection it is; null when it did not go out on it. */
  number: number | null
}

type Question = Pick<Kept, 'line' | 'sent' | 'number'>

/** Counts characters as bytes, which is near enough. */
export class Outbox {
  readonly #limits: { frames: number; bytes: number }
  #kept: Kept[] = []
  #bytes = 0
  #lost = 0
  /** Tool requests without an answer, by their id. */
  readonly #open = new Map<string, Question>()

  constructor(limits = { frames: MOST_FRAMES, bytes: MOST_BYTES }) {
    this.#limits = limits
  }

  /** Frames that were never sent. */
  get unsent(): number {
    return [...this.#kept, ...this.#open.values()].filter((entry) => !entry.sent).length
  }

  /** Frames that had to be let go. */
  get lost(): number {
    return this.#lost
  }

  /** Takes a frame that was sent just now, as the `number`-th of its connection, or could not be sent. */
  keep(frame: Frame, line: string, sent: boolean, number: number | null = null): void {
    const requestId = textAt(frame, 'request_id')
    if (requestId && asksForTool(frame)) return void this.#open.set(requestId, { line, sent, number })
    const withdrawn = requestId && frame['type'] === 'control_cancel_request'
    if (withdrawn) this.#open.delete(requestId)
    const repeatable = Boolean(withdrawn) || textAt(frame, 'uuid') !== null
    if (sent && !repeatable) return
    this.#kept.push({ line, repeatable, isResult: frame['type'] === 'result', sent, number })
    this.#bytes += line.length
    this.#makeRoom()
  }

  /** The server answered this tool request: it is not repeated any more. */
  answered(requestId: string): void {
    this.#open.delete(requestId)
  }

  /**
   * The server refused the `number`-th frame of this connection: it is repeated no more. Its line; null when it was
   * not kept.
   */
  refused(number: number): string | null {
    const refused = [...this.#kept, ...this.#open.values()].find((entry) => entry.number === number)
    if (!refused) return null
    this.#retain((entry) => entry !== refused)
    for (const [requestId, question] of this.#open) if (question === refused) this.#open.delete(requestId)
    return refused.line
  }

  /** The server sent a prompt, so it has seen the last result and all before it. */
  acknowledge(): void {
    const last = this.#kept.findLastIndex((entry) => entry.sent && entry.isResult)
    this.#retain((entry, index) => index > last || !entry.sent)
  }

  /** Everything to send on a new connection, in order, after `before` other frames; counts as sent from here on. */
  replay(before = 0): string[] {
    const entries = [...this.#kept, ...this.#open.values()]
    for (const [index, entry] of entries.entries()) {
      entry.sent = true
      entry.number = before + index + 1
    }
    this.#retain((entry) => entry.repeatable)
    return entries.map((entry) => entry.line)
  }

  #retain(wanted: (entry: Kept, index: number) => boolean): void {
    this.#kept = this.#kept.filter(wanted)
    this.#bytes = this.#kept.reduce((sum, entry) => sum + entry.line.length, 0)
  }

  /** Frames that went out make room first; results go last, because an agent without its result looks busy for ever. */
  #makeRoom(): void {
    while (this.#kept.length > this.#limits.frames || this.#bytes > this.#limits.bytes) {
      const sent = this.#kept.findIndex((entry) => entry.sent && !entry.isResult)
      const any = sent >= 0 ? sent : this.#kept.findIndex((entry) => !entry.isResult)
      const [dropped] = this.#kept.splice(Math.max(any, 0), 1)
      this.#bytes -= dropped!.line.length
      if (!dropped!.sent) this.#lost++
    }
  }
}
