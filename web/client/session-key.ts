/** The part of a Storage that the session uses. */
export interface KeyStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** The part of a BroadcastChannel that the session uses. */
export interface KeyChannel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
}

type Message = { ask: true } | { key: string }

const keyIn = (data: unknown): string | null => {
  const { key } = (data ?? {}) as { key?: unknown }
  return typeof key === 'string' && key !== '' ? key : null
}

/**
 * The key of the session: the half that no other server on this host receives, unlike the cookie. It lives as long as
 * the tab. A new tab gets it from an open tab of the same origin.
 */
export class SessionKey {
  readonly #name: string
  readonly #storage: KeyStorage
  readonly #channel: KeyChannel
  #waiting: ((key: string) => void)[] = []

  /** `page`: address of the page; each daemon behind one origin has its own key. */
  constructor(storage: KeyStorage, channel: KeyChannel, page = '/ui/') {
    this.#name = `svc-session-key:${page}`
    this.#storage = storage
    this.#channel = channel
    channel.addEventListener('message', ({ data }) => this.#receive(data))
  }

  get value(): string | null {
    return this.#storage.getItem(this.#name)
  }

  set(key: string): void {
    this.#storage.setItem(this.#name, key)
    this.#post({ key })
  }

  /** `key`: clears only this key, as after an answer to a request with it. Default: any. */
  clear(key = this.value): void {
    if (this.value === key) this.#storage.removeItem(this.#name)
  }

  /** Returns the key, of an open tab if this one has none; null if no tab answers before `expired`. */
  async find(expired: Promise<unknown>): Promise<string | null> {
    if (this.value !== null) return this.value
    const answer = new Promise<string>((resolve) => this.#waiting.push(resolve))
    this.#post({ ask: true })
    return Promise.race([answer, expired.then(() => this.value)])
  }

  #post(message: Message): void {
    this.#channel.postMessage(message)
  }

  #receive(data: unknown): void {
    const key = keyIn(data)
    if (key === null) {
      if (this.value !== null) this.#post({ key: this.value })
      return
    }
    // Tabs share the cookie of the last sign-in, which belongs to this key alone.
    this.#storage.setItem(this.#name, key)
    for (const resolve of this.#waiting.splice(0)) resolve(key)
  }
}
