// Sends every documented request. Replaces ids, times and paths, so that the responses of two daemons can be compared.
import { everyService } from '../../schemas/operations/services.ts'
import type { Operation } from '../../schemas/operations/operation.ts'
import type { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'
import { sampleOf, samplePath } from '../support/hostile-requests.ts'

/** Created ids, by collection or path parameter. */
type Made = Record<string, string>

/** Request bodies that cannot be sampled from the schema. */
const BODIES: Record<string, (made: Made, stand: DaemonStand) => unknown> = {
  'orchestrator.createAgent': (_made, { project }) => ({
    name: 'by-hand',
    working_dir: project,
    runtime: 'scripted',
    shell: 'bash',
    tool_policy: { mode: 'require_approval' },
  }),
  'orchestrator.addDirectory': (_made, { home }) => ({ path: home }),
  'orchestrator.removeDirectory': (_made, { home }) => ({ path: home }),
  'orchestrator.sendMessage': () => ({ content: 'hello' }),
  'orchestrator.updateAgent': () => ({ name: 'by-hand-2' }),
  'orchestrator.createWorkflow': ({ agents }) => ({
    name: 'flow',
    agent_id: agents,
    trigger_config: { type: 'webhook' },
    prompt_template: 'hello {{title}}',
  }),
  'orchestrator.triggerWorkflow': () => ({ title: 'by hand' }),
  'orchestrator.pushTask': () => ({ title: 'a task', priority: 3 }),
  'communicate.createRoom': () => ({ name: 'engineering', created_by: 'tester' }),
  'communicate.addParticipant': () => ({ identifier: 'mia', kind: 'human' }),
  'communicate.createMessage': () => ({ sender_id: 'tester', content: 'hello' }),
  'communicate.readMessage': ({ messages }) => ({ message_id: messages }),
}

/** First requests, in order, with the key of the created id. */
const FIRST: readonly (readonly [id: string, keptAs: string])[] = [
  ['orchestrator.createAgent', 'agents'],
  ['orchestrator.createWorkflow', 'workflows'],
  // Unlike a message, a trigger is rejected until the bridge has reported its guards.
  ['orchestrator.sendMessage', 'message_id'],
  ['orchestrator.triggerWorkflow', 'dispatch_id'],
  ['orchestrator.pushTask', 'task'],
  ['communicate.createRoom', 'rooms'],
  ['communicate.addParticipant', 'participant'],
  ['communicate.createMessage', 'messages'],
  ['notify.createNotification', 'notifications'],
  ['docstore.createDocument', 'documents'],
  ['docstore.createMemory', 'memories'],
]
const FIXED: Made = { policies: 'by-hand', queues: 'jobs', identifier: 'mia', revision: '1', participants: 'mia' }

/** Requests that delete resources, and that stop the daemon. */
const LAST = ['DELETE']
const NEVER = ['/shutdown', '/drain']
/** Responses that depend on machine or time, or on the folders of sources, which a sandbox protects. */
const VARYING = new Set(
  ['getMetrics', 'collect', 'listHistory', 'getStatus', 'getDisk', 'listAgentLoads'].map((name) => `monitor.${name}`),
)
  .add('orchestrator.getLogs')
  .add('orchestrator.getAgentSandbox')

interface Request {
  what: string
  method: string
  url: string
  body?: unknown
}

/** Returns one line per request. Excludes the controller, which differs. */
export async function askEverything(stand: DaemonStand, between: () => void): Promise<string[]> {
  const made: Made = { ...FIXED }
  const answers: string[] = []
  const groups = everyService.filter(({ service }) => service !== 'controller')
  const plain = groups.flatMap(({ service, operations }) =>
    Object.values<Operation>(operations)
      .filter(({ kind, path }) => (kind === 'call' || kind === 'list') && !NEVER.includes(path))
      .map((operation) => ({ operation, at: stand.urls[service]! })),
  )
  const run = async (request: Request, isVarying = false) => {
    if (made.agents !== undefined && !request.what.startsWith('orchestrator.deny')) await idle(stand, made.agents)
    const { status, body } = await stand.ask(request.method, request.url, request.body)
    answers.push(`${request.what}: ${status} ${isVarying ? '' : settled(body, stand)}`)
    return { status, body }
  }
  for (const [id, keptAs] of FIRST) {
    const { operation, at } = plain.find((each) => each.operation.id === id)!
    const { body } = await run(rightRequest(operation, at, made, stand))
    made[keptAs] = idOf(body)
  }
  made.webhooks = made.workflows!
  made.approvals = await heldApproval(stand, made.agents!)
  const denial = plain.find(({ operation }) => operation.id === 'orchestrator.deny')!
  await run(rightRequest(denial.operation, denial.at, made, stand))
  const order = plain.toSorted((one, other) => rankOf(one.operation) - rankOf(other.operation))
  for (const { operation, at } of order) {
    between()
    const isVarying = VARYING.has(operation.id)
    for (const request of wrongRequests(operation, at)) await run(request, isVarying)
    await run(rightRequest(operation, at, made, stand), isVarying)
  }
  return answers
}

const rankOf = ({ method }: Operation): number => (method === 'GET' ? 0 : LAST.includes(method) ? 2 : 1)

function rightRequest(operation: Operation, at: string, made: Made, stand: DaemonStand): Request {
  const { id, method, path } = operation
  const [, collection] = /^(?:\/v1)?\/(\w+)\/:/.exec(path) ?? []
  const filled = path.replace(/:(\w+)/g, (_whole, name: string, offset: number) => {
    const isOfCollection = collection !== undefined && path.indexOf(':') === offset
    return encodeURIComponent(made[isOfCollection ? collection : name] ?? made[name] ?? 'nobody')
  })
  const schema = 'body' in operation ? operation.body : undefined
  const body = BODIES[id]?.(made, stand) ?? (schema && sampleOf(schema, false, '-1'))
  return { what: `${id}, valid`, method, url: at + filled, body }
}

function wrongRequests(operation: Operation, at: string): Request[] {
  const { id, method, path } = operation
  const schema = 'body' in operation ? operation.body : undefined
  const unknown = {
    what: `${id}, unknown id`,
    method,
    url: at + samplePath(operation),
    body: schema && sampleOf(schema),
  }
  const wrong = { what: `${id}, unknown field`, method, url: at + samplePath(operation), body: { no_such: 1 } }
  return [...(path.includes(':') ? [unknown] : []), ...(schema ? [wrong] : [])]
}

function idOf(body: any): string {
  const record = body?.document ?? body
  return String(record?.id ?? record?.message_id ?? '')
}

/** Waits until the agent is idle, so that timing does not affect responses. */
async function idle(stand: DaemonStand, agentId: string): Promise<void> {
  await eventually(async () => {
    const { status, body } = await stand.ask('GET', `${stand.urls.orchestrator}/agents/${agentId}`)
    if (status !== 200 || body.status !== 'running') return true
    return body.connected && body.activity === 'idle' && !(await hasMessages(stand, agentId))
  })
}

/** Messages wait after the connection until the program has reported its guards. */
async function hasMessages(stand: DaemonStand, agentId: string): Promise<boolean> {
  const messages = `${stand.urls.orchestrator}/agents/${agentId}/messages`
  const { body } = await stand.ask('GET', messages)
  return (body as { status: string }[]).some(({ status }) => status === 'queued' || status === 'sent')
}

/** Returns the id of a pending approval. */
async function heldApproval(stand: DaemonStand, agentId: string): Promise<string> {
  await idle(stand, agentId)
  await stand.send(agentId, 'USE_TOOL Bash ls')
  const approvals = `${stand.urls.orchestrator}/approvals?status=pending`
  const [{ id }] = await eventually(async () => {
    const held = await stand.get<{ id: string }[]>(approvals)
    return held.length > 0 && (held as [{ id: string }])
  })
  return id
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|toolu_[0-9a-f]{32}/g
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
/** Fields that depend on a starting agent. */
const MOMENT = /"(connected|activity)":(true|false|"idle"|"busy")/g
/** Made with a random id, or with a key of the home folder. */
const RANDOM = /"(alike|next|previous)":"[\w-]+"/g
/** Durations, sizes and process ids. */
const NUMBERS = /"(uptime_secs|pid|duration_ms|duration_api_ms|oldest_pending_secs|size_bytes|query_time_ms)":\d+/g

function settled(body: unknown, stand: DaemonStand): string {
  return JSON.stringify(body)
    .replaceAll(stand.home, '<home>')
    .replace(/127\.0\.0\.1:\d+/g, '<address>')
    .replace(UUID, '<id>')
    .replace(/^\{"status":"(sent|queued)","agent_id"/, '{"status":"<taken>","agent_id"')
    .replace(/\b[0-9a-f]{8}\b/g, '<short id>')
    .replace(TIME, '<time>')
    .replace(RANDOM, '"$1":"<random>"')
    .replace(NUMBERS, '"$1":0')
    .replace(MOMENT, '"$1":"<moment>"')
}
