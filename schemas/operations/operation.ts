// What can be asked of a service, as a value: the route, the typed client, the command and the documentation come
// from it.
import type { Static, TObject, TOptional, TProperties, TSchema } from 'typebox'
import * as Type from 'typebox'
import type { Guard } from '../agent/guards.ts'
import type { Fault } from '../kind.ts'
import { pageMembers } from './page.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a handler's own checks see: the request once its shape is right. */
export interface Asked {
  params: any
  query: any
  body: any
}

interface Common {
  /** `orchestrator.approve`: the service and the name of the operation within it. */
  id: string
  summary: string
  /** With `:name` for a path parameter. */
  path: string
  params?: TObject
  query?: TObject
  /** Statuses it answers beside the successful ones, and 400, 401, 403, 421, 500 and 503, which any may answer. */
  errors?: readonly number[]
  /** `token` (default): a token is asked for where tokens are on; `open`: never; `own`: the route asks by itself. */
  auth?: 'token' | 'open' | 'own'
  /** What comes of it depends on who asks: that is found out by the connection, also of a read. */
  personal?: boolean
  /** The least role a write takes when tokens are on. Default operator. */
  role?: 'operator' | 'admin'
}

interface WithBody {
  method: Method
  /** What an agent's `may` must hold before it may ask for this; `none`: nothing. Every write says one of them. */
  guard?: Guard | 'none'
  /** Inside `Type.Optional` when it may be left out. */
  body?: TSchema
  /** The body is taken as bytes, whatever its type. */
  bytes?: boolean
  /** Most bytes of the body. Default 1 MiB. */
  bodyLimit?: number
  /** Strings of the body may hold NUL and halves of surrogate pairs: they are told as faults of what is sent. */
  anyText?: boolean
  /** What a body of another shape is answered with. Default 400. */
  faultStatus?: 422
  /** Returns all faults that a schema cannot describe. Called once per request, before the handler. */
  check?(asked: Asked): Fault[] | Promise<Fault[]>
}

/** One request, one answer. */
export interface CallOperation extends Common, WithBody {
  kind: 'call'
  /** Successful statuses with what each answers; null: no body. */
  reply: Readonly<Partial<Record<200 | 201 | 202 | 204, TSchema | null>>>
  /** Content type of the answer. Default application/json. */
  produces?: string
  /** Content type of the text that is answered where nobody asks for JSON. */
  alsoText?: string
  /** Changes nothing, although it is no GET: no audit row is kept of it. */
  readOnly?: boolean
}

/** A list: an array, or a page of it when `limit` or `offset` is given. */
export interface ListOperation extends Common {
  kind: 'list'
  method: 'GET'
  item: TSchema
  /** Most items of a page. Default 200. */
  largest?: number
}

/** A request whose answer comes line by line, each a JSON value; the last says how it ended. */
export interface LinesOperation extends Common, WithBody {
  kind: 'lines'
  line: TSchema
}

/** Server-sent events, without end. */
export interface EventsOperation extends Common {
  kind: 'events'
  method: 'GET'
  event: TSchema
}

/** A WebSocket; frames are JSON text. */
export interface SocketOperation extends Common {
  kind: 'socket'
  method: 'GET'
  /** What the server sends. */
  sends: TSchema
}

export type Operation = CallOperation | ListOperation | LinesOperation | EventsOperation | SocketOperation

/** `GET /agents/:id` */
export type Endpoint = `${Method} /${string}`

/** What an operation says beside its id and its endpoint. */
type Given<O extends Operation> = Omit<O, 'kind' | 'id' | 'method' | 'path'>

function splitEndpoint(endpoint: Endpoint): { method: Method; path: string } {
  const [method, path] = endpoint.split(' ') as [Method, string]
  return { method, path }
}

export const operation = <const O extends Given<CallOperation>>(id: string, endpoint: Endpoint, given: O) =>
  ({ kind: 'call', id, ...splitEndpoint(endpoint), ...given }) as const

/** Reads the record that a path names; 404 where there is none. */
export const one = <const Params extends TObject, const Item extends TSchema>(
  id: string,
  path: string,
  { summary, params, item }: { summary: string; params: Params; item: Item },
) => ({ kind: 'call', id, method: 'GET', path, summary, params, reply: { 200: item }, errors: [404] }) as const

export function list<const O extends Given<ListOperation>>(id: string, path: string, given: O) {
  const query = Type.Object({ ...given.query?.properties, ...pageMembers })
  return { kind: 'list', id, method: 'GET', path, ...given, query } as unknown as Listed<O>
}

type Listed<O> = Omit<O, 'query'> & {
  readonly kind: 'list'
  readonly id: string
  readonly method: 'GET'
  readonly path: string
  readonly query: TObject<QueryMembers<O> & typeof pageMembers>
}
type QueryMembers<O> = O extends { query: TObject<infer Members extends TProperties> } ? Members : {}

export const lines = <const O extends Given<LinesOperation>>(id: string, endpoint: Endpoint, given: O) =>
  ({ kind: 'lines', id, ...splitEndpoint(endpoint), ...given }) as const

export const events = <const O extends Given<EventsOperation>>(id: string, path: string, given: O) =>
  ({ kind: 'events', id, method: 'GET', path, ...given }) as const

export const socket = <const O extends Given<SocketOperation>>(id: string, path: string, given: O) =>
  ({ kind: 'socket', id, method: 'GET', path, ...given }) as const

/** All operations of a service, with the name and the development port it has (production: 10000 less). */
export interface OperationGroup {
  service: string
  port: number
  operations: Readonly<Record<string, Operation>>
}

/** Throws when an operation's id is not `<service>.<its name here>`: ids stand in records and must not wander. */
export function operations<const Operations extends Readonly<Record<string, Operation>>>(
  about: { service: string; port: number },
  members: Operations,
): { service: string; port: number; operations: Operations } {
  for (const [name, { id }] of Object.entries<Operation>(members)) {
    if (id !== `${about.service}.${name}`) throw new Error(`operation ${id} is listed as ${about.service}.${name}`)
  }
  return { ...about, operations: members }
}

type StaticOf<S> =
  S extends TOptional<infer Inner extends TSchema>
    ? Static<Inner> | undefined
    : S extends TSchema
      ? Static<S>
      : undefined

export type ParamsOf<O> = O extends { params: infer S } ? StaticOf<S> : {}
export type QueryOf<O> = O extends { query: infer S } ? StaticOf<S> : {}
export type BodyOf<O> = O extends { body: infer S } ? StaticOf<S> : undefined
export type ItemOf<O> = O extends { item: infer S extends TSchema } ? Static<S> : never
export type LineOf<O> = O extends { line: infer S extends TSchema } ? Static<S> : never
export type EventOf<O> = O extends { event: infer S extends TSchema } ? Static<S> : never
/** What a successful call answers, whichever its status. */
export type ReplyOf<O> = O extends { reply: infer Replies }
  ? { [Status in keyof Replies]: Replies[Status] extends TSchema ? Static<Replies[Status]> : undefined }[keyof Replies]
  : never

/** `GET /agents/{id}`: how documents and records name it. */
export const endpointOf = ({ method, path }: Pick<Operation, 'path'> & { method: string }): string =>
  `${method} ${path.replace(/:(\w+)/g, '{$1}')}`

export const isWrite = (operation: Operation): boolean =>
  operation.kind === 'lines'
    ? operation.method !== 'GET'
    : operation.method !== 'GET' && !('readOnly' in operation && operation.readOnly)
