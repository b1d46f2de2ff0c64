// Writes of an agent's process that it does not make in its own name: deliveries to webhooks, and requests with the
// token of a person.
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Askers, type Asker } from '../identity/asker.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { Canaries } from './canaries.ts'

const HOOK_SECRET = 'the secret of the webhook'
const canaries = new Canaries()
const secrets = {
  DELIVERY: canaries.plant('delivery', 'cnry-'),
  REQUEST: canaries.plant('request', 'cnry-'),
  TOOL: canaries.plant('tool', 'cnry-'),
}
const askers = new Askers()
let stand: DaemonStand
let writer: Asker
let open: string
let signed: string

beforeAll(async () => {
  stand = await DaemonStand.create({ env: { SVC_LOG_LEVEL: 'debug', SVC_LOG_FORMAT: 'json' } })
  await stand.start()
  const make = async (path: string, body: object): Promise<string> => {
    const made = await stand.ask('POST', `${stand.orchestrator}${path}`, body)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body.id
  }
  const { command, asker } = askers.prepare()
  const agent = { name: 'writer', runtime: 'command', working_dir: stand.home, shell: 'bash', command, env: secrets }
  const agent_id = await make('/agents', agent)
  writer = asker
  await writer.ready()
  const hook = (name: string, more: object) =>
    make('/workflows', {
      name,
      agent_id,
      trigger_config: { type: 'webhook', ...more },
      prompt_template: '{{title}}',
    })
  open = await hook('open', {})
  signed = await hook('signed', { secret: HOOK_SECRET })
}, 60_000)
afterAll(async () => {
  await stand?.close()
  await askers.close()
})

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  writer.http({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('a delivery is redacted, with what is stored of its headers', async () => {
  const secret = secrets.DELIVERY
  const headers = { 'x-forge-delivery': `id-${secret}`, 'x-forge-event': `event-${secret}` }
  const body = { title: secret, [secret]: `it is ${secret}` }
  const url = `${stand.orchestrator}/webhooks/${open}`
  expect((await post(url, body, headers)).status).toBe(202)
  expect((await post(url, body)).status).toBe(202)
  const history = async () => (await fetch(`${stand.orchestrator}/workflows/${open}/history`)).text()
  await eventually(async () => JSON.parse(await history()).length === 2)
  expect(await history()).toContain('***')
  expect(await history()).not.toContain(secret)
})

test('a signed delivery is refused, because its signature covers the secret', async () => {
  const deliver = (body: object) => {
    const signature = createHmac('sha256', HOOK_SECRET).update(JSON.stringify(body)).digest('hex')
    return post(`${stand.orchestrator}/webhooks/${signed}`, body, { 'x-hub-signature-256': `sha256=${signature}` })
  }
  expect((await deliver({ title: 'clean' })).status).toBe(202)
  const refused = await deliver({ title: secrets.DELIVERY })
  expect([refused.status, JSON.parse(refused.text).code]).toEqual([401, 'signature-wrong'])
})

test('a request and a tool call with the token of a person are redacted', async () => {
  const { stdout } = await stand.svc(['token', 'create', 'mia', '--role', 'admin'])
  const headers = { authorization: `Bearer ${stdout.trim()}`, accept: 'application/json, text/event-stream' }
  const body = { title: 'With a token', content: `it is ${secrets.REQUEST}` }
  const made = await post(`${stand.urls.docstore}/v1/documents`, body, headers)
  expect([made.status, JSON.parse(made.text).document], made.text).toMatchObject([
    201,
    { content: 'it is ***', created_by: 'mia' },
  ])
  const given = { title: 'By tool', content: `it is ${secrets.TOOL}`, created_by: 'mia' }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'doc_create', arguments: given } }
  const { text } = await post(`${stand.urls.docstore}/mcp`, call, headers)
  expect(JSON.parse(text).result.structuredContent, text).toMatchObject({ content: 'it is ***', created_by: 'mia' })
})

test('no secret is left in the database, files or log', { timeout: 60_000 }, async () => {
  await stand.stopBy('SIGTERM')
  const emitted: [where: string, content: string | Buffer][] = [['the log', stand.output]]
  for (const file of readdirSync(stand.dataDir, { recursive: true, encoding: 'utf8' }))
    if (statSync(join(stand.dataDir, file)).isFile()) emitted.push([file, readFileSync(join(stand.dataDir, file))])
  expect(emitted.flatMap(([where, content]) => canaries.seenIn(where, content))).toEqual([])
})
