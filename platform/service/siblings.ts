// Calls between services over HTTP, on behalf of the original caller.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationGroup } from '../../schemas/operations/operation.ts'
import { PROBLEM_CODES, TITLES, type ProblemBody, type ProblemCode, type ProblemStatus } from '../../schemas/problem.ts'
import { currentActor, ownActor } from '../core/actor.ts'
import { inWriteTransaction } from '../database/database.ts'
import { createClient, type ClientOf, type Outgoing, type Transport } from '../http/client.ts'
import { Problem, unavailable } from '../core/problem.ts'

const TIMEOUT_MS = 10_000
const ATTEMPTS = 3
const FIRST_WAIT_MS = 50
const IDEMPOTENT = new Set(['GET', 'PUT', 'DELETE'])

export interface SiblingOptions {
  /** Actor of calls without an original caller. */
  self: string
  addressOf(group: OperationGroup): string
  token: string | null
  /** Time-out in milliseconds. Default 10 s. */
  timeoutMs?: number
  stopping?: AbortSignal
}

/**
 * Creates a typed client that forwards request id and actor. An empty header value removes the header. Retries only
 * GET, PUT, DELETE, or with `Idempotency-Key`. Rethrows the sibling's Problem; a sibling that is down is a 503
 * (`stopping` if this daemon stops). Throws inside a write transaction, which would hold the database.
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

async function sendPersistently(group: OperationGroup, outgoing: Outgoing, options: SiblingOptions): Promise<Response> {
  const mayRepeat = IDEMPOTENT.has(outgoing.method) || 'Idempotency-Key' in outgoing.headers
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

async function sendOnce(group: OperationGroup, outgoing: Outgoing, options: SiblingOptions): Promise<Response> {
  const by = currentActor() ?? ownActor(options.self, randomUUID())
  const limits = outgoing.endless ? [] : [AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)]
  const headers = {
    accept: 'application/json',
    'x-request-id': by.requestId,
    ...(by.agent === undefined ? { 'x-svc-actor': by.actor } : { 'x-svc-agent': by.agent }),
    ...(options.token === null ? {} : { authorization: `Bearer ${options.token}` }),
    ...(outgoing.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...outgoing.headers,
  }
  const response = await fetch(options.addressOf(group) + outgoing.path, {
    method: outgoing.method,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
    ...(outgoing.body === undefined ? {} : { body: JSON.stringify(outgoing.body) }),
    signal: AbortSignal.any([...limits, ...(outgoing.signal ? [outgoing.signal] : [])]),
  }).catch((error: unknown) => {
    const at = options.addressOf(group)
    throw unavailable(`the ${group.service} service does not answer at ${at}: is it running?`, undefined, error)
  })
  if (response.ok) return response
  const body: unknown = await response.json().catch(() => ({}))
  throw problemOf({ ...(body as Partial<ProblemBody>), status: response.status })
}

function problemOf({ status = 500, code = '', detail, errors }: Partial<ProblemBody>): Problem {
  const known = (status in TITLES ? status : 500) as ProblemStatus
  const options = code in PROBLEM_CODES ? { code: code as ProblemCode, errors } : { errors }
  return new Problem(known, detail ?? TITLES[known], options)
}
