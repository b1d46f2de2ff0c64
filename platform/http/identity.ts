import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Identity } from '../../schemas/operations/operation.ts'
import { isReservedName } from '../../schemas/access/names.ts'
import type { Role } from '../../schemas/access/token.ts'
import type { Actor } from '../core/actor.ts'
import { agentOfToken, type Caller, type Callers } from '../peer/callers.ts'
import type { Peers } from '../peer/peers.ts'
import type { Lineage } from '../peer/processes.ts'
import { forbidden, invalid, Problem } from '../core/problem.ts'
import { ended, forwardedAgent, gone, keyMissing, noOrigin, signedOut, strangerProblem } from './gateway/refusals.ts'
import { originalCaller, type OriginalCaller } from './service-callers.ts'
import {
  cookiesOf,
  isKeyOf,
  isOfBrowser,
  isOfOwnPage,
  KEY_HEADER,
  type Session,
  type SessionStore,
} from './gateway/sessions.ts'
import type { TokenHolder, Tokens } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor
    /** Set for a request with the cookie of a session; its key is verified, unless the first frame of the socket has it. */
    session: Session | null
    /** Holder of the token, or of the token of the session. */
    holder: TokenHolder | null
    /** Why an agent may not call the operation; thrown by the route if the request changes something. */
    guardRefusal: Problem | null
  }
  interface FastifyContextConfig {
    /**
     * `token` (default): required if tokens are on. `open`: no identification. `own`: the route authenticates itself.
     */
    auth?: 'token' | 'open' | 'own'
    /** `caller`: the peer process overrides what the request claims. Default none. */
    identity?: Identity
    /** Refuses agents of another OS user, whose token opens other routes. */
    ownUser?: boolean
    /** Minimum role; default operator for a write, viewer for a read. */
    role?: Role
    /** Permission that an agent's `may` must contain. */
    guard?: string
    /** The body decides whether the guard applies. */
    guardLater?: boolean
    /** The first frame of the socket contains the key of the session. */
    keyInFrame?: boolean
  }
}

const AGENT = 'agent:'
/** The only reserved name that a header may claim; accepted with tokens off only. */
const OPERATOR = 'operator'

export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:/+=@-]{1,128}$/.test(given) ? given : randomUUID()
}

/** The actor of a request until its caller is identified. */
export const unidentified = ({ id, method }: FastifyRequest): Actor => ({
  actor: 'anonymous',
  requestId: id,
  endpoint: method,
})

/** `/agents/:id` becomes `/agents/{id}`. */
export const templateOf = (route: string): string => route.replace(/:(\w+)/g, '{$1}')

export function endpointOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  return `${request.method} ${url === undefined ? request.url.split('?')[0]! : templateOf(url)}`
}

export function bearerToken(request: FastifyRequest): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}

export interface IdentityOptions {
  tokens: Tokens | null
  /** Requires a token for every request. Otherwise local requests of the daemon's own user need none. */
  required: boolean
  peers: Peers
  callers(): Callers | null
  sessions(): SessionStore | null
  /** Null: no other process of this system is believed. */
  serviceToken: string | null
}

/**
 * Sets the actor: the token's subject, else an agent, else X-Svc-Actor, else `anonymous`. Throws 400, 401 and 403. Most
 * reads are decided synchronously.
 */
export function createIdentity(options: IdentityOptions): (request: FastifyRequest) => void | Promise<void> {
  return (request) => {
    const { config } = request.routeOptions
    request.actor = { actor: 'anonymous', requestId: request.id, endpoint: endpointOf(request) }
    const original = originalCaller(request, options.serviceToken)
    if (original !== null) return actForService(request, original, options)
    const isAsked = (config.auth ?? 'token') === 'token'
    const cookies = sessionCookies(request, options)
    if (isWriting(request) && request.headers.origin === undefined && isOfBrowser(request, cookies)) throw noOrigin()
    if (isAsked && options.required) {
      if (cookies.length > 0) return identifyInSession(request, cookies, options)
      if (isWriting(request) && isOfBrowser(request, cookies)) throw signedOut()
    }
    const token = isAsked ? bearerToken(request) : null
    const known = token === null || agentOfToken(token) === null ? null : options.callers()
    if (known === null) return identifyOther(request, isAsked, options)
    return known.ofToken(token!).then(async (caller) => {
      if (caller === null) return identifyOther(request, isAsked, options)
      if (config.ownUser && request.isForwarded) throw forwardedAgent()
      if (config.ownUser) await refuseStranger(request, options.peers)
      // An agent must not use the token of another.
      actAs(request, (isLookedUp(request) && (await callerAt(request.raw.socket, options.peers, known))) || caller)
    })
  }
}

