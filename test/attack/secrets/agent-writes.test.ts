// Every write of an agent's process, with a secret of the agent in each text: none is stored, logged or sent.
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { GUARDS } from '../../../schemas/agent/guards.ts'
import type { StreamFrame } from '../../../schemas/agent/stream.ts'
import { isWrite, type Operation } from '../../../schemas/operations/operation.ts'
import { everyService } from '../../../schemas/operations/services.ts'
import { UNREDACTED } from '../../../schemas/access/unredacted.ts'
import { tools } from '../../../services/docstore/mcp/server.ts'
import { Askers, type Asker } from '../identity/asker.ts'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { Canaries } from './canaries.ts'
import { plantedIn } from './planted-texts.ts'

const writes = everyService.flatMap(({ service, operations }) =>
  Object.values<Operation>(operations)
    .filter(isWrite)
    .map((operation) => ({ id: operation.id, service, operation })),
)
const writingTools = tools.filter(({ effect }) => effect !== 'reads')

const ENDS_THE_TEST = ['controller.shutDown', 'orchestrator.drain']
/** Their path has no text; for their bodies see other-names.test.ts. */
const DELIVERIES = ['orchestrator.receiveWebhook', 'controller.announcePush']
/** The secret is not a token: with tokens off there are none. */
const SIGN_IN = 'gateway.createSession'
const variableOf = (id: string) => `CANARY_${id.replaceAll(/\W/g, '_').toUpperCase()}`

const canaries = new Canaries()
const secrets = new Map(
  [...writes.map(({ id }) => id), ...writingTools.map(({ name }) => name), 'socket'].map((id) => [
    id,
    canaries.plant(id, 'cnry-'),
  ]),
)
const frames: StreamFrame[] = []
const emitted: [where: string, content: string | Buffer][] = []
const askers = new Askers()
let stand: DaemonStand
let writer: Asker
let ids: Record<string, string>
let toolsToken: string
const outcomes = { redacted: 0, refused: 0 }

beforeAll(async () => {
  stand = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'debug', SVC_LOG_FORMAT: 'json' } })
  await stand.start()
  await stand.listen(undefined, frames)
  const env = Object.fromEntries([...secrets].map(([id, canary]) => [variableOf(id), canary]))
  const [own, target, doer] = [askers.prepare(), askers.prepare(), askers.prepare()]
  const make = async (url: string, body: object) => {
    const made = await stand.ask('POST', url, body)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body
  }
  const agent = (name: string, command: string[], more: object = {}) =>
    make(`${stand.orchestrator}/agents`, {
      name,
      runtime: 'command',
      working_dir: stand.home,
      shell: 'bash',
      command,
      ...more,
    })
  const agentId = (await agent('writer', own.command, { env, may: [...GUARDS] })).id
  const targetId = (await agent('target', target.command)).id
  const doerId = (await agent('doer', doer.command)).id
  writer = own.asker
  await writer.ready()
  for (const { asker } of [target, doer]) await asker.ready()
  toolsToken = (await writer.env()).SVC_TOOLS_TOKEN!
  const { communicate, docstore, notify } = stand.urls as Record<string, string>
  const workflow = { agent_id: doerId, trigger_config: { type: 'manual' }, prompt_template: '{{title}}' }
  const room = await make(`${communicate}/rooms`, { name: 'hall', created_by: 'mia' })
  const member = { identifier: agentId, kind: 'agent', role: 'admin' }
  await stand.ask('POST', `${communicate}/rooms/${room.id}/participants`, member, { 'x-svc-actor': 'operator' })
  const notice = { source: 'System', lifetime: 'Persistent', priority: 'Low', title: 'Go?', message: '' }
  ids = {
    agent: agentId,
    target: targetId,
    room: room.id,
    workflow: (await make(`${stand.orchestrator}/workflows`, { name: 'flow', ...workflow })).id,
    document: (await make(`${docstore}/v1/documents`, { title: 'Plan', content: 'x' })).document.id,
    notification: (await make(`${notify}/notifications`, { ...notice, requires_response: true })).id,
  }
  ids.memory = JSON.parse(
    (await ask('POST', `${docstore}/memories`, { content: 'Mine', created_by: 'writer' })).text,
  ).id
}, 120_000)
afterAll(async () => {
  await stand?.close()
  await askers.close()
})

