// Operations as values, from which routes, clients, commands and docs are derived.
import type { Static, TObject, TOptional, TProperties, TSchema } from 'typebox'
import * as Type from 'typebox'
import type { Role } from '../access/token.ts'
import type { Guard } from '../agent/guards.ts'
import type { Fault } from '../kind.ts'
import { cursorMembers, pageMembers, type CursorOptions } from './page.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Request after schema validation. */
export interface Asked {
  params: any
  query: any
  body: any
}

interface Common {
  /** `orchestrator.approve`: service and name. */
  id: string
  summary: string
  /** With `:name` for path parameters. */
  path: string
  params?: TObject
  query?: TObject
  /** Error statuses besides 400, 401, 403, 421, 500 and 503, which are always possible. */
  errors?: readonly number[]
  /** `token` (default): required if tokens are on; `open`: never; `own`: checked by the route. */
  auth?: 'token' | 'open' | 'own'
  /** Of a read. */
  identity?: Identity
  /** Minimum role if tokens are on. Default: operator for a write, viewer for a read. */
  role?: Role
}

/** `caller`: acts in the identity of the caller, proven by a token or its process. `none`: alike for all callers. */
export type Identity = 'caller' | 'none'

/**
 * A write has a guard and always acts in the caller's identity. A read declares its identity; with a guard it is the
 * caller's.
 */
type Acting =
  | { guard: Guard | 'none'; identity?: never }
  | { guard?: never; identity: Identity }
  | { guard: Guard; identity: 'caller' }

interface WithBody {
  method: Method
  /** Permission an agent needs in `may`; `none`: no permission. */
  guard?: Guard | 'none'
  /** Inside `Type.Optional` if it can be omitted. */
  body?: TSchema
  /** The body is read as bytes, whatever its type. */
  bytes?: boolean
  /** Maximum bytes of the body. Default 1 MiB. */
  bodyLimit?: number
  /** Paths of fields whose NUL and lone surrogates are reported as errors of the content. */
  anyText?: RegExp
  /** Status for an invalid body. Default 400. */
  faultStatus?: 422
  /** The path is stored even if nothing has that name, so it must not contain a secret of the calling agent. */
  storesPath?: boolean
  /** Returns all errors beyond the schema. Called once, before the handler. */
  check?(asked: Asked): Fault[] | Promise<Fault[]>
}

export interface CallOperation extends Common, WithBody {
  kind: 'call'
  /** Success statuses with their body; null: no body. */
  reply: Readonly<Partial<Record<200 | 201 | 202 | 204, TSchema | null>>>
  /** Content type of the response. Default application/json. */
  produces?: string
  /** Content type of a text response for clients that do not request JSON. */
  alsoText?: string
  /** A list in a form of its own: with an ETag, and compressed, as other lists. Its only status is 200. */
  tagged?: true
  /** A non-GET operation that changes nothing: not audited. */
  readOnly?: boolean
  /** True for a request that changes nothing, such as a dry run: it needs no guard and is not audited. The body may be invalid. */
  changesNothing?(asked: Asked): boolean
  /** Adds data: refused while the disk is nearly full. Default: whether it replies 201. */
  adds?: boolean
}

/** An array, a page if `limit` or `offset` is given, or a slice if `after` or `before` is given. */
export interface ListOperation extends Common {
  kind: 'list'
  method: 'GET'
  item: TSchema
  /** Maximum items of a page. Default 200. */
  largest?: number
  /** The list also pages by `after` and `before`. */
  cursors?: CursorOptions
}

/** A response of JSON lines; the last one is the result. */
export interface LinesOperation extends Common, WithBody {
  kind: 'lines'
  line: TSchema
}

/** An endless stream of server-sent events. */
export interface EventsOperation extends Common {
  kind: 'events'
  method: 'GET'
  event: TSchema
}

/** A WebSocket with JSON text frames. */
export interface SocketOperation extends Common {
  kind: 'socket'
  method: 'GET'
  sends: TSchema
  /** A page sends the key of its session in the first frame, which the handler verifies. Otherwise it cannot connect. */
  keyInFrame?: boolean
  /** Refuses agents of another OS user. */
  ownUser?: boolean
}

export type Operation = CallOperation | ListOperation | LinesOperation | EventsOperation | SocketOperation

/** `GET /agents/:id` */
export type Endpoint = `${Method} /${string}`

