// The commands' way to a service: its typed client over HTTP, with errors in words a person can act on.
import { typed } from './command-line.ts'
import { createClient, type ClientOf, type Outgoing } from '../platform/http/client.ts'
import type { OperationGroup } from '../schemas/operations/operation.ts'
import type { ProblemBody } from '../schemas/problem.ts'
import { addressOf, type Address } from './address.ts'
import { Failure } from './failure.ts'
import { sendRequest, type HttpAnswer } from './http-request.ts'
import { actor, config, variable } from './settings.ts'

export interface ClientOptions {
  url?: string
  /** Longest wait for an answer; default 60 s. Streams have none. */
  timeoutMs?: number
}

/** One function an operation; each throws a Failure that says what was refused and what to do next. */
export function connect<G extends OperationGroup>(group: G, options: ClientOptions = {}): ClientOf<G> {
  const address = addressOf(group, options.url)
  return createClient(group, {
    send: (outgoing) => send(address, outgoing, group, options.timeoutMs ?? 60_000),
    refuse: (problem, where) => problemFailure(problem as Partial<ProblemBody>, { service: group.service, where }),
    unreadable: (text, where) =>
      new Failure(`the answer is not JSON: ${text.slice(0, 80)}`, {
        where,
        hint: 'is it a daemon of this program that listens there? Check --url',
      }),
    brokenOff: (error, where) =>
      new Failure('the daemon broke its answer off', {
        where,
        hint: `see "${typed`svc history`}" for how far it came`,
        cause: error,
      }),
  })
}

/** Services that let the person at the machine look into everything: asked under this name unless told another. */
const OPERATED: ReadonlySet<string> = new Set(['communicate'])

/** Who asks, for a request or an upgrade; within an agent's session, which agent's. */
export function headers({ service }: Pick<OperationGroup, 'service'>): Record<string, string> {
  const token = variable('SVC_TOKEN')
  const name = OPERATED.has(service) ? (variable('SVC_ACTOR') ?? 'operator') : actor()
  // A header carries ASCII only.
  const shown = /^[\x20-\x7e]+$/.test(name) ? name : encodeURIComponent(name)
  const agent = variable('SVC_AGENT_ID')
  return {
    'X-Svc-Actor': shown,
    ...(agent ? { 'X-Svc-Agent': agent } : {}),
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  }
}

async function send(
  address: Address,
  { method, path, body, endless, headers: more, signal }: Outgoing,
  group: OperationGroup,
  timeoutMs: number,
): Promise<HttpAnswer> {
  const limits = [...(endless ? [] : [AbortSignal.timeout(timeoutMs)]), ...(signal ? [signal] : [])]
  const answer = await sendRequest(address.base + path, {
    method,
    headers: {
      Accept: 'application/json',
      ...headers(group),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...more,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.any(limits),
  }).catch((error: unknown) => {
    throw unreachable(address, error)
  })
  if (!answer.ok) throw await refusal(answer, { service: group.service, where: `${method} ${path}` })
  return answer
}

/** A daemon of another home folder is not found by its runtime file. */
const elsewhere = ({ from }: Address): string =>
  from === 'the default port'
    ? `; one that runs with another HOME or SVC_DATA_DIR is found with the same here: ${config().runtimeFile} is not there`
    : ''

/** Nobody answers: says where it looked and how to start one. */
export function unreachable(address: Address, error: unknown): Failure {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new Failure(`the daemon at ${address.base} did not answer in time`, {
      hint: 'look at its log, or try again',
      cause: error,
    })
  }
  const { code = '' } = error as { code?: string }
  const reason = ['', 'ECONNREFUSED'].includes(code) ? '' : `: ${code}`
  return new Failure(`no daemon answers at ${address.base}${reason}`, {
    where: `address from ${address.from}`,
    hint: `start one with "${typed`svc serve --manifests DIR`}" (or npm start), or name another with --url${elsewhere(address)}`,
    code: 'unreachable',
    cause: error,
  })
}

const HINTS: Readonly<Record<number, string>> = {
  403: 'ask with a token or an actor (SVC_ACTOR) that may do this',
  409: 'look at the present state, then try again',
  413: 'send less at once',
  421: 'use the name the daemon answers to, such as 127.0.0.1',
  500: 'look at the log of the daemon for the request id',
  503: 'try again in a moment',
}

function hintOf(status: number, service: string): string | undefined {
  if (status === 401)
    return `set SVC_TOKEN to a token of this daemon; its user makes one with "${typed`svc token create NAME`}"`
  if (status !== 404) return HINTS[status]
  if (service === 'controller')
    return `"${typed`svc get all`}" lists the resources, "${typed`svc sources`}" the sources, "${typed`svc history`}" the runs`
  if (service === 'orchestrator')
    return `"${typed`agent orchestrator list-agents`}" and "${typed`agent orchestrator list-workflows`}" list what there is`
  return `"${typed`agent ${service === 'docstore' ? 'doc' : service} --help`}" names the command that lists what there is`
}

const CODE_HINTS: Partial<Record<string, string>> = {
  'managed-by-manifest': 'change it in that file and save; while its source is suspended, hands are let through',
  'no-revisions':
    'undo the change where it was made and save it; git revert does so, and a git source keeps what it applied',
  'agent-may-not': 'let a person do it outside of the agent’s session, or add the word to "may" in its manifest',
}

/** Ids by the first characters, which every command takes. */
const short = (text: string): string =>
  text.replace(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '$1')

interface Asked {
  service: string
  /** Method and path. */
  where: string
}

/** A problem+json answer as a failure. */
async function refusal(answer: HttpAnswer, asked: Asked): Promise<Failure> {
  const text = await answer.text().catch(() => '')
  let problem: Partial<ProblemBody> = {}
  try {
    problem = JSON.parse(text) as Partial<ProblemBody>
  } catch {
    problem = { detail: answer.location ? `it answers somewhere else: ${answer.location}` : text.slice(0, 200) }
  }
  return problemFailure({ ...problem, status: answer.status }, asked, answer.reason)
}

export function problemFailure(
  problem: Partial<ProblemBody>,
  { service, where }: Asked,
  fallback = 'the daemon refused',
): Failure {
  const status = problem.status ?? 500
  const fields = (problem.errors ?? [])
    .filter((entry) => !problem.detail?.includes(entry.message))
    .map((entry) => `\n  ${entry.path}: ${entry.message}`)
  const request = status === 500 && problem.request_id ? `, request ${problem.request_id}` : ''
  return new Failure(short(`${problem.detail || problem.title || fallback}${fields.join('')}`), {
    where: `${short(where)}: ${status}${request}`,
    hint: CODE_HINTS[problem.code ?? ''] ?? hintOf(status, service),
    exit: status === 409 ? 'conflict' : 'error',
    code: problem.code,
  })
}
