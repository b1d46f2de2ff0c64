// A browser session: a cookie, and a key that the page sends as a header. Neither is accepted alone, because a browser
// sends a cookie of 127.0.0.1 to the servers of all its ports.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { CookieScope } from './outer-address.ts'
import type { TokenHolder } from '../tokens.ts'

export const KEY_HEADER = 'x-svc-session-key'

export interface Session {
  /** Row of the session. */
  seq: number
  holder: TokenHolder
  /** SHA-256 of the key, in hexadecimal. */
  keyDigest: string
}

export interface SessionStore {
  /** Contains the port: cookies of a host are shared by all its ports. */
  cookieName(): string
  /** Returns null for a cookie that is unknown, expired, or of a token that was revoked or replaced. */
  find(cookie: string): Promise<Session | null>
  /** A `Set-Cookie` that removes the cookie. */
  clearing(scope: CookieScope): string
}

/** Sent by a page of this daemon. Call for a request whose Origin is accepted. */
export const isOfOwnPage = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] === 'same-origin'

/** Sent by any page, or with the cookie of a session. */
export const isOfBrowser = ({ headers }: Pick<FastifyRequest, 'headers'>, cookies: readonly string[]): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined || cookies.length > 0

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export const isKeyOf = ({ keyDigest }: Session, key: unknown): boolean =>
  typeof key === 'string' && timingSafeEqual(Buffer.from(digestOf(key)), Buffer.from(keyDigest))

const MOST_VALUES = 4

/**
 * Returns the first values of the cookie. A server on another port of the host can add one with a longer path, which
 * precedes ours.
 */
export function cookiesOf({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string[] {
  const start = `${name}=`
  const values = (headers.cookie ?? '').split(';').map((each) => each.trim())
  return values
    .filter((each) => each.startsWith(start))
    .slice(0, MOST_VALUES)
    .map((each) => each.slice(start.length))
}
