// Who asks: the request id, the token, the actor that every write is recorded with.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Role } from '../../schemas/access/token.ts'
import type { Actor } from '../core/actor.ts'
import { agentOfToken, type Caller, type Callers } from '../peer/callers.ts'
import type { Peers } from '../peer/peers.ts'
import { forbidden, invalid, Problem } from '../core/problem.ts'
import type { Tokens } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, for the record of a write. */
    actor: Actor
  }
  interface FastifyContextConfig {
    /** `token` (default) when tokens are on; `open`: nobody is asked who they are; `own`: the route asks by itself. */
    auth?: 'token' | 'open' | 'own'
    /** What comes of it depends on who asks: that is found out as for what is guarded, also of a read. */
    personal?: boolean
    /** The least role a write takes when tokens are on. Default operator. */
    role?: Exclude<Role, 'viewer'>
    /** What an agent's `may` must hold before it may ask for this. Default: nothing. */
    guard?: string
  }
}

/** Names the daemon records its own acts under, and those it gives to agents; nobody may take them. */
const RESERVED_ACTOR = /^(controller$|daemon$|agent:)/

/** The caller's X-Request-Id where it is sane, else a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:/+=@-]{1,128}$/.test(given) ? given : randomUUID()
}

/** `/agents/{id}` of the route `/agents/:id`. */
export const templateOf = (route: string): string => route.replace(/:(\w+)/g, '{$1}')

/** `PUT /agents/{id}/policy`; the bare path for an address that no route has. */
export function endpointOf(request: FastifyRequest): string {
  const { url } = request.routeOptions
  return `${request.method} ${url === undefined ? request.url.split('?')[0]! : templateOf(url)}`
}

/** The token of `Authorization: Bearer`, or null. */
export function bearerToken(request: FastifyRequest): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}

export interface IdentityOptions {
  tokens: Tokens | null
  /** Every request needs a token. Else the daemon's own user needs none, on this machine. */
  required: boolean
  peers: Peers
  /** The programs of ours that may ask in their turn, where a service of this process runs some. */
  callers(): Callers | null
}

/**
 * Decides who the actor is: the token's subject, else an agent of ours, else X-Svc-Actor, else `anonymous`. Throws
 * 400, 401 and 403. Reads are decided at once; whose connection a write comes over takes a moment to find out, the
 * first time, and so does an agent's own token.
 */
export function createIdentity(options: IdentityOptions): (request: FastifyRequest) => void | Promise<void> {
  return (request) => {
    const { config } = request.routeOptions
    request.actor = { actor: 'anonymous', requestId: request.id, endpoint: endpointOf(request) }
    const isAsked = (config.auth ?? 'token') === 'token'
    const token = isAsked ? bearerToken(request) : null
    const known = token === null || agentOfToken(token) === null ? null : options.callers()
    if (known === null) return identifyOther(request, isAsked, options)
    return known.ofToken(token!).then(async (caller) => {
      if (caller === null) return identifyOther(request, isAsked, options)
      // One agent that found the token of another may no more by it.
      actAs(request, (isLookedUp(request) && (await callerAt(request.raw.socket, options.peers, known))) || caller)
    })
  }
}

/** Who brings no token of an agent of ours. */
function identifyOther(request: FastifyRequest, isAsked: boolean, options: IdentityOptions): void | Promise<void> {
  const { tokens, required } = options
  const holder = isAsked && tokens !== null ? holderOf(tokens, request, required) : null
  if (holder !== null) return void Object.assign(request.actor, { actor: holder.subject, role: holder.role })
  request.actor.actor = namedActor(request)
  if (isAsked && changesSomething(request)) return identify(request, options)
}

/** Whose process is at the other end weighs more than what the request says of itself. */
function isLookedUp({ routeOptions: { config } }: FastifyRequest): boolean {
  return config.guard !== undefined || config.personal === true
}

/** Throws 403 where an agent may not ask for this. */
function actAs(request: FastifyRequest, caller: Caller): void {
  request.actor.actor = caller.actor
  if (caller.id !== null) request.actor.agent = caller.id
  const { guard } = request.routeOptions.config
  if (guard !== undefined && !caller.may.includes(guard)) throw mayNot(caller, guard, request)
}

