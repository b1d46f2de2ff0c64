// A value that must never be shown. Everything that prints, logs or serialises it sees `***`.
import { inspect } from 'node:util'

/** What stands in place of a secret wherever it would be shown; writing it back keeps the stored value. */
export const MASK = '***'

/**
 * A secret string. `JSON.stringify`, template strings and the console all see `***`;
 * only `reveal()` gives the value, and its callers are the places to review.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The plain value: for launching a process, checking a signature, encrypting. Never for output. */
  reveal(): string {
    return this.#value
  }

  toJSON(): string {
    return MASK
  }

  toString(): string {
    return MASK
  }

  [inspect.custom](): string {
    return MASK
  }
}