/** Sends a request from the agent's process. */
function ask(method: string, url: string, body?: unknown, headers: Record<string, string> = {}) {
  return writer.http({
    method,
    url,
    headers: { 'content-type': 'application/json', 'x-svc-agent': ids?.agent ?? '', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Fields that a valid request needs, or may not have. */
const needed = (): Record<string, object> => ({
  'communicate.createRoom': { name: 'side', created_by: ids.agent },
  'communicate.updateRoom': { name: undefined },
  'communicate.addParticipant': { identifier: 'visitor' },
  'communicate.createMessage': { sender_id: ids.agent, reply_to: null, message_id: undefined },
  'docstore.createMemory': { created_by: 'writer', visibility: 'shared', supersedes: null },
  'docstore.setMemoryVisibility': { visibility: 'shared' },
  'notify.createNotification': { lifetime: 'Persistent', requires_response: true },
  'notify.updateNotification': { status: undefined },
})

const PLACES: Readonly<Record<string, string>> = {
  'communicate.updateRoom': 'room',
  'communicate.addParticipant': 'room',
  'communicate.createMessage': 'room',
  'docstore.updateDocument': 'document',
  'docstore.setMemoryVisibility': 'memory',
  'notify.updateNotification': 'notification',
  'orchestrator.sendMessage': 'target',
  'orchestrator.triggerWorkflow': 'workflow',
  'orchestrator.updateAgent': 'target',
  'orchestrator.setPolicy': 'target',
  'orchestrator.addDirectory': 'target',
  'orchestrator.updateWorkflow': 'workflow',
  'orchestrator.putWorkflow': 'workflow',
}

/** Path of an existing record, or one that contains the secret. */
function pathOf(operation: Operation, secret: string | null): string {
  const params = operation.params?.properties ?? {}
  const existing = ids[PLACES[operation.id] ?? ''] ?? 'jobs'
  return operation.path.replaceAll(/:(\w+)/g, (_whole, name: string) =>
    secret === null ? existing : String(plantedIn(params[name] as TSchema, secret).value),
  )
}

const bodyOf = (operation: Operation): TSchema | undefined =>
  'body' in operation && !('bytes' in operation && operation.bytes) ? operation.body : undefined
const isGuarded = (operation: Operation): boolean => 'guard' in operation && operation.guard !== 'none'

describe.each(writes)('$id from an agent’s process', ({ id, service, operation }) => {
  const secret = secrets.get(id)!
  const url = () => stand.urls[service]!

  test('does not show a secret in its path', async () => {
    if (ENDS_THE_TEST.includes(id) || DELIVERIES.includes(id)) return
    const headers = { 'x-request-id': secret }
    const { status } = await ask(operation.method, url() + pathOf(operation, secret), undefined, headers)
    expect([400, 403, 404, 409, 422, 200, 201, 202, 204, 501, 503]).toContain(status)
  })

  const schema = bodyOf(operation)
  const { texts } = schema ? plantedIn(schema, secret) : { texts: 0 }

  test('redacts or refuses a secret in its body', async () => {
    if (texts === 0 || ENDS_THE_TEST.includes(id) || '' in (UNREDACTED[id] ?? {})) return
    const { value } = plantedIn(schema!, secret)
    const body = { ...(value as object), ...needed()[id] }
    const { status, text } = await ask(operation.method, url() + pathOf(operation, null), body)
    if (isGuarded(operation)) {
      expect([400, 404, 422], text).toContain(status)
      if (text.includes('contains a secret of agent:writer')) outcomes.refused++
    } else {
      expect(id === SIGN_IN ? [409] : [200, 201, 202], text).toContain(status)
      expect(text).not.toContain(secret)
      expect(JSON.stringify(body)).toContain(secret)
      outcomes.redacted++
    }
  })
})

describe.each(writingTools)('the tool $name', ({ name, input }) => {
  test('redacts a secret in its arguments', async () => {
    const secret = secrets.get(name)!
    const own: Record<string, object> = {
      doc_update: { id: ids.document },
      doc_delete: { id: secret },
      memory_remember: { created_by: 'writer', visibility: 'shared', supersedes: null },
      memory_forget: { id: ids.memory },
      room_post: { room: 'hall', reply_to: null },
    }
    const given = { ...(plantedIn(input, secret).value as object), ...own[name] }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
    const headers = { authorization: `Bearer ${toolsToken}`, accept: 'application/json, text/event-stream' }
    const { status, text } = await ask('POST', `${stand.urls.docstore}/mcp`, call, headers)
    expect(status, text).toBe(200)
    if (name === 'doc_delete') return
    expect(JSON.parse(text).result.isError, text).toBeFalsy()
    expect(text).not.toContain(secret)
  })
})

test('redacts a message and a name sent over the socket of rooms', async () => {
  const secret = secrets.get('socket')!
  const query = new URLSearchParams({ identifier: ids.agent!, kind: 'agent', display_name: `I am ${secret}` })
  const socket = new WebSocket(`${stand.urls.communicate!.replace('http', 'ws')}/ws?${query.toString()}`, {
    headers: { 'x-svc-agent': ids.agent! },
  })
  const answers: string[] = []
  socket.on('message', (data: Buffer) => answers.push(data.toString()))
  await once(socket, 'open')
  const message = { content: `it is ${secret}`, metadata: { [secret]: secret } }
  socket.send(JSON.stringify({ type: 'send', room_id: ids.room, ...message }))
  socket.send(JSON.stringify({ type: 'typing', room_id: ids.room }))
  await eventually(() => answers.some((each) => each.includes('"sent"')))
  socket.terminate()
  expect(answers.join('')).toContain('it is ***')
  expect(answers.join('')).not.toContain(secret)
})

test('stores a secret that is set as env of another agent only encrypted', async () => {
  const secret = secrets.get('orchestrator.createAgent')!
  const body = { name: 'heir', runtime: 'command', command: ['sleep', '600'], working_dir: stand.home, shell: 'bash' }
  const made = await ask('POST', `${stand.orchestrator}/agents`, { ...body, env: { TOKEN: secret } })
  expect([made.status, JSON.parse(made.text).config.env], made.text).toEqual([201, { TOKEN: '***' }])
})

test('redacts a secret after a restart of the daemon', { timeout: 60_000 }, async () => {
  await stand.stopBy('SIGTERM')
  emitted.push(['the log', stand.output])
  await stand.start()
  const body = { title: 'After', content: secrets.get('docstore.createDocument') }
  const made = await ask('POST', `${stand.urls.docstore}/v1/documents`, body)
  expect([made.status, JSON.parse(made.text).document.content], made.text).toEqual([201, '***'])
})

const LISTS: Readonly<Record<string, readonly string[]>> = {
  orchestrator: ['agents', 'workflows', 'queues', 'queues/jobs/peek', 'approvals', 'policies', 'metrics'],
  communicate: ['rooms', 'metrics'],
  docstore: ['memories', 'v1/documents', 'metrics'],
  notify: ['notifications', 'deliveries', 'metrics'],
  index: ['repositories'],
  controller: ['sources', 'resources', 'drift', 'runs'],
}

test('leaves no secret in the database, files, log, streams or responses', { timeout: 60_000 }, async () => {
  for (const [service, paths] of Object.entries(LISTS))
    for (const path of paths) {
      const answer = await fetch(`${stand.urls[service]}/${path}`, { headers: { 'x-svc-actor': 'operator' } })
      emitted.push([`${service}/${path}`, await answer.text()])
    }
  for (const path of [`agents/${ids.target}/messages`, `workflows/${ids.workflow}/history`])
    emitted.push([path, await (await fetch(`${stand.orchestrator}/${path}`)).text()])
  emitted.push(['the stream', JSON.stringify(frames)])
  await stand.stopBy('SIGTERM')
  emitted.push(['the log', stand.output])
  for (const file of readdirSync(stand.dataDir, { recursive: true, encoding: 'utf8' }))
    if (statSync(join(stand.dataDir, file)).isFile()) emitted.push([file, readFileSync(join(stand.dataDir, file))])
  expect(emitted.flatMap(([where, content]) => canaries.seenIn(where, content))).toEqual([])
  expect(emitted.some(([where, content]) => where === 'the log' && content.includes('"level":20'))).toBe(true)
  expect(outcomes.redacted).toBeGreaterThanOrEqual(10)
  expect(outcomes.refused).toBeGreaterThanOrEqual(5)
  counted('agent writes: operations', writes.length)
  counted('agent writes: bodies redacted', outcomes.redacted)
  counted('agent writes: bodies refused', outcomes.refused)
  counted('agent writes: tools', writingTools.length)
})
