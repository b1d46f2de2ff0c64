// How long a forge wants to be left alone, by the headers of its answers.

type Headers = Readonly<Record<string, string | undefined>>

const MINUTE = 60_000
/** A header that says more is not believed: after an hour it is asked again, and may say so again. */
const LONGEST_MS = 60 * MINUTE

/** Milliseconds since 1970 until which nothing is to be asked; null where it may be asked at once. */
export function freeAfter(status: number, headers: Headers, now: number): number | null {
  const refused = status === 403 || status === 429 || status === 503
  const wait = (refused ? retryAfter(headers, now) : null) ?? untilReset(headers, now)
  if (wait !== null) return now + Math.min(Math.max(wait, 0), LONGEST_MS)
  return status === 429 ? now + MINUTE : null
}

/** `Retry-After`: seconds, or a date. */
function retryAfter(headers: Headers, now: number): number | null {
  const text = headers['retry-after']
  if (text === undefined) return null
  const at = /^\d+$/.test(text) ? now + Number(text) * 1000 : Date.parse(text) + skew(headers, now)
  return Number.isNaN(at) ? MINUTE : at - now
}

/** Nothing is left of the present hour: until the next one begins. */
function untilReset(headers: Headers, now: number): number | null {
  if (headers['x-ratelimit-remaining'] !== '0') return null
  const reset = Number(headers['x-ratelimit-reset'] ?? 'none') * 1000 + skew(headers, now)
  return Number.isNaN(reset) ? MINUTE : reset - now
}

/** What our clock is ahead of the forge's, whose times these are. */
function skew({ date }: Headers, now: number): number {
  const theirs = Date.parse(date ?? '')
  return Number.isNaN(theirs) ? 0 : now - theirs
}
