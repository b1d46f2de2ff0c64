// Calls between services on behalf of the original caller: within one process as a value, between processes over HTTP.
import { randomUUID } from 'node:crypto'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Method, OperationGroup } from '../../schemas/operations/operation.ts'
import { PROBLEM_CODES, TITLES, type ProblemBody, type ProblemCode, type ProblemStatus } from '../../schemas/problem.ts'
import { asActor, currentActor, ownActor, type Actor } from '../core/actor.ts'
import { inWriteTransaction } from '../database/database.ts'
import { createClient, type Answer, type ClientOf, type Outgoing, type Transport } from '../http/client.ts'
import { callerHeaders } from '../http/service-callers.ts'
import type { HttpServer } from '../http/server.ts'
import { Problem, unavailable } from '../core/problem.ts'
import type { RefusedCalls } from './refused-calls.ts'

const TIMEOUT_MS = 10_000
const ATTEMPTS = 3
const FIRST_WAIT_MS = 50
const IDEMPOTENT = new Set(['GET', 'PUT', 'DELETE'])

export interface SiblingOptions {
  /** Actor of calls without an original caller. */
  self: string
  /** The server of a service in this process; null for one in another process. */
  serverOf?(group: OperationGroup): Pick<HttpServer, 'inject'> | null
  addressOf(group: OperationGroup): string
  /** Proves to another process that the headers name the original caller. */
  serviceToken: string
  /** Bearer token for a service that does not know the service token. */
  token: string | null
  refused: RefusedCalls
  /** Time-out in milliseconds. Default 10 s. */
  timeoutMs?: number
  stopping?: AbortSignal
  /** Hands on requests of the current caller: without `token`, and once. */
  forwards?: boolean
}

/**
 * Creates a typed client that forwards request id and actor. Retries only GET, PUT, DELETE, or with `Idempotency-Key`.
 * Rethrows the sibling's Problem; a sibling that is down or refuses the service is a 503 (`stopping` if this daemon
 * stops). Throws inside a write transaction, which would hold the database.
 */
export function callSibling<G extends OperationGroup>(group: G, options: SiblingOptions): ClientOf<G> {
  const transport: Transport = {
    send: (outgoing) => {
      if (inWriteTransaction()) throw new Error(`${outgoing.operation.id} is called inside a write transaction`)
      return sendPersistently(group, outgoing, options)
    },
    refuse: (problem) => problemOf(problem as Partial<ProblemBody>),
    unreadable: (_text, where) => unavailable(`the ${group.service} service sent invalid JSON (${where})`),
    brokenOff: (error, where) =>
      unavailable(`the ${group.service} service aborted its response (${where})`, undefined, error),
  }
  return createClient(group, transport)
}

interface Sending {
  group: OperationGroup
  outgoing: Outgoing
  options: SiblingOptions
  by: Actor
}

async function sendPersistently(group: OperationGroup, outgoing: Outgoing, options: SiblingOptions): Promise<Answer> {
  const mayRepeat = !options.forwards && (IDEMPOTENT.has(outgoing.method) || 'Idempotency-Key' in outgoing.headers)
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce(group, outgoing, options)
    } catch (error) {
      if (options.stopping?.aborted && isPassing(error)) throw unavailable('the daemon is stopping', 'stopping', error)
      if (!mayRepeat || attempt === ATTEMPTS || !isPassing(error)) throw error
      await sleep(FIRST_WAIT_MS * 2 ** attempt)
    }
  }
}

const isPassing = (error: unknown): boolean => error instanceof Problem && error.status === 503

async function sendOnce(group: OperationGroup, outgoing: Outgoing, options: SiblingOptions): Promise<Answer> {
  const by = currentActor() ?? ownActor(options.self, randomUUID())
  const server = options.serverOf?.(group) ?? null
  const sending = { group, outgoing, options, by }
  const response = server === null ? await sendOverHttp(sending) : await dispatch(server, sending)
  if (response.status < 400) {
    options.refused.clear(group.service)
    return response
  }
  const problem = problemOf({ ...parseProblem(await response.text()), status: response.status })
  throw problem.status === 401 && OF_A_TOKEN.has(problem.code) ? refusal(problem, sending) : problem
}