/**
 * By its method alone, for what changes nothing may be asked at length all the same; a WebSocket, which stays open for
 * whatever comes; and what is shown to some alone.
 */
const changesSomething = (request: FastifyRequest): boolean =>
  !isReading(request) || request.ws || request.routeOptions.config.personal === true

const isReading = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** Without a token: the user of the other end, and the agent of ours that it may be. */
async function identify(request: FastifyRequest, { peers, callers }: IdentityOptions): Promise<void> {
  const { socket } = request.raw
  const peer = await peers.of(socket)
  if (peer === 'gone') throw gone()
  if (typeof peer === 'object' && !isOwnUser(peer.uid)) throw strangerProblem(peer.uid, bearerToken(request) !== null)
  const known = callers()
  if (known === null) return
  const caller = (isLookedUp(request) ? await callerAt(socket, peers, known) : null) ?? (await named(request, known))
  if (caller !== null) actAs(request, caller)
}

/** What the processes say weighs more than what the request says: it cannot be written in a header. */
async function callerAt(socket: object, peers: Peers, known: Callers): Promise<Caller | null> {
  const lineage = await peers.lineageOf(socket)
  if (lineage === 'gone') throw gone()
  return lineage === 'untold' ? null : known.ofProcess(lineage)
}

/** An agent's own commands say by themselves whose they are. */
async function named(request: FastifyRequest, known: Callers): Promise<Caller | null> {
  const id = request.headers['x-svc-agent']
  return typeof id === 'string' ? known.find(id) : null
}

/** Root may become the daemon's user whenever it likes. */
const isOwnUser = (uid: number): boolean => uid === 0 || uid === process.getuid?.()

const gone = (): Problem =>
  new Problem(401, 'the connection was closed before it was known whose it is: wait for the answer', {
    code: 'token-missing',
  })

const strangerProblem = (uid: number, hasToken: boolean): Problem =>
  new Problem(
    401,
    `without a ${hasToken ? 'known token' : 'token'} this daemon takes writes of its own user alone (uid ${process.getuid?.()}), not of uid ${uid}: its user ` +
      'makes one with "svc token create NAME", then send Authorization: Bearer <token> (commands: SVC_TOKEN)',
    { code: hasToken ? 'token-unknown' : 'token-missing' },
  )

const mayNot = ({ actor }: Caller, guard: string, request: FastifyRequest): Problem =>
  forbidden(
    `${actor} may not ${endpointOf(request)} from within an agent's session: a person does it from outside, ` +
      `or its manifest says may: [${guard}]`,
    'agent-may-not',
  )

function namedActor(request: FastifyRequest): string {
  const name = request.headers['x-svc-actor']
  if (name === undefined) return 'anonymous'
  if (typeof name !== 'string' || !/^[\x21-\x7e][\x20-\x7e]{0,127}$/.test(name))
    throw invalid('X-Svc-Actor should be 1 to 128 printable ASCII characters')
  if (RESERVED_ACTOR.test(name)) throw invalid(`X-Svc-Actor "${name}" is a name that the daemon gives: choose another`)
  return name
}

/** Whose the token is; null for a request without a known one, where none is required. */
function holderOf(tokens: Tokens, request: FastifyRequest, required: boolean): ReturnType<Tokens['find']> {
  const token = bearerToken(request)
  if (token === null && !required) return null
  if (token === null)
    throw new Problem(401, 'this daemon asks for a token: send Authorization: Bearer <token>', {
      code: 'token-missing',
    })
  const holder = tokens.find(token)
  if (holder === null && !required) return null
  if (holder === null)
    throw new Problem(401, 'the token is not known: it may have been revoked; ask for a new one', {
      code: 'token-unknown',
    })
  const { role: wanted = 'operator', readOnly } = request.routeOptions.config
  if (!isReading(request) && !readOnly && holder.role !== 'admin' && holder.role !== wanted) {
    throw forbidden(
      `${holder.subject} is ${holder.role} and may not ${endpointOf(request)}: that takes the role ${wanted}`,
    )
  }
  return holder
}
