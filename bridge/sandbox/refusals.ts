import { randomUUID } from 'node:crypto'
import type { Frame } from '../frames.ts'
import type { Timers } from '../timers.ts'

export interface Refusal {
  host: string
  port: number
  /** Connections since the last report. */
  count: number
}

const INTERVAL_MS = 60_000

/** A program may try any number of names; those above are not reported. */
const MOST_HOSTS = 100

/** Reports each refused host at once, and then at most once a minute. */
export class Refusals {
  /** Set by the owner of the connection to the orchestrator. */
  onReport: (refusal: Refusal) => void = () => {}
  readonly #timers: Timers
  /** Refusals after the last report. */
  readonly #later = new Map<string, Refusal>()

  constructor(timers: Timers) {
    this.#timers = timers
  }

  note(host: string, port: number): void {
    const key = `${host}:${port}`
    const later = this.#later.get(key)
    if (later) later.count++
    else if (this.#later.size < MOST_HOSTS) this.#report({ host: host.slice(0, 253), port, count: 1 }, key)
  }

  #report(refusal: Refusal, key: string): void {
    const later = { ...refusal, count: 0 }
    this.#later.set(key, later)
    this.#timers.after(INTERVAL_MS, () => {
      this.#later.delete(key)
      if (later.count > 0) this.#report(later, key)
    })
    this.onReport(refusal)
  }
}

export const refusalFrame = (refusal: Refusal): Frame => ({ type: 'sandbox_refused', ...refusal, uuid: randomUUID() })

export const refusalText = ({ host, port, count }: Refusal): string =>
  `svc sandbox: ${host}:${port} is not reachable (${count}): add it to sandbox.network.hosts`