const OF_A_TOKEN = new Set<ProblemCode>(['token-missing', 'token-unknown'])

/** The service token was not accepted, so the original caller is not at fault. */
function refusal(problem: Problem, { group, options }: Sending): Problem {
  return unavailable(options.refused.add(group.service, options.addressOf(group)), undefined, problem)
}

async function sendOverHttp({ group, outgoing, options, by }: Sending): Promise<Answer> {
  const limits = outgoing.endless ? [] : [AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)]
  const at = options.addressOf(group)
  return fetch(at + outgoing.path, {
    method: outgoing.method,
    headers: {
      ...commonHeaders(by, outgoing),
      ...callerHeaders(by, options.serviceToken),
      ...(options.token === null || options.forwards ? {} : { authorization: `Bearer ${options.token}` }),
      ...outgoing.headers,
    },
    ...(outgoing.body === undefined ? {} : { body: JSON.stringify(outgoing.body) }),
    signal: AbortSignal.any([...limits, ...(outgoing.signal ? [outgoing.signal] : [])]),
  }).catch((error: unknown) => {
    throw unavailable(`the ${group.service} service does not answer at ${at}: is it running?`, undefined, error)
  })
}

/** The server takes the caller from the context of the call. */
async function dispatch(server: Pick<HttpServer, 'inject'>, sending: Sending): Promise<Answer> {
  const { group, outgoing, options, by } = sending
  const limit = new Limit(outgoing, options.timeoutMs)
  const request = {
    method: outgoing.method as Method,
    url: outgoing.path,
    headers: { ...commonHeaders(by, outgoing), ...outgoing.headers },
    ...(outgoing.body === undefined ? {} : { payload: JSON.stringify(outgoing.body) }),
    payloadAsStream: outgoing.endless,
    signal: limit.signal,
  }
  const response = await asActor(by, async () => server.inject(request))
    .catch((error: unknown) => {
      throw unavailable(`the ${group.service} service did not answer`, undefined, error)
    })
    .finally(() => limit.end())
  const text = async () => (outgoing.endless ? readText(response.stream()) : response.payload)
  return { status: response.statusCode, body: outgoing.endless ? response.stream() : null, text }
}

/**
 * Aborts with the caller's signal, or after the time-out. The request keeps its listener, and Node keeps joined signals
 * with a listener for ever if the time-out is collected first.
 */
class Limit {
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout | undefined
  readonly #caller: AbortSignal | undefined
  readonly #abort = () => this.#controller.abort(this.#caller?.reason)

  constructor({ endless, signal }: Outgoing, timeoutMs = TIMEOUT_MS) {
    this.#caller = signal
    this.#timer = endless ? undefined : setTimeout(this.#abort, timeoutMs)
    if (signal?.aborted) this.#abort()
    else signal?.addEventListener('abort', this.#abort, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** An endless request goes on with the caller's signal. */
  end(): void {
    clearTimeout(this.#timer)
    if (this.#timer !== undefined) this.#caller?.removeEventListener('abort', this.#abort)
  }
}

const commonHeaders = ({ requestId }: Actor, { body }: Outgoing): Record<string, string> => ({
  accept: 'application/json',
  'x-request-id': requestId,
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
})

function parseProblem(text: string): Partial<ProblemBody> {
  try {
    return JSON.parse(text) as Partial<ProblemBody>
  } catch {
    return {}
  }
}

function problemOf({ status = 500, code = '', detail, errors, ...rest }: Partial<ProblemBody>): Problem {
  const known = (status in TITLES ? status : 500) as ProblemStatus
  const common = { errors, retrySecs: rest.retry_after_secs }
  const options = code in PROBLEM_CODES ? { ...common, code: code as ProblemCode } : common
  return new Problem(known, detail ?? TITLES[known], options)
}
