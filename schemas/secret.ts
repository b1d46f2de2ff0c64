import { inspect } from 'node:util'

/** Replaces secrets in output; writing it back keeps the stored value. */
export const MASK = '***'

/** A secret string. Serialisation and logging print `***`; only `reveal()` returns the value, so review its callers. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The plain value, for launching, signing or encrypting. Never for output. */
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
