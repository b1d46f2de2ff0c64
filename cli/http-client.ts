import { typed } from './command-line.ts'
import { createClient, type ClientOf, type Outgoing } from '../platform/http/client.ts'
import type { OperationGroup } from '../schemas/operations/operation.ts'
import type { ProblemBody } from '../schemas/problem.ts'
import { addressOf, DEFAULT_PORT, isAnyPort, type Address } from './address.ts'
import { Failure } from './failure.ts'
import { sendRequest, type HttpAnswer } from './http-request.ts'
import { actor, config, variable } from './settings.ts'

export interface ClientOptions {
  url?: string
  /** Time-out of a response in ms; default 60 s. Streams have none. */
  timeoutMs?: number
  /** Additional headers of every request. */
  headers?: Readonly<Record<string, string>>
}

/** Returns a client with one function per operation; each throws a Failure with a hint. */
export function connect<G extends OperationGroup>(group: G, options: ClientOptions = {}): ClientOf<G> {
  const address = addressOf(group, options.url)
  return createClient(group, {
    send: (outgoing) => send(address, outgoing, group, options),
    refuse: (problem, where) => problemFailure(problem as Partial<ProblemBody>, { service: group.service, where }),
    unreadable: (text, where) =>
      new Failure(`the response is not JSON: ${text.slice(0, 80)}`, {
        where,
        hint: 'check that --url is the address of an svc daemon',
      }),
    brokenOff: (error, where) =>
      new Failure('the daemon closed the connection before the response was complete', {
        where,
        hint: `run "${typed`svc history`}" to see how far it got`,
        cause: error,
      }),
  })
}

/** Services in which the local operator can see everything. */
const OPERATED: ReadonlySet<string> = new Set(['communicate'])

/** Headers that identify the caller; in an agent's session, the agent. */
export function headers({ service }: Pick<OperationGroup, 'service'>): Record<string, string> {
  // An agent has the token of its launch.
  const token = variable('SVC_TOKEN') ?? variable('SVC_TOOLS_TOKEN')
  const name = OPERATED.has(service) ? (variable('SVC_ACTOR') ?? 'operator') : actor()
  // Headers are ASCII only.
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
  { timeoutMs = 60_000, headers: own }: ClientOptions,
): Promise<HttpAnswer> {
  const limits = [...(endless ? [] : [AbortSignal.timeout(timeoutMs)]), ...(signal ? [signal] : [])]
  const answer = await sendRequest(address.base + path, {
    method,
    headers: {
      Accept: 'application/json',
      ...headers(group),
      ...own,
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

/** Explains why a daemon with another HOME is not found. */
const elsewhere = ({ from }: Address): string =>
  from === DEFAULT_PORT
    ? `; a daemon with another HOME or SVC_DATA_DIR is found only with the same values here: ${config().runtimeFile} does not exist`
    : ''

export function unreachable(address: Address, error: unknown): Failure {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new Failure(`the daemon at ${address.base} did not respond in time`, {
      hint: 'check its log, or try again',
      cause: error,
    })
  }
  const { code = '' } = error as { code?: string }
  const reason = ['', 'ECONNREFUSED'].includes(code) ? '' : `: ${code}`
  const place = isAnyPort(address.base) ? ': its port is 0, any free one' : ` at ${address.base}${reason}`
  return new Failure(`no daemon is reachable${place}`, {
    where: `address from ${address.from}`,
    hint: `start one with "${typed`svc serve --manifests DIR`}" (or npm start), or pass another address with --url${elsewhere(address)}`,
    code: 'unreachable',
    cause: error,
  })
}

const HINTS: Readonly<Record<number, string>> = {
  403: 'use a token or an actor (SVC_ACTOR) that is allowed to do this',
  409: 'check the current state, then try again',
  413: 'send a smaller request',
  421: 'use a host name that the daemon accepts, such as 127.0.0.1',
  500: 'search the daemon log for the request id',
  503: 'try again in a moment',
}

function hintOf(status: number, service: string): string | undefined {
  if (status === 401)
    return `set SVC_TOKEN to a token of this daemon; its user can create one with "${typed`svc token create NAME`}"`
  if (status !== 404) return HINTS[status]
  if (service === 'controller')
    return `run "${typed`svc get all`}" to list resources, "${typed`svc sources`}" for sources, "${typed`svc history`}" for runs`
  if (service === 'orchestrator')
    return `run "${typed`agent orchestrator list-agents`}" or "${typed`agent orchestrator list-workflows`}" to list them`
  return `run "${typed`agent ${service === 'docstore' ? 'doc' : service} --help`}" for the command that lists them`
}

const CODE_HINTS: Partial<Record<string, string>> = {
  'managed-by-manifest': 'change that file and save it; while its source is suspended, manual changes are allowed',
  'no-revisions':
    'revert the change in the folder and save it, for example with git revert; git sources keep earlier revisions',
  'conductor-unconfigured': 'pass --repository OWNER/NAME',
  'agent-may-not': 'have a person do it outside the agent’s session, or add the guard to "may" in its manifest',
}

/** Shortens UUIDs to the prefix that commands accept. */
const short = (text: string): string =>
  text.replace(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '$1')

interface Asked {
  service: string
  where: string
}

async function refusal(answer: HttpAnswer, asked: Asked): Promise<Failure> {
  const text = await answer.text().catch(() => '')
  let problem: Partial<ProblemBody> = {}
  try {
    problem = JSON.parse(text) as Partial<ProblemBody>
  } catch {
    problem = { detail: answer.location ? `it redirects to ${answer.location}` : text.slice(0, 200) }
  }
  return problemFailure({ ...problem, status: answer.status }, asked, answer.reason)
}

export function problemFailure(
  problem: Partial<ProblemBody>,
  { service, where }: Asked,
  fallback = 'the daemon refused the request',
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