type Given<O extends Operation> = Omit<O, 'kind' | 'id' | 'method' | 'path' | 'guard' | 'identity'> & Acting

function splitEndpoint(endpoint: Endpoint): { method: Method; path: string } {
  const [method, path] = endpoint.split(' ') as [Method, string]
  return { method, path }
}

export const operation = <const O extends Given<CallOperation>>(id: string, endpoint: Endpoint, given: O) =>
  ({ kind: 'call', id, ...splitEndpoint(endpoint), ...given }) as const

/** Reads one record; 404 if missing. */
export const one = <const Params extends TObject, const Item extends TSchema>(
  id: string,
  path: string,
  { item, ...given }: { identity: Identity; summary: string; params: Params; item: Item },
) => ({ kind: 'call', id, method: 'GET', path, ...given, reply: { 200: item }, errors: [404] }) as const

export function list<const O extends Given<ListOperation>>(id: string, path: string, given: O) {
  const query = Type.Object({ ...given.query?.properties, ...pageMembers, ...(given.cursors ? cursorMembers : {}) })
  return { kind: 'list', id, method: 'GET', path, ...given, query } as unknown as Listed<O>
}

type Listed<O> = Omit<O, 'query'> & {
  readonly kind: 'list'
  readonly id: string
  readonly method: 'GET'
  readonly path: string
  readonly query: TObject<QueryMembers<O> & typeof pageMembers & CursorMembers<O>>
}
type QueryMembers<O> = O extends { query: TObject<infer Members extends TProperties> } ? Members : {}
type CursorMembers<O> = O extends { cursors: object } ? typeof cursorMembers : {}

export const lines = <const O extends Given<LinesOperation>>(id: string, endpoint: Endpoint, given: O) =>
  ({ kind: 'lines', id, ...splitEndpoint(endpoint), ...given }) as const

export const events = <const O extends Given<EventsOperation>>(id: string, path: string, given: O) =>
  ({ kind: 'events', id, method: 'GET', path, ...given }) as const

export const socket = <const O extends Given<SocketOperation>>(id: string, path: string, given: O) =>
  ({ kind: 'socket', id, method: 'GET', path, ...given }) as const

export interface Mount {
  service: string
  path: string
}

/** What addresses a group needs to be found. */
export type Placed = Pick<OperationGroup, 'service' | 'port' | 'mount'>

/** The service whose port is used. */
export const portOwner = ({ service, port, mount }: Placed): { service: string; port: number } => ({
  service: mount?.service ?? service,
  port,
})

/** Address at a port of this machine. */
export const localUrl = ({ mount }: Placed, port: number): string => `http://127.0.0.1:${port}${mount?.path ?? ''}`

/** Operations of a service, its name and development port (production: 10000 less). */
export interface OperationGroup {
  service: string
  port: number
  /** The service whose port serves the group, and the path there: `/api`. Default: the group has its own port. */
  mount?: Mount
  operations: Readonly<Record<string, Operation>>
}

/** Throws unless each id is `<service>.<name>`: ids are stored in audit records and must be stable. */
export function operations<const Operations extends Readonly<Record<string, Operation>>>(
  about: Placed,
  members: Operations,
): Placed & { operations: Operations } {
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
export type CountsOf<O> = O extends { cursors: { counts: infer S extends TSchema } } ? Static<S> : unknown
export type LineOf<O> = O extends { line: infer S extends TSchema } ? Static<S> : never
export type EventOf<O> = O extends { event: infer S extends TSchema } ? Static<S> : never
/** Response type of a successful call. */
export type ReplyOf<O> = O extends { reply: infer Replies }
  ? { [Status in keyof Replies]: Replies[Status] extends TSchema ? Static<Replies[Status]> : undefined }[keyof Replies]
  : never

/** `GET /agents/{id}`, as in docs and records. */
export const endpointOf = ({ method, path }: Pick<Operation, 'path'> & { method: string }): string =>
  `${method} ${path.replace(/:(\w+)/g, '{$1}')}`

export const isWrite = (operation: Operation): boolean =>
  operation.kind === 'lines'
    ? operation.method !== 'GET'
    : operation.method !== 'GET' && !('readOnly' in operation && operation.readOnly)

export const identityOf = (operation: Operation): Identity =>
  isWrite(operation) ? 'caller' : (operation.identity ?? 'none')

export const isAddition = (operation: Operation): boolean =>
  operation.kind === 'call' && isWrite(operation) && (operation.adds ?? 201 in operation.reply)