function identifyOther(request: FastifyRequest, isAsked: boolean, options: IdentityOptions): void | Promise<void> {
  const { tokens } = options
  const holder = isAsked && tokens !== null ? holderOf(tokens, request, options) : null
  if (holder !== null) {
    actAsHolder(request, holder)
    return changesSomething(request) ? findSender(request, options) : undefined
  }
  if (isAsked && changesSomething(request)) return identify(request, options)
  if (!isAsked && isLookedUp(request)) return identifyPeer(request, options)
  request.actor.actor = namedActor(request, options)
}

const sessionCookies = (request: FastifyRequest, { sessions }: IdentityOptions): string[] => {
  const store = request.headers.cookie === undefined ? null : sessions()
  return store === null ? [] : cookiesOf(request, store.cookieName())
}

/** Throws 401 `session-ended` without a valid cookie, and `session-key-missing` for one without its key. */
async function identifyInSession(request: FastifyRequest, cookies: string[], options: IdentityOptions): Promise<void> {
  const found = await Promise.all(cookies.map((cookie) => options.sessions()!.find(cookie)))
  const known = found.filter((session) => session !== null)
  if (known.length === 0) throw ended()
  const { ws, headers, raw, routeOptions } = request
  const isKeyLater = ws && routeOptions.config.keyInFrame
  const session = known.find((each) => isKeyLater || isKeyOf(each, headers[KEY_HEADER]))
  if (session === undefined) throw keyMissing()
  Object.assign(request, { session, holder: session.holder })
  refuseRole(session.holder, request)
  // An agent that uses the session of a person is still the agent: role and permissions must both allow the request.
  const caller = changesSomething(request) ? await callerAt(raw.socket, options.peers, options.callers()) : null
  if (caller === null) actAsHolder(request, session.holder)
  else actAs(request, caller)
}

/** Throws 403 if the role does not suffice. */
function actAsHolder(request: FastifyRequest, holder: TokenHolder): void {
  request.holder = holder
  Object.assign(request.actor, { actor: holder.subject, role: holder.role })
  refuseRole(holder, request)
}

const isLookedUp = ({ routeOptions: { config } }: FastifyRequest): boolean =>
  config.identity === 'caller' || config.guard !== undefined

/** Throws 403 if the agent lacks the permission. */
function actAs(request: FastifyRequest, caller: Caller): void {
  request.actor.actor = caller.actor
  if (caller.id !== null) request.actor.agent = caller.id
  const { guard } = request.routeOptions.config
  if (guard !== undefined && !caller.may.includes(guard)) refuseGuarded(caller.actor, guard, request)
}

/** Another service has identified the caller; its role and permissions still apply. Throws 403. */
async function actForService(request: FastifyRequest, by: OriginalCaller, { callers }: IdentityOptions): Promise<void> {
  const { actor, agent, sender, role } = by
  Object.assign(request.actor, {
    actor,
    ...(agent === undefined ? {} : { agent }),
    ...(sender === undefined ? {} : { sender }),
    ...(role === undefined ? {} : { role }),
  })
  if (role !== undefined) refuseRole({ subject: actor, role }, request)
  const { guard } = request.routeOptions.config
  if (guard === undefined || (agent === undefined && !actor.startsWith(AGENT))) return
  const known = agent === undefined ? null : ((await callers()?.find(agent)) ?? null)
  if (!known?.may.includes(guard)) refuseGuarded(actor, guard, request)
}

/** Throws 403, or keeps it for a route that decides by the body. */
function refuseGuarded(actor: string, guard: string, request: FastifyRequest): void {
  const refusal = mayNot(actor, guard, request)
  if (!request.routeOptions.config.guardLater) throw refusal
  request.guardRefusal = refusal
}

/** By method, because read-only operations can be POST. Includes WebSockets, which stay open. */
const isWriting = (request: FastifyRequest): boolean => !isReading(request) || request.ws

const changesSomething = (request: FastifyRequest): boolean => isWriting(request) || isLookedUp(request)

const isReading = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

async function identify(request: FastifyRequest, options: IdentityOptions): Promise<void> {
  await refuseStranger(request, options.peers)
  await identifyPeer(request, options)
}

