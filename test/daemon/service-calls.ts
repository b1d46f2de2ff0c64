// Makes each call between services, as a person with a token or by the services themselves.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect } from 'vitest'
import type { ConductorRun } from '../../schemas/conductor/run.ts'
import type { Question } from '../../schemas/ask/question.ts'
import { eventually } from '../support/eventually.ts'
import { ask } from '../support/http.ts'
import { root } from '../support/root.ts'

export const ADA = 'token-of-ada'
const headers = { authorization: `Bearer ${ADA}` }

/** Variables of a monitor that raises an alert at its first sample. */
export const ALERTING = { SVC_MEMORY_ALERT_THRESHOLD: '0', SVC_COLLECTION_INTERVAL_SECS: '1' }

/** Writes manifests with the policy `strict`, of which drift is healed. */
export function writeManifests(folder: string): void {
  mkdirSync(join(folder, 'policies'), { recursive: true })
  writeFileSync(join(folder, 'policies', 'strict.yml'), 'name: strict\nmode: deny_all\nsync: {drift: heal}\n')
}

/** Running services that require a token. */
export class GuardedServices {
  readonly #urls: Readonly<Record<string, string>>

  constructor(urls: Readonly<Record<string, string>>) {
    this.#urls = urls
  }

  async ask<T = any>(service: string, request: string, body?: unknown): Promise<T> {
    const [method, path] = request.split(' ') as [string, string]
    const reply = await ask<T>(method, this.#urls[service]! + path, body, headers)
    if (reply.status > 299) throw new Error(`${service} ${request}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }

  /** Creates the room `lobby` with the agent `worker`. */
  async createTeam(working_dir: string): Promise<void> {
    await this.ask('communicate', 'POST /rooms', { name: 'lobby', created_by: 'ada' })
    const worker = { name: 'worker', runtime: 'scripted', working_dir, shell: 'bash', rooms: ['lobby'] }
    const { id } = await this.ask('orchestrator', 'POST /agents', worker)
    await eventually(async () => (await this.ask('orchestrator', `GET /agents/${id}`)).connected)
  }

  async tool(name: string, input: object = {}): Promise<any> {
    const client = new Client({ name: 'test', version: '1' })
    const at = new URL(`${this.#urls.docstore}/mcp`)
    await client.connect(new StreamableHTTPClientTransport(at, { requestInit: { headers } }))
    const result = await client.callTool({ name, arguments: { ...input } })
    await client.close()
    expect(result.isError, JSON.stringify(result.content)).toBeFalsy()
    return result.structuredContent
  }

  async question(): Promise<Question> {
    await this.ask('ask', 'POST /trigger')
    return (await this.ask<Question[]>('ask', 'GET /questions?status=Pending'))[0]!
  }

  /** Codes of the problems of a dry run of the conductor. */
  async dryRun(): Promise<string[]> {
    const asked = { repository: 'acme/shop', dry_run: true }
    const { problems } = await this.ask<ConductorRun>('conductor', 'POST /runs', asked)
    return problems.map(({ code }) => code)
  }

  async metrics(service: string): Promise<string> {
    return (await fetch(`${this.#urls[service]}/metrics`, { headers })).text()
  }

  /** Reasons why services refuse calls, by service. */
  async refusals(): Promise<unknown[]> {
    const found = await Promise.all(Object.keys(this.#urls).map((service) => this.ask(service, 'GET /health')))
    return found.flatMap(({ service, refused_calls: refused }) => (refused ? [{ service, refused }] : []))
  }
}

/** Problems of a run that reaches rooms and memory, but not the forge. */
const REACHED = ['room-missing', 'forge-unreachable']

/** A service that cannot be read is in `missing`. */
const readInbox = async (services: GuardedServices) =>
  expect(await services.ask('gateway', 'GET /inbox')).toMatchObject({ missing: [] })

/** By caller and called service. */
export const CALLS: Readonly<Record<string, (services: GuardedServices) => Promise<unknown>>> = {
  'ask → notify': async (services) =>
    expect(await services.question()).toMatchObject({ notification_id: expect.any(String) }),
  'ask → wrap': async (services) => {
    const { question_id } = await services.question()
    const answer = await services.ask('ask', 'POST /answer', { question_id, answer: 'yes' })
    expect(answer).toMatchObject({ success: true })
  },
  'conductor → communicate': async (services) => expect(await services.dryRun()).toEqual(REACHED),
  'conductor → docstore': async (services) => expect(await services.dryRun()).toEqual(REACHED),
  'controller → notify': async (services) => {
    const mode = async () => (await services.ask('orchestrator', 'GET /policies/strict')).mode
    const healed = async () =>
      (await services.ask<{ resolution: string }[]>('controller', 'GET /drift')).filter(
        ({ resolution }) => resolution === 'healed',
      ).length
    // The resource is contested after three heals.
    for (let at = 0; at <= 3; at++) {
      await eventually(async () => (await mode()) === 'deny_all' && (await healed()) === at)
      await services.ask('orchestrator', 'PUT /policies/strict', { mode: 'allow_all' })
    }
    await eventually(async () =>
      (await services.ask<{ title: string }[]>('notify', 'GET /notifications')).some(({ title }) =>
        title.startsWith('Contested'),
      ),
    )
  },
  'docstore → communicate': async (services) =>
    expect(await services.tool('room_read', { room: 'lobby' })).toMatchObject({ room: 'lobby' }),
  'docstore → controller': async (services) =>
    expect(await services.tool('drift_list')).toMatchObject({ drift: expect.any(Array) }),
  'docstore → docstore': async (services) =>
    expect(await services.tool('memory_remember', { content: 'x' })).toMatchObject({ created_by: 'ada' }),
  'docstore → orchestrator': async (services) =>
    expect(await services.tool('agents_list')).toMatchObject({ agents: [{ name: 'worker' }] }),
  'gateway → ask': readInbox,
  'gateway → conductor': readInbox,
  'gateway → controller': readInbox,
  'gateway → notify': readInbox,
  'gateway → orchestrator': readInbox,
  'monitor → notify': async (services) =>
    eventually(async () =>
      (await services.ask<{ source: any }[]>('notify', 'GET /notifications')).some(
        ({ source }) => source.MonitorService?.alert_type === 'memory',
      ),
    ),
  'monitor → orchestrator': async (services) =>
    eventually(async () =>
      (await services.ask<{ name: string }[]>('monitor', 'GET /agents')).some(({ name }) => name === 'worker'),
    ),
  'orchestrator → communicate': async (services) => {
    const participants = () => services.ask<object[]>('communicate', 'GET /rooms/lobby/participants')
    await eventually(async () => (await participants()).length === 2)
    await eventually(async () => /^svc_communicate_sockets [1-9]/m.test(await services.metrics('communicate')))
    await services.ask('communicate', 'POST /rooms/lobby/messages', { sender_id: 'ada', content: '@worker hello' })
    await eventually(async () =>
      (await services.ask<{ metadata: any }[]>('communicate', 'GET /rooms/lobby/messages')).some(
        ({ metadata }) => metadata.source === 'agent_response',
      ),
    )
  },
}

/** Calls that the code makes, as `caller → called service`. */
export function callsInCode(): string[] {
  const files = ['controller', 'services'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  const calls = files
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const service = path.replace(/^services\//, '').split('/')[0]!
      const text = readFileSync(join(root, path), 'utf8')
      return [...text.matchAll(/\bcall(?:\?\.)?\((\w+?)Operations\)/g)].map(([, called]) => `${service} → ${called}`)
    })
  return [...new Set(calls)].sort()
}
