// Hands requests below a path on to the other servers of this process. The connection is still the caller's, so each
// server judges it as if the caller had used its own port.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { invalid } from '../../core/problem.ts'
import { unidentified } from '../identity.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Another server of the process answers the request. */
    isHandedOn: boolean
  }
}

export interface FrontOptions {
  /** `/api`; the next segment names the service. */
  path: string
  /** May precede the path: `/svc`. Empty for none. */
  prefix: string
  /** Returns null for a name that no service of this process has. */
  serverOf(service: string): FastifyInstance | null
  /** The server of all other addresses. */
  own(): FastifyInstance
}

/** With the address that the client sent, once `url` is another. */
type Handed = IncomingMessage & { originalUrl?: string }

interface Target {
  server: FastifyInstance
  url: string
}

/** Call after the WebSocket plugin, whose hook marks upgrades, and before any other hook. */
export function installFront(app: FastifyInstance, front: FrontOptions | null): void {
  app.decorateRequest('isHandedOn', false)
  if (front === null) return
  handOnUpgrades(app, front)
  app.addHook('onRequest', (request, reply, done) => {
    request.actor = unidentified(request)
    const target = targetOf(request.raw, front)
    if (target === null) return done()
    reply.hijack()
    request.isHandedOn = true
    handOn(target, request.raw, reply.raw)
  })
}

function handOnUpgrades(app: FastifyInstance, front: FrontOptions): void {
  const own = app.server.listeners('upgrade') as UpgradeListener[]
  app.server.removeAllListeners('upgrade')
  app.server.on('upgrade', (request: Handed, socket: Duplex, head: Buffer) => {
    const target = acceptableTarget(request, front)
    const listeners = target === null || target.server === app ? own : target.server.server.listeners('upgrade')
    if (target !== null) readdress(request, target)
    for (const listener of listeners as UpgradeListener[]) listener.call(app.server, request, socket, head)
  })
}

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Null also for a request to refuse: the hook of the own server does. */
function acceptableTarget(request: Handed, front: FrontOptions): Target | null {
  try {
    return targetOf(request, front)
  } catch {
    return null
  }
}

function handOn(target: Target, request: Handed, response: ServerResponse): void {
  readdress(request, target)
  target.server.routing(request, response)
}

function readdress(request: Handed, { url }: Target): void {
  request.originalUrl = request.url!
  request.url = url
}

/** Returns null for an address outside the path, and throws 400 for an ambiguous one. */
function targetOf(request: Handed, front: FrontOptions): Target | null {
  if (request.originalUrl !== undefined) return null
  const url = request.url!
  const below = [front.prefix + front.path, front.path].find((path) => isBelow(url, path))
  if (below === undefined) return null
  refuseAmbiguous(url)
  const rest = url.slice(below.length)
  const name = /^\/([\w-]+)(?=[/?]|$)/.exec(rest)?.[1]
  const server = name === undefined ? null : front.serverOf(name)
  if (server === null) return { server: front.own(), url: pathIn(rest) }
  return { server, url: pathIn(rest.slice(1 + name!.length)) }
}

const isBelow = (url: string, path: string): boolean => url.startsWith(path) && /^[/?#]|^$/.test(url.slice(path.length))

/** `?x=1` becomes `/?x=1`. */
const pathIn = (rest: string): string => (rest.startsWith('/') ? rest : `/${rest}`)

/** Throws 400 for what another program on the way could read differently. */
function refuseAmbiguous(url: string): void {
  const [path = ''] = url.split('?')
  for (const segment of path.split('/')) {
    if (/^(?:\.|%2e){1,2}$/i.test(segment)) throw invalid('the address contains . or .. as a segment')
    if (/%2f|%5c|\\|#/i.test(segment)) throw invalid('the address contains an encoded slash, a backslash or #')
  }
}
