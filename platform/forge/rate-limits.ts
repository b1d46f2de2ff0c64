export type Headers = Readonly<Record<string, string | undefined>>

const MINUTE = 60_000
/** Upper limit of the wait that headers request. */
const LONGEST_MS = 60 * MINUTE

/** Rate limit of one token, shared by its clients. */
export class ForgeLimit {
  #freeAt = 0

  /** Time until which requests are forbidden, in milliseconds since 1970. */
  get freeAt(): number {
    return this.#freeAt
  }

  /** Takes the limit from an answer; returns whether it forbids requests. */
  note(status: number, headers: Headers, now: number): boolean {
    const freeAt = freeAfter(status, headers, now)
    this.#freeAt = Math.max(this.#freeAt, freeAt ?? 0)
    return freeAt !== null
  }

  /** Forbids requests for a minute, unless they are forbidden already. */
  forbid(now: number): void {
    if (this.#freeAt <= now) this.#freeAt = now + MINUTE
  }
}

/** Returns the time of the next allowed request in milliseconds since 1970; null if allowed now. */
function freeAfter(status: number, headers: Headers, now: number): number | null {
  const refused = status === 403 || status === 429 || status === 503
  const wait = (refused ? retryAfter(headers, now) : null) ?? untilReset(headers, now)
  if (wait !== null) return now + Math.min(Math.max(wait, 0), LONGEST_MS)
  return status === 429 ? now + MINUTE : null
}

/** `Retry-After`: seconds or a date. */
function retryAfter(headers: Headers, now: number): number | null {
  const text = headers['retry-after']
  if (text === undefined) return null
  const at = /^\d+$/.test(text) ? now + Number(text) * 1000 : Date.parse(text) + skew(headers, now)
  return Number.isNaN(at) ? MINUTE : at - now
}

function untilReset(headers: Headers, now: number): number | null {
  if (headers['x-ratelimit-remaining'] !== '0') return null
  const reset = Number(headers['x-ratelimit-reset'] ?? 'none') * 1000 + skew(headers, now)
  return Number.isNaN(reset) ? MINUTE : reset - now
}

/** Our clock minus the forge's. */
function skew({ date }: Headers, now: number): number {
  const theirs = Date.parse(date ?? '')
  return Number.isNaN(theirs) ? 0 : now - theirs
}
