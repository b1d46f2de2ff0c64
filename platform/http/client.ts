import type {
  BodyOf,
  CallOperation,
  CountsOf,
  EventOf,
  EventsOperation,
  ItemOf,
  LineOf,
  LinesOperation,
  ListOperation,
  Operation,
  OperationGroup,
  ParamsOf,
  QueryOf,
  ReplyOf,
} from '../../schemas/operations/operation.ts'
import type { Paged, Slice } from '../../schemas/operations/page.ts'

export interface Transport {
  /** Returns a successful response and throws for any other. No time-out if `endless`. */
  send(request: Outgoing): Promise<Answer>
  /** Creates the error for a problem inside an endless response. */
  refuse(problem: unknown, where: string): Error
  /** Creates the error for a response that is not JSON. */
  unreadable(text: string, where: string): Error
  /** Creates the error for an endless response that breaks off. */
  brokenOff(error: unknown, where: string): Error
}

export interface Answer {
  status: number
  /** An async iterable of bytes. */
  body: unknown
  text(): Promise<string>
}

export interface Outgoing {
  operation: Operation
  method: string
  path: string
  body: unknown
  headers: Readonly<Record<string, string>>
  endless: boolean
  signal: AbortSignal | undefined
}

interface Extras {
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}
type Part<Name extends string, T> = {} extends T ? { [N in Name]?: T } : { [N in Name]: T }
type BodyPart<O> = undefined extends BodyOf<O> ? { body?: BodyOf<O> } : { body: BodyOf<O> }
export type Input<O> = Part<'params', ParamsOf<O>> & Part<'query', QueryOf<O>> & BodyPart<O> & Extras
type Given<O, T = Input<O>> = {} extends Input<O> ? [input?: T] : [input: T]
type Listed<O, I> = [O, I] extends [{ cursors: object }, { query: { after: string } | { before: string } }]
  ? Slice<ItemOf<O>, CountsOf<O>>
  : I extends { query: { limit: number } } | { query: { offset: number } }
    ? Paged<ItemOf<O>>
    : ItemOf<O>[]

export type Call<O> = O extends CallOperation
  ? (...input: Given<O>) => Promise<ReplyOf<O>>
  : O extends ListOperation
    ? <I extends Input<O>>(...input: Given<O, I>) => Promise<Listed<O, I>>
    : O extends LinesOperation
      ? (...input: Given<O>) => AsyncGenerator<LineOf<O>>
      : O extends EventsOperation
        ? (...input: Given<O>) => AsyncGenerator<EventOf<O>>
        : (...input: Given<O>) => string

export type ClientOf<G extends OperationGroup> = { [Name in keyof G['operations']]: Call<G['operations'][Name]> }

/** Returns one function per operation; for a socket, it returns the path. */
export function createClient<G extends OperationGroup>(group: G, transport: Transport): ClientOf<G> {
  const calls = Object.entries(group.operations).map(([name, operation]) => [name, callOf(operation, transport)])
  return Object.fromEntries(calls) as ClientOf<G>
}

interface AnyInput extends Extras {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

function callOf(operation: Operation, transport: Transport): (input?: AnyInput) => unknown {
  const outgoing = (input: AnyInput, endless: boolean): Outgoing => ({
    operation,
    method: operation.method,
    path: pathOf(operation.path, input),
    body: input.body,
    headers: input.headers ?? {},
    endless,
    signal: input.signal,
  })
  switch (operation.kind) {
    case 'call':
    case 'list':
      return async (input = {}) => {
        const request = outgoing(input, false)
        return readReply(transport, request, await transport.send(request))
      }
    case 'lines':
      return (input = {}) => jsonLines(transport, outgoing(input, true))
    case 'events':
      return (input = {}) => serverEvents(transport, outgoing(input, true))
    case 'socket':
      return (input = {}) => pathOf(operation.path, input)
  }
}

export function pathOf(template: string, { params = {}, query = {} }: Pick<AnyInput, 'params' | 'query'>): string {
  const path = template.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(params[name] ?? '')))
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}

async function readReply(transport: Transport, request: Outgoing, response: Answer): Promise<unknown> {
  // An unread response would keep its connection open and a command from exiting.
  const text = await response.text()
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw transport.unreadable(text, `${request.method} ${request.path}`)
  }
}

async function* textLines(response: Answer): AsyncGenerator<string> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    const found = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = found.pop()!
    yield* found
  }
  if (rest !== '') yield rest
}

async function* jsonLines(transport: Transport, request: Outgoing): AsyncGenerator<any> {
  const where = `${request.method} ${request.path}`
  const response = await transport.send(request)
  const read = textLines(response)
  for (;;) {
    const next = await read.next().catch((error: unknown) => {
      throw transport.brokenOff(error, where)
    })
    if (next.done) return
    if (next.value.trim() === '') continue
    const value = JSON.parse(next.value) as { type?: string; problem?: unknown }
    if (value.type === 'error') throw transport.refuse(value.problem, where)
    yield value
  }
}

async function* serverEvents(transport: Transport, request: Outgoing): AsyncGenerator<any> {
  try {
    for await (const line of textLines(await transport.send(request)))
      if (line.startsWith('data:')) yield JSON.parse(line.slice(5))
  } catch (error) {
    if (!request.signal?.aborted) throw error
  }
}
