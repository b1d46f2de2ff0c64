import { parseFrame } from './frames.ts'
import type { Listeners } from './join.ts'
import type { Program } from './program.ts'

type Start = (listeners: Listeners) => Program

/**
 * Replaces `resuming` by `fresh` if the conversation no longer exists. The CLI then sends an error result before any
 * answer, which is dropped, and exits.
 */
export class ResumingProgram implements Program {
  readonly ended: Promise<number>
  readonly #listeners: Listeners
  readonly #fresh: Start
  readonly #written: string[] = []
  #current: Program
  #undecided = true
  #refused = false
  #stopped = false

  constructor(listeners: Listeners, resuming: Start, fresh: Start) {
    this.#listeners = listeners
    this.#fresh = fresh
    this.#current = resuming({ onNotice: listeners.onNotice, onLine: (line) => this.#take(line) })
    this.ended = this.#current.ended.then((code) => (this.#refused && !this.#stopped ? this.#startFresh() : code))
  }

  write(line: string): void {
    if (this.#undecided) this.#written.push(line)
    this.#current.write(line)
  }

  hold(isHeld: boolean): void {
    this.#current.hold?.(isHeld)
  }

  stop(): void {
    this.#stopped = true
    this.#current.stop()
  }

  #take(line: string): void {
    const frame = this.#undecided ? parseFrame(line) : null
    if (frame?.['type'] === 'control_response') this.#undecided = false
    if (this.#undecided && frame?.['type'] === 'result' && frame['is_error'] === true) this.#refused = true
    else this.#listeners.onLine(line)
  }

  #startFresh(): Promise<number> {
    this.#listeners.onNotice('the conversation to resume no longer exists; starting a new one')
    this.#undecided = false
    this.#current = this.#fresh(this.#listeners)
    for (const line of this.#written) this.#current.write(line)
    return this.#current.ended
  }
}
