// Frames and requests to repeat on the next connection.
import { asksForTool, textAt, type Frame } from './frames.ts'

/** Bounds the memory used while the server is unreachable. */
export const MOST_FRAMES = 2000
export const MOST_BYTES = 32 * 1024 * 1024

interface Kept {
  line: string
  /** The server recognizes repeats by uuid. */
  repeatable: boolean
  isResult: boolean
  sent: boolean
  /** Number on the current connection, or null. */
  number: number | null
}

type Question = Pick<Kept, 'line' | 'sent' | 'number'>

/** Approximates bytes by characters. */
export class Outbox {
  readonly #limits: { frames: number; bytes: number }
  #kept: Kept[] = []
  #bytes = 0
  #lost = 0
  readonly #open = new Map<string, Question>()

  constructor(limits = { frames: MOST_FRAMES, bytes: MOST_BYTES }) {
    this.#limits = limits
  }

  get unsent(): number {
    return [...this.#kept, ...this.#open.values()].filter((entry) => !entry.sent).length
  }

  get lost(): number {
    return this.#lost
  }

  /** `number` is the position of a sent frame on its connection. */
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

  answered(requestId: string): void {
    this.#open.delete(requestId)
  }

  /** Removes a refused frame and returns its line; null if it was not kept. */
  refused(number: number): string | null {
    const refused = [...this.#kept, ...this.#open.values()].find((entry) => entry.number === number)
    if (!refused) return null
    this.#retain((entry) => entry !== refused)
    for (const [requestId, question] of this.#open) if (question === refused) this.#open.delete(requestId)
    return refused.line
  }

  /** A new prompt confirms the last result and all frames before it. */
  acknowledge(): void {
    const last = this.#kept.findLastIndex((entry) => entry.sent && entry.isResult)
    this.#retain((entry, index) => index > last || !entry.sent)
  }

  /** Returns the frames to repeat, in order, and marks them as sent. `before` frames precede them. */
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

  /** Drops sent frames first, results last: without its result an agent looks busy forever. */
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
