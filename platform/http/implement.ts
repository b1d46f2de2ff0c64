// Turns an operation into a route: validation, types, OpenAPI and audit.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { ErrorObject } from 'ajv'
import { IsOptional } from 'typebox'
import type { WebSocket } from 'ws'
import type { Guard } from '../../schemas/agent/guards.ts'
import {
  identityOf,
  isAddition,
  isWrite,
  type BodyOf,
  type CallOperation,
  type CountsOf,
  type EventOf,
  type EventsOperation,
  type ItemOf,
  type LineOf,
  type LinesOperation,
  type ListOperation,
  type Operation,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
  type SocketOperation,
} from '../../schemas/operations/operation.ts'
import { listSchema, type PageQuery, type Slice } from '../../schemas/operations/page.ts'
import { asActor, type Actor } from '../core/actor.ts'
import type { Unsubscribe } from '../async/change-feed.ts'
import { invalid, Problem, refuseFaults } from '../core/problem.ts'
import type { CursorAsked } from '../store/keyset.ts'
import type { PageLimits, Part } from '../store/page.ts'
import { COMPRESSED, cursorOf, listName, pageAnswer, pageOf, sendTagged } from './lists.ts'
import { redact, redactionOf } from './redaction.ts'
import { shapesOf } from './schemas.ts'
import { validationProblem } from './validation.ts'

export interface Asked<O> {
  params: ParamsOf<O>
  query: QueryOf<O>
  body: BodyOf<O>
  actor: Actor
  raw: FastifyRequest
  /** Redacts what an agent sends over a socket. Bodies and queries are redacted already. */
  redact: <T>(value: T) => Promise<T>
  onAnswered(work: () => void): void
  /** Of the response of a call. */
  setHeader(name: string, value: string): void
}

export class Answer<T> {
  readonly status: number
  readonly value: T

  constructor(status: number, value: T) {
    this.status = status
    this.value = value
  }
}
export const answer = <T>(status: number, value?: T): Answer<T | undefined> => new Answer(status, value)

/** A reply sent as text unless the client asks for JSON. */
export class WithText<T> {
  constructor(
    readonly value: T,
    readonly text: () => string,
  ) {}
}

export type Handler<O> = O extends CallOperation
  ? (asked: Asked<O>) => Promise<Replied<ReplyOf<O>>>
  : O extends ListOperation
    ? (asked: Asked<O> & Place<O>) => Promise<Items<ItemOf<O>> | Slice<ItemOf<O>, CountsOf<O>>>
    : O extends LinesOperation
      ? (asked: Asked<O>, write: (line: LineOf<O>) => void) => Promise<LineOf<O>>
      : O extends EventsOperation
        ? (asked: Asked<O>) => (listener: (event: EventOf<O>) => void) => Unsubscribe
        : SocketHandler<O>

/** `cursor`: null without `after` and `before`. A list without cursors has pages by offset only. */
type Place<O> = O extends { cursors: object }
  ? { page: PageLimits | null; cursor: CursorAsked | null; part: Part }
  : { page: PageLimits | null; part: Partial<PageLimits> }

export type Replied<T> = T | Answer<T | undefined> | WithText<T> | (undefined extends T ? void : never)

export type Items<T> = readonly T[] | { items: T[]; total: number }

export interface SocketHandler<O> {
  /** Runs before the upgrade, so errors are HTTP responses. */
  admit?(asked: Asked<O>): Promise<void>
  open(socket: WebSocket, asked: Asked<O>): void
}

export function implement<const O extends Operation>(app: FastifyInstance, operation: O, handler: Handler<O>): void {
  const route = routeOf(app, operation, handler)
  app.route({
    method: operation.method,
    url: operation.path,
    ...route,
    ...(isDecidedByBody(operation) ? { preValidation: refuseChange(operation) } : {}),
    schema: { ...requestSchema(app, operation), ...route.schema },
    config: {
      ...(operation.auth === undefined ? {} : { auth: operation.auth }),
      ...(operation.role === undefined ? {} : { role: operation.role }),
      identity: identityOf(operation),
      ...('ownUser' in operation && operation.ownUser ? { ownUser: true } : {}),
      ...('keyInFrame' in operation && operation.keyInFrame ? { keyInFrame: true } : {}),
      ...(isGuarded(operation) ? { guard: operation.guard } : {}),
      ...(isDecidedByBody(operation) ? { guardLater: true } : {}),
      ...(isWrite(operation) ? {} : { readOnly: true }),
      redaction: redactionOf(operation),
      ...('anyText' in operation && operation.anyText ? { anyText: operation.anyText } : {}),
      ...(bodyOptional(operation) ? { bodyOptional: true } : {}),
      ...('bytes' in operation && operation.bytes ? { bytes: true } : {}),
    },
    ...('faultStatus' in operation && operation.faultStatus ? { schemaErrorFormatter: unprocessableShape } : {}),
    ...('bodyLimit' in operation && operation.bodyLimit ? { bodyLimit: operation.bodyLimit } : {}),
  })
}

