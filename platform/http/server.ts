import { strictJson } from '../../schemas/validation/text.ts'
import { BlockList } from 'node:net'
import { performance } from 'node:perf_hooks'
import websocket from '@fastify/websocket'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { health } from '../../schemas/operations/health.ts'
import { TITLES, type ProblemBody } from '../../schemas/problem.ts'
import type { Actor } from '../core/actor.ts'
import type { Config } from '../core/config.ts'
import type { Log } from '../core/log/log.ts'
import { invalid, Problem, unavailable } from '../core/problem.ts'
import type { ProxySettings } from '../core/proxies.ts'
import type { FreeDisk } from '../core/free-disk.ts'
import { withDeadline } from '../async/deadline.ts'
import { register, type Metric } from '../metrics/metrics.ts'
import { installBodies } from './bodies.ts'
import { installClosing } from './closing.ts'
import { implement } from './implement.ts'
import { installFront, type FrontOptions } from './gateway/front.ts'
import { createIdentity, requestId, unidentified } from './identity.ts'
import { withMeantId, type NamedIn } from './name-hints.ts'
import { BODY_LIMIT, FRAME_LIMIT, PARAMETER_LIMIT, RECEIVE_MS } from './limits.ts'
import { installUnknownRoutes } from './methods.ts'
import { installMetrics } from './metrics.ts'
import { createNameGuard } from './host-names.ts'
import { installCompression } from './lists.ts'
import { installOpenApi } from './openapi.ts'
import { asProblem, PROBLEM_TYPE, problemBody, sendProblem } from './problems.ts'
import type { Callers } from '../peer/callers.ts'
import { Peers } from '../peer/peers.ts'
import type { CookieScope } from './gateway/outer-address.ts'
import { installRedaction, shownPath, type MaskerOf } from './redaction.ts'
import { installValidation } from './schemas.ts'
import { createStreams, type Streams } from './live-streams.ts'
import type { SessionStore } from './gateway/sessions.ts'
import { openTokens } from './tokens.ts'
import { validationProblem } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    cookieScope: CookieScope
    /** Sent by a proxy. */
    isForwarded: boolean
  }
  interface FastifyInstance {
    refuseUnknownRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply
    streams: Streams
    audit(by: Actor, operation: string, target: string): Promise<void>
    /** Throws 503 if the disk has too little space for additions. */
    mustHaveRoom(): Promise<void>
    /** Problem body for responses that have already started. */
    problemOf(error: unknown, request: FastifyRequest): ProblemBody
  }
}

export type HttpServer = FastifyInstance

export interface HttpServerOptions {
  /** `svc-orchestrator` */
  service: string
  version: string
  log: Log
  /** Without a file there are no tokens; with one they are required, unless `auth` is false. */
  config: Pick<Config, 'bind' | 'hosts'> & Partial<ProxySettings> & { tokensFile: string | null; auth?: boolean }
  /** Extra fields of /health; `status: 'degraded'` replaces `ok`. */
  health: () => Promise<Record<string, unknown>>
  metrics?: readonly Metric[]
  /** Default `/metrics`. */
  metricsPath?: string
  /** Includes process metrics, for one service per process. Default true. */
  processMetrics?: boolean
  audit?: (by: Actor, operation: string, target: string) => Promise<void>
  /** Default: no check. */
  disk?: Pick<FreeDisk, 'mustHaveRoom'>
  /** Other ports of the daemon, whose pages may call this server. */
  ports?: () => Iterable<number>
  /** Milliseconds to receive a whole request. Default 30 s. */
  receiveMs?: number
  peers?: Peers
  callers?: () => Callers | null
  sessions?: () => SessionStore | null
  /** Hands requests on to other servers. Default: to none. */
  front?: FrontOptions | null
  /** Proves that a request comes from another process of this system. Default null: from none. */
  serviceToken?: string | null
  /** Redacts what an identified agent writes. */
  maskerOf?: MaskerOf
  named?: NamedIn
  /** Milliseconds that open connections get on close. Default 1500. */
  graceMs?: number
}

/** Creates a server that does not listen yet. Throws if the tokens file cannot be read. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { log } = options
  const app: HttpServer = fastify({
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: PARAMETER_LIMIT },
    requestIdHeader: false,
    genReqId: requestId,
    // A request without Host gets our error.
    http: {
      requireHostHeader: false,
      headersTimeout: options.receiveMs ?? RECEIVE_MS,
      // Interval at which node checks for late requests.
      connectionsCheckingInterval: Math.min(options.receiveMs ?? RECEIVE_MS, 1000),
    },
    requestTimeout: options.receiveMs ?? RECEIVE_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaErrorFormatter: (errors, part) => validationProblem(errors as never, part),
    frameworkErrors: (error, request, reply) => void sendProblem(asProblem(error, request.id, log), request, reply),
    clientErrorHandler: refuseMalformed,
  })
  const named: NamedIn = options.named ?? (async () => [])
  app.setErrorHandler(async (error, request, reply) =>
    sendProblem(await withMeantId(asProblem(error, request.id, log), request, app, named), request, reply),
  )
  app.decorate('audit', options.audit ?? (async () => undefined))
  app.decorate('mustHaveRoom', async () => options.disk?.mustHaveRoom())
  app.decorate('problemOf', (error, request) => problemBody(asProblem(error, request.id, log), request))
  // Before the guards: the plugin must see a refused upgrade to close its socket.
  await app.register(websocket, {
    // The readers of frames handle invalid UTF-8; otherwise the socket would be closed.
    options: { maxPayload: FRAME_LIMIT, perMessageDeflate: false, skipUTF8Validation: true },
    preClose: (done: () => void) => done(),
    errorHandler: (_error, socket) => socket.terminate(),
  })
  installFront(app, options.front ?? null)
  installUnknownRoutes(app)
  refuseNeedlessUpgrades(app)
  installValidation(app)
  installBodies(app)
  installGuards(app, options)
  installRedaction(app, options.maskerOf ?? (async () => null))
  installRequestLog(app, log)
  await installOpenApi(app, options)
  await installCompression(app)
  app.decorate('streams', createStreams(installCommonRoutes(app, options)))
  installClosing(app, options.graceMs ?? 1500)
  return app
}

function refuseNeedlessUpgrades(app: HttpServer): void {
  const sockets = new Set<string>()
  app.addHook('onRoute', (route) => {
    if (route.wsHandler) sockets.add(route.url)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const { url } = request.routeOptions
    if (request.ws && url !== undefined && !sockets.has(url))
      throw invalid(`${url} is not a WebSocket: send the request without "Upgrade"`)
    done()
  })
}

/** Answers depend on the caller and contain its keys: no cache keeps them, and no page of another site embeds them. */
const OWN_ANSWER = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

