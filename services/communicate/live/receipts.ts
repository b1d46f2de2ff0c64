import type { Log } from '../../../platform/core/log/log.ts'
import type { Message } from '../../../schemas/communicate/message.ts'
import type { Messages } from '../messages.ts'

const AT_ONCE = 100

export class Receipts {
  readonly #messages: Messages
  readonly #log: Log
  /** First recipient by message id. */
  readonly #waiting = new Map<string, string>()
  #writing: Promise<void> | null = null

  constructor(messages: Messages, log: Log) {
    this.#messages = messages
    this.#log = log
  }

  /** The first recipient other than the sender counts. */
  markDelivered(message: Message, by: string): void {
    if (message.status !== 'sent' || message.sender_id === by || this.#waiting.has(message.id)) return
    this.#waiting.set(message.id, by)
    this.#writing ??= this.#write().finally(() => (this.#writing = null))
  }

  async settled(): Promise<void> {
    await this.#writing
  }

  async #write(): Promise<void> {
    while (this.#waiting.size > 0) {
      const some = [...this.#waiting].slice(0, AT_ONCE)
      for (const [id] of some) this.#waiting.delete(id)
      const seen = some.map(([id, by]) => ({ id, by }))
      await this.#messages.mark(seen, 'delivered').catch((error: unknown) => {
        this.#log.warn({ error: (error as Error).message, messages: seen.length }, 'failed to record deliveries')
      })
    }
  }
}