/** For APIs that specify 422 for an invalid body. */
const unprocessableShape = (errors: readonly unknown[], part: string): Problem => {
  const problem = validationProblem(errors as readonly ErrorObject[], part)
  return part === 'body' ? new Problem(422, problem.message, { errors: problem.errors }) : problem
}

type Route = Pick<RouteOptions, 'handler'> &
  Partial<Pick<RouteOptions, 'schema' | 'wsHandler' | 'preHandler' | 'compress'>>

function routeOf(app: FastifyInstance, operation: Operation, handler: unknown): Route {
  switch (operation.kind) {
    case 'call':
      return callRoute(app, operation, handler as Handler<CallOperation>)
    case 'list':
      return listRoute(app, operation, handler as Handler<ListOperation>)
    case 'lines':
      return linesRoute(app, operation, handler as Handler<LinesOperation>)
    case 'events':
      return eventsRoute(app, operation, handler as Handler<EventsOperation>)
    case 'socket':
      return socketRoute(handler as SocketHandler<SocketOperation>)
  }
}

function requestSchema(app: FastifyInstance, operation: Operation): object {
  const { id, summary, params, query } = operation
  const body = 'body' in operation ? operation.body : undefined
  return {
    operationId: id,
    summary,
    ...(params ? { params } : {}),
    ...(rejectsUnknownQuery(operation)
      ? { querystring: { ...(query ?? NO_QUERY), additionalProperties: false } }
      : query
        ? { querystring: query }
        : {}),
    ...(body ? { body: shapesOf(app)(body) } : {}),
  }
}

const NO_QUERY = { type: 'object', properties: {} }

/** A misspelt filter must not be ignored. Clients of open routes may add parameters. */
const rejectsUnknownQuery = ({ kind, auth }: Operation): boolean => kind !== 'socket' && (auth ?? 'token') === 'token'

const isGuarded = (operation: Operation): operation is Operation & { guard: Guard } =>
  'guard' in operation && operation.guard !== undefined && operation.guard !== 'none'

const isDecidedByBody = (
  operation: Operation,
): operation is CallOperation & Required<Pick<CallOperation, 'changesNothing'>> =>
  'changesNothing' in operation && operation.changesNothing !== undefined

/** Before the validation: a caller without the guard learns nothing about the body. */
const refuseChange =
  ({ changesNothing }: Required<Pick<CallOperation, 'changesNothing'>>) =>
  async (request: FastifyRequest): Promise<void> => {
    if (request.guardRefusal && !changesNothing(askedOf(request))) throw request.guardRefusal
  }

const bodyOptional = (operation: Operation): boolean =>
  'body' in operation && operation.body !== undefined && IsOptional(operation.body)

function askedOf(request: FastifyRequest, reply?: FastifyReply): Asked<any> {
  const { params, query, body, actor } = request
  const onAnswered = (work: () => void) => void reply?.raw.once('finish', work)
  const redactValue = <T>(value: T) => redact(request, value)
  const setHeader = (name: string, value: string) => void reply?.header(name, value)
  return { params, query, body, actor, raw: request, redact: redactValue, onAnswered, setHeader } as Asked<any>
}

/** Runs `work` as the caller, and audits a write that recorded nothing. */
async function carryOut<T>(
  app: FastifyInstance,
  operation: Operation,
  asked: Asked<any>,
  work: () => Promise<T>,
): Promise<T> {
  const changesNothing = isDecidedByBody(operation) && operation.changesNothing(asked)
  if ('check' in operation && operation.check) refuseFaults(await operation.check(asked))
  if (isAddition(operation)) await app.mustHaveRoom()
  const result = await asActor(asked.actor, work)
  const target = await asked.redact(Object.values(asked.params ?? {}).join('/'))
  if (isWrite(operation) && !changesNothing && !asked.actor.audited) await app.audit(asked.actor, operation.id, target)
  return result
}