function installGuards(app: HttpServer, options: HttpServerOptions): void {
  const { config, log, ports } = options
  const ownPorts = () => app.addresses().flatMap((address) => (typeof address === 'string' ? [] : [address.port]))
  const guardNames = createNameGuard({
    bind: config.bind,
    hosts: config.hosts,
    ports: () => [...ownPorts(), ...(ports?.() ?? [])],
    publicUrl: config.publicUrl ?? null,
    trustedProxies: config.trustedProxies ?? new BlockList(),
  })
  const { tokensFile, auth: required = tokensFile !== null } = config
  const sessions = options.sessions ?? (() => null)
  const identify = createIdentity({
    tokens: tokensFile === null ? null : openTokens(tokensFile, log, { required }),
    required,
    peers: options.peers ?? new Peers(),
    callers: options.callers ?? (() => null),
    sessions,
    serviceToken: options.serviceToken ?? null,
  })
  app.decorateRequest('actor')
  app.decorateRequest('guardRefusal', null)
  app.decorateRequest('session', null)
  app.decorateRequest('holder', null)
  app.decorateRequest('cookieScope')
  app.decorateRequest('isForwarded', false)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, ...OWN_ANSWER })
    request.actor = unidentified(request)
    const outer = guardNames(request)
    Object.assign(request, { cookieScope: outer, isForwarded: outer.isForwarded })
    // Most reads are identified synchronously.
    const found = identify(request)
    const refused = () => request.is404 && app.refuseUnknownRoute(request, reply)
    if (found !== undefined)
      return found.then(
        () => void refused(),
        (error: unknown) => {
          if (error instanceof Problem && error.code === 'session-ended')
            reply.header('set-cookie', sessions()!.clearing(request.cookieScope))
          throw error
        },
      )
    if (!refused()) done()
  })
}

const isRead = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === 'GET' || method === 'HEAD' || routeOptions.config.readOnly === true

/** Writes are logged as info, reads as debug. Omits the query, which may contain a token. */
function installRequestLog(app: HttpServer, log: Log): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (request.isHandedOn) return done()
    const facts = {
      request_id: request.id,
      endpoint: request.actor.endpoint,
      path: shownPath(request),
      status: reply.statusCode,
      actor: request.actor.actor,
      tookMs: Math.round(reply.elapsedTime * 10) / 10,
    }
    if (isRead(request)) log.debug(facts, 'request')
    else log.info(facts, 'request')
    done()
  })
}

/** In milliseconds, shorter than the time-out of typical monitors. */
const HEALTH_MS = 2000

function installCommonRoutes(app: HttpServer, options: HttpServerOptions): Registry {
  const { service, version, metrics = [], metricsPath = '/metrics', log } = options
  const started = performance.now()
  const late = () => unavailable(`the health check did not finish within ${HEALTH_MS} ms`)
  const readHealth = async (id: string): Promise<Record<string, unknown>> => {
    const common = { status: 'ok', service, version, uptime_secs: Math.floor((performance.now() - started) / 1000) }
    try {
      return { ...common, ...(await withDeadline(HEALTH_MS, options.health(), late)) }
    } catch (error) {
      const { message, code } = asProblem(error, id, log)
      return { ...common, status: 'degraded', reason: message, code }
    }
  }
  implement(app, health, ({ raw }) => readHealth(raw.id) as never)
  const registry = installMetrics(app, {
    service,
    version,
    path: metricsPath,
    processMetrics: options.processMetrics ?? true,
  })
  for (const metric of metrics) register(registry, metric)
  return registry
}

function refuseMalformed(error: { code?: string }, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const problem = malformed(error.code)
  const body = strictJson(problemBody(problem, { id: requestId({ headers: {} } as never), originalUrl: '' }))
  const head = `HTTP/1.1 ${problem.status} ${TITLES[problem.status]}\r\nContent-Type: ${PROBLEM_TYPE}`
  // Close it ourselves: the client may never hang up.
  socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`, () =>
    socket.destroy(),
  )
}

function malformed(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem(408, `the request was not received completely within ${RECEIVE_MS / 1000} s: send it again`)
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem(400, 'the headers are too large')
  return new Problem(400, 'the request is not well-formed HTTP')
}
