// Clauses of the smaller services without a test elsewhere.
import type { Command } from 'commander'
import { afterEach, expect, test } from 'vitest'
import { agent } from '../../cli/agent/commands.ts'
import { buildProgram } from '../../cli/program.ts'
import { services } from '../../daemon/services.ts'
import { readConfig } from '../../platform/core/config.ts'
import { sqliteDatabase } from '../support/databases.ts'
import { request } from '../support/http.ts'
import { startServices, type ServiceStand } from '../support/services.ts'

const served = services({ sources: [] })
const alone = (name: string) => served.filter((each) => each.name === name)

let stand: ServiceStand | null = null
let database: Awaited<ReturnType<typeof sqliteDatabase>> | null = null
afterEach(async () => {
  await stand?.close()
  await database?.remove()
  stand = database = null
})

async function start(name: string, env: Record<string, string> = {}): Promise<string> {
  database = await sqliteDatabase()
  stand = await startServices(alone(name), { url: database.url, env })
  return stand.host.urls[name]!
}

test.each([
  ['ask', 17_001, 7001],
  ['monitor', 17_003, 7003],
  ['notify', 17_004, 7004],
  ['wrap', 17_005, 7005],
  ['communicate', 17_010, 7010],
])('serves %s on %i, in production %i, or PORT or SVC_PORT', (name, own, production) => {
  const { operations } = alone(name)[0]!.definition
  const portIn = (env: Record<string, string>) =>
    readConfig({ HOME: '/h', ...env }).port(operations, ['PORT', 'SVC_PORT'])
  expect([portIn({}), portIn({ SVC_ENV: 'production' })]).toEqual([own, production])
  expect([portIn({ PORT: '8080' }), portIn({ SVC_PORT: '8081' })]).toEqual([8080, 8081])
})

test('selects text or JSON logs by SVC_LOG_FORMAT', () => {
  const formats = [{}, { SVC_LOG_FORMAT: 'text' }, { SVC_LOG_FORMAT: 'json' }].map(
    (env) => readConfig({ HOME: '/h', ...env }).logFormat,
  )
  expect(formats).toEqual(['text', 'text', 'json'])
})

test.each(['ask', 'monitor', 'notify', 'wrap', 'communicate'])(
  'runs %s alone, which reports its name',
  async (name) => {
    const health = await request('GET', `${await start(name)}/health`)
    expect(health).toMatchObject({ status: 'ok', service: `svc-${name}`, version: expect.any(String) })
  },
)

test('finds the notification service at NOTIFY_SERVICE_URL', async () => {
  const address = 'http://127.0.0.1:9'
  const health = await request('GET', `${await start('ask', { NOTIFY_SERVICE_URL: address })}/health`)
  expect(health).toMatchObject({ notification_service_url: address })
})

/** Commands for the endpoints of each service. */
const PROMISED: Record<string, string[]> = {
  notify: [
    'list',
    'actionable',
    'history',
    'count',
    'create',
    'get',
    'view',
    'respond',
    'dismiss',
    'delete',
    'watch',
    'health',
  ],
  ask: ['trigger', 'answer', 'health'],
  wrap: ['launch', 'list', 'get', 'delete', 'health'],
  monitor: ['metrics', 'collect', 'history', 'status', 'watch', 'health'],
  communicate: ['rooms', 'create', 'participants', 'post', 'messages', 'latest', 'read', 'locks', 'watch', 'health'],
}

test.each(Object.entries(PROMISED))('provides the specified commands of agent %s: %j', async (name, wanted) => {
  const program = await buildProgram(agent, null)
  const group = program.commands.find((command) => command.name() === name)!
  const names = group.commands.flatMap((command: Command) => [command.name(), ...command.aliases()])
  expect(wanted.filter((each) => !names.includes(each))).toEqual([])
})