function callRoute(app: FastifyInstance, operation: CallOperation, handler: Handler<CallOperation>): Route {
  const statuses = Object.entries(operation.reply)
  const usual = Number(statuses[0]![0])
  const shape = shapesOf(app)
  const response = Object.fromEntries(
    statuses.map(([status, reply]) => [status, reply ? shape(reply) : { type: 'null', description: 'No body' }]),
  )
  return {
    schema: { response: operation.tagged ? { ...response, 304: UNCHANGED } : response, ...producesOf(operation) },
    ...(operation.tagged ? { compress: COMPRESSED } : {}),
    handler: async (request, reply) => {
      const asked = askedOf(request, reply)
      const result = await carryOut(app, operation, asked, () => handler(asked))
      const { status, value } = result instanceof Answer ? result : { status: usual, value: result }
      if (operation.tagged) return sendTagged(request, reply, value as object)
      if (operation.produces) void reply.type(operation.produces)
      if (!(value instanceof WithText)) return reply.code(status).send(value)
      void reply.header('vary', 'Accept').code(status)
      return asksForJson(request) ? reply.send(value.value) : reply.type(operation.alsoText!).send(value.text())
    },
  }
}

function producesOf({ produces, alsoText }: CallOperation): { produces?: string[] } {
  if (alsoText) return { produces: ['application/json', alsoText] }
  return produces ? { produces: [produces] } : {}
}

const asksForJson = ({ headers: { accept = '' } }: FastifyRequest): boolean => /\bapplication\/json\b/i.test(accept)

const UNCHANGED = { type: 'null', description: 'The client has the list: If-None-Match names its ETag' }

function listRoute(app: FastifyInstance, operation: ListOperation, handler: Handler<ListOperation>): Route {
  return {
    schema: { response: { 200: listSchema(shapesOf(app)(operation.item), operation.cursors), 304: UNCHANGED } },
    compress: COMPRESSED,
    handler: async (request, reply) => {
      const query = request.query as PageQuery
      const page = pageOf(query, operation.largest)
      // Elsewhere, `after` and `before` have a meaning of the operation.
      const cursor = operation.cursors ? cursorOf(query, operation.largest, listName(operation, request)) : null
      const place = { page, cursor, part: cursor ?? page ?? {} }
      const found = await asActor(request.actor, () => handler({ ...askedOf(request), ...place } as never))
      return sendTagged(request, reply, pageAnswer(found, page))
    },
  }
}

function linesRoute(app: FastifyInstance, operation: LinesOperation, handler: Handler<LinesOperation>): Route {
  return {
    schema: {
      produces: ['application/x-ndjson'],
      response: { 200: { description: 'Events, one per line', type: 'string' } },
    },
    handler: async (request, reply) => {
      const asked = askedOf(request)
      const lines = app.streams.lines(reply)
      try {
        lines.write((await carryOut(app, operation, asked, () => handler(asked, lines.write as never))) as object)
      } catch (error) {
        if (!lines.begun) throw error
        lines.write({ type: 'error', problem: app.problemOf(error, request) })
      }
      lines.end()
      return reply
    },
  }
}

function eventsRoute(app: FastifyInstance, operation: EventsOperation, handler: Handler<EventsOperation>): Route {
  return {
    schema: { produces: ['text/event-stream'], response: { 200: shapesOf(app)(operation.event) } },
    handler: async (request, reply) => {
      app.streams.events(reply, handler(askedOf(request)) as never)
      return reply
    },
  }
}

function socketRoute(handler: SocketHandler<SocketOperation>): Route {
  return {
    preHandler: async (request) => handler.admit?.(askedOf(request)),
    handler: needsUpgrade,
    wsHandler: (socket, request) => handler.open(socket, askedOf(request)),
  }
}

async function needsUpgrade(_request: FastifyRequest, reply: FastifyReply): Promise<never> {
  void reply.header('upgrade', 'websocket')
  throw invalid('this address is a WebSocket: connect with a WebSocket client')
}
