// The commands' way to a service: its typed client over HTTP, with errors in words a person can act on.
import { createClient, type ClientOf, type Outgoing } from '../platform/http/client.ts'
import type { OperationGroup } from '../schemas/operations/operation.ts'
import type { ProblemBody } from '../schemas/problem.ts'
import { addressOf, type Address } from './address.ts'
import { Failure } from './failure.ts'
import { actor, variable } from './settings.ts'

export interface ClientOptions {
  url?: string
  /** Longest wait for an answer; default 60 s. Streams have none. */
  timeoutMs?: number
}

/** One function an operation; each throws a Failure that says what was refused and what to do next. */
export function connect<G extends OperationGroup>(group: G, options: ClientOptions = {}): ClientOf<G> {
  const address = addressOf(group, options.url)
  return createClient(group, {
    send: (outgoing) => send(address, outgoing, options.timeoutMs ?? 60_000),
    refuse: (problem, where) => problemFailure(problem as Partial<ProblemBody>, where),
    unreadable: (text, where) =>
      new Failure(`the answer is not JSON: ${text.slice(0, 80)}`, {
        where,
        hint: 'is it a daemon of this program that listens there? Check --url',
      }),
    brokenOff: (error, where) =>
      new Failure('the daemon broke its answer off', {
        where,
        hint: 'see "svc history" for how far it came',
        cause: error,
      }),
  })
}

/** Who asks, for a request or an upgrade; within an agent's session, which agent's. */
export function headers(): Record<string, string> {
  const token = variable('SVC_TOKEN')
  const name = actor()
  // A header carries ASCII only.
  const shown = /^[\x20-\x7e]+$/.test(name) ? name : encodeURIComponent(name)
  const agent = variable('SVC_AGENT_ID')
  return {
    'X-Svc-Actor': shown,
    ...(agent ? { 'X-Svc-Agent': agent } : {}),
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  }
}

async function send(address: Address, outgoing: Outgoing, timeoutMs: number): Promise<Response> {
  const { method, path, body, endless } = outgoing
  const limits = [...(endless ? [] : [AbortSignal.timeout(timeoutMs)]), ...(outgoing.signal ? [outgoing.signal] : [])]
  let response: Response
  try {
    response = await fetch(address.base + path, {
      method,
      headers: {
        Accept: 'application/json',
        ...headers(),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...outgoing.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any(limits),
    })
  } catch (error) {
    throw unreachable(address, error)
  }
  if (!response.ok) throw await refusal(response, `${method} ${path}`)
  return response
}

/** Nobody answers: says where it looked and how to start one. */
export function unreachable(address: Address, error: unknown): Failure {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new Failure(`the daemon at ${address.base} did not answer in time`, {
      hint: 'look at its log, or try again',
      cause: error,
    })
  }
  const code = cause?.code ?? ''
  const reason = ['', 'ECONNREFUSED'].includes(code) ? '' : `: ${code}`
  return new Failure(`no daemon answers at ${address.base}${reason}`, {
    where: `address from ${address.from}`,
    hint: 'start one with "svc serve --manifests DIR" (or npm start), or name another with --url',
    code: 'unreachable',
    cause: error,
  })
}

const HINTS: Record<number, string> = {
  401: 'set SVC_TOKEN to a token of this daemon; its user makes one with "svc token create NAME"',
  403: 'ask with a token or an actor (SVC_ACTOR) that may do this',
  404: 'look the name or id up with list-agents, list-workflows or "svc get"',
  409: 'look at the present state, then try again',
  413: 'send less at once',
  421: 'use the name the daemon answers to, such as 127.0.0.1',
  500: 'look at the log of the daemon for the request id',
  503: 'try again in a moment',
}

const CODE_HINTS: Partial<Record<string, string>> = {
  'agent-may-not': 'let a person do it outside of the agent’s session, or add the word to "may" in its manifest',
}

/** A problem+json answer as a failure. */
async function refusal(response: Response, where: string): Promise<Failure> {
  const text = await response.text().catch(() => '')
  let problem: Partial<ProblemBody> = {}
  try {
    problem = JSON.parse(text) as Partial<ProblemBody>
  } catch {
    problem = { detail: text.slice(0, 200) }
  }
  return problemFailure({ ...problem, status: response.status }, where, response.statusText)
}

export function problemFailure(problem: Partial<ProblemBody>, where: string, fallback = 'the daemon refused'): Failure {
  const status = problem.status ?? 500
  const fields = (problem.errors ?? [])
    .filter((entry) => !problem.detail?.includes(entry.message))
    .map((entry) => `\n  ${entry.path}: ${entry.message}`)
  const request = status === 500 && problem.request_id ? `, request ${problem.request_id}` : ''
  return new Failure(`${problem.detail || problem.title || fallback}${fields.join('')}`, {
    where: `${where}: ${status}${request}`,
    hint: CODE_HINTS[problem.code ?? ''] ?? HINTS[status],
    exit: status === 409 ? 'conflict' : 'error',
    status,
  })
}