/** Throws 401 for a process of another user. */
async function refuseStranger(request: FastifyRequest, peers: Peers): Promise<void> {
  const peer = await peers.of(request.raw.socket)
  if (peer === 'gone') throw gone()
  if (typeof peer === 'object' && !isOwnUser(peer.uid)) throw strangerProblem(peer.uid, bearerToken(request) !== null)
}

/** An agent acts under its own name, whatever the headers claim. */
async function identifyPeer(request: FastifyRequest, options: IdentityOptions): Promise<void> {
  const { peers, callers } = options
  const known = callers()
  const found = isLookedUp(request) ? await callerAt(request.raw.socket, peers, known) : null
  const caller = found ?? (known && (await named(request, known)))
  if (caller === null) request.actor.actor = namedActor(request, options)
  else actAs(request, caller)
}

/** An agent can use the token of a person, and still writes its own secrets. */
async function findSender(request: FastifyRequest, { peers, callers }: IdentityOptions): Promise<void> {
  const lineage = await peers.lineageOf(request.raw.socket)
  const sender = typeof lineage === 'string' ? null : await callers()?.ofProcess(lineage)
  if (sender?.id) request.actor.sender = { agent: sender.id, actor: sender.actor }
}

/** Headers can be forged, processes cannot. */
async function callerAt(socket: object, peers: Peers, known: Callers | null): Promise<Caller | null> {
  const lineage = await peers.lineageOf(socket)
  if (lineage === 'gone') throw gone()
  if (lineage === 'unknown') return null
  return known === null ? agentElsewhere(lineage) : known.ofProcess(lineage)
}

/** Without the orchestrator in this process, an agent's name and permissions are unknown. */
const agentElsewhere = ({ agentIds: [id] }: Lineage): Caller | null =>
  id === undefined ? null : { id, actor: `${AGENT}?`, may: [] }

async function named(request: FastifyRequest, known: Callers): Promise<Caller | null> {
  const id = request.headers['x-svc-agent']
  return typeof id === 'string' ? known.find(id) : null
}

/** Root can become any user. */
const isOwnUser = (uid: number): boolean => uid === 0 || uid === process.getuid?.()

const mayNot = (actor: string, guard: string, request: FastifyRequest): Problem =>
  forbidden(
    `${actor} may not ${endpointOf(request)} from an agent's session: do it outside the session, ` +
      `or add may: [${guard}] to the agent's manifest`,
    'agent-may-not',
  )

function namedActor(request: FastifyRequest, { required }: IdentityOptions): string {
  const name = request.headers['x-svc-actor']
  // Without tokens, our page is used by the person at the machine.
  if (name === undefined) return !required && isOfOwnPage(request) ? OPERATOR : 'anonymous'
  if (typeof name !== 'string' || !/^[\x21-\x7e][\x20-\x7e]{0,127}$/.test(name))
    throw invalid('X-Svc-Actor should be 1 to 128 printable ASCII characters')
  if (isReservedName(name) && name !== OPERATOR) throw invalid(`X-Svc-Actor "${name}" is reserved: choose another`)
  return name
}

/** Returns the token's holder; null without a token if none is required. Throws 401 for an unknown token. */
function holderOf(
  tokens: Tokens,
  request: FastifyRequest,
  { required, callers }: IdentityOptions,
): ReturnType<Tokens['find']> {
  const token = bearerToken(request)
  if (token === null && !required) return null
  if (token === null)
    throw new Problem(401, 'this daemon requires a token: send Authorization: Bearer <token>', {
      code: 'token-missing',
    })
  const holder = tokens.find(token)
  // Without the orchestrator in this process, the tokens of agents are unknown.
  if (holder === null && !required && agentOfToken(token) !== null && callers() === null) return null
  if (holder === null)
    throw new Problem(401, 'the token is unknown: it may have been revoked; request a new one', {
      code: 'token-unknown',
    })
  return holder
}

/** Throws 403 for a write, or a read that names a role, that requires another role. */
function refuseRole({ subject, role }: { subject: string; role: Role }, request: FastifyRequest): void {
  const { role: named, readOnly } = request.routeOptions.config
  const wanted = named ?? (isReading(request) || readOnly ? 'viewer' : 'operator')
  if (wanted === 'viewer' || role === 'admin' || role === wanted) return
  throw forbidden(`${subject} is ${role} and may not ${endpointOf(request)}: it requires the role ${wanted}`)
}
