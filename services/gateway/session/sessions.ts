// Stores digests only: neither the cookie nor the key nor the token can be read from the database. A session is as valid
// as its token: every lookup reads the tokens file.
import { randomBytes } from 'node:crypto'
import { conflict, Problem } from '../../../platform/core/problem.ts'
import { RateLimit } from '../../../platform/core/rate-limit.ts'
import { write } from '../../../platform/database/database.ts'
import type { CookieScope } from '../../../platform/http/gateway/outer-address.ts'
import { digestOf, isKeyOf, type Session, type SessionStore } from '../../../platform/http/gateway/sessions.ts'
import { openTokens, type TokenHolder, type Tokens } from '../../../platform/http/tokens.ts'
import type { World } from '../../../platform/service/world.ts'
import type { SignedIn } from '../../../schemas/gateway/session.ts'
import { SESSIONS } from '../migrations.ts'
import { setCookie } from './set-cookie.ts'

/** The key is in the storage of a tab, so a session rarely lasts longer anyway. */
const SESSION_MS = 7 * 24 * 3_600_000
/** Above it, the oldest end. */
const MOST_OF_TOKEN = 100
const SECRET_BYTES = 32

interface Row {
  seq: number
  key_sha256: string
  token_sha256: string
  expires_at: string
}

/** Sign-ins that fail, of one peer. */
const FAILURES_PER_SEC = 5

/** Where a sign-in comes from: `ip` is the address of the peer. */
interface Caller {
  ip: string
  cookieScope: CookieScope
}

type SessionWorld = Pick<World, 'db' | 'clock' | 'address' | 'config' | 'log'>

/** With tokens off there are no sessions. */
export class Sessions implements SessionStore {
  readonly #world: SessionWorld
  readonly #tokens: Tokens
  readonly #failing: RateLimit
  failures = 0

  constructor(world: SessionWorld) {
    const { config, log, clock } = world
    this.#world = world
    this.#tokens = openTokens(config.tokensFile, log, { required: config.auth })
    this.#failing = new RateLimit({ clock, perSec: FAILURES_PER_SEC, what: 'wrong tokens' })
  }

  cookieName(): string {
    return `svc-session-${new URL(this.#world.address()).port}`
  }

  /**
   * Returns the reply and its `Set-Cookie`. Throws 401 for an unknown token, and 429 `limit-reached` for too many of a
   * peer.
   */
  async signIn(token: string, { ip, cookieScope }: Caller): Promise<{ signedIn: SignedIn; header: string }> {
    const holder = this.#tokens.find(token)
    if (holder === null) {
      this.failures++
      // Known tokens are not counted: behind a proxy, the mistakes of one would keep everybody out.
      this.#failing.count(ip)
      throw new Problem(401, 'the token is unknown: it may have been revoked; request a new one', {
        code: 'token-unknown',
      })
    }
    const [cookie, key] = [secret(), secret()]
    const expiresAt = new Date(this.#world.clock.now() + SESSION_MS).toISOString()
    await this.#store({
      cookie_sha256: digestOf(cookie),
      key_sha256: digestOf(key),
      token_sha256: holder.digest,
      expires_at: expiresAt,
    })
    const { subject, role } = holder
    const header = setCookie(this.cookieName(), cookie, SESSION_MS / 1000, cookieScope)
    return { header, signedIn: { key, subject, role, expires_at: expiresAt } }
  }

  async find(cookie: string): Promise<Session | null> {
    const { db, clock } = this.#world
    const row: Row | undefined = await db(SESSIONS)
      .where({ cookie_sha256: digestOf(cookie) })
      .first()
    if (row === undefined || Date.parse(row.expires_at) <= clock.now()) return null
    const holder = this.#tokens.ofDigest(row.token_sha256)
    return holder && { seq: row.seq, holder, keyDigest: row.key_sha256 }
  }

  /** Ends the session. Throws 404 without one. */
  async signOut(session: Session | null): Promise<void> {
    if (session === null) throw new Problem(404, 'the request belongs to no session: nothing to end')
    await write(this.#world.db, (transaction) => transaction(SESSIONS).where({ seq: session.seq }).delete())
  }

  clearing(scope: CookieScope): string {
    return setCookie(this.cookieName(), '', 0, scope)
  }

  /**
   * Verifies the first frame of a socket that a page opened: `session` is `request.session` of the upgrade, `key` what
   * the frame contains as the key, of any type. True without a session: the request was identified by its peer or token.
   */
  admits(session: Session | null, key: unknown): boolean {
    return session === null || isKeyOf(session, key)
  }

  /**
   * Returns the current holder of the token that `request.holder` of a socket's upgrade names, whose role may have
   * changed since, or null once the token is revoked or replaced, or the session has ended. Not for a null
   * `request.holder`, which is a caller without a token.
   */
  async current(holder: TokenHolder, session: Session | null): Promise<TokenHolder | null> {
    const now = this.#tokens.ofDigest(holder.digest)
    if (now === null || session === null) return now
    const { db, clock } = this.#world
    const row: Row | undefined = await db(SESSIONS).where({ seq: session.seq }).first()
    return row !== undefined && Date.parse(row.expires_at) > clock.now() ? now : null
  }

  async #store(row: Record<string, string>): Promise<void> {
    const { db, clock } = this.#world
    await write(db, async (transaction) => {
      const rows = () => transaction(SESSIONS)
      await rows().where('expires_at', '<=', new Date(clock.now()).toISOString()).delete()
      await rows().insert(row)
      const { token_sha256 } = row
      const [oldest] = await rows().where({ token_sha256 }).orderBy('seq', 'desc').offset(MOST_OF_TOKEN).limit(1)
      if (oldest) await rows().where({ token_sha256 }).where('seq', '<=', oldest.seq).delete()
    })
  }

  /** Throws 409 `auth-off` with tokens off. */
  requireTokens(): void {
    if (this.#world.config.auth) return
    throw conflict(
      'tokens are off, so there are no sessions: the page is the user of the daemon without signing in',
      'auth-off',
    )
  }
}

const secret = (): string => randomBytes(SECRET_BYTES).toString('base64url')
