import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { services } from '../../../daemon/services.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { ownPorts } from '../../support/ports.ts'
import { startServices, type ServiceStand } from '../../support/services.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const TOKEN = 'token-of-ada'
const folder = mkdtempSync(join(tmpdir(), 'svc-refused-'))
const tokensFile = join(folder, 'tokens.json')
const sha256 = createHash('sha256').update(TOKEN).digest('hex')
writeFileSync(tokensFile, JSON.stringify([{ subject: 'ada', role: 'admin', sha256 }]))
const guarded = { SVC_AUTH: 'on', SVC_TOKENS_FILE: tokensFile }

let stand: DaemonStand
/** A notification service in another process. */
let elsewhere: ServiceStand
let database: Awaited<ReturnType<typeof sqliteDatabase>>
let url: string

async function serveNotify(env: Record<string, string> = {}): Promise<void> {
  const served = services({ sources: [] }).filter(({ name }) => name === 'notify')
  const port = new URL(url).port
  elsewhere = await startServices(served, { url: database.url, env: { ...guarded, SVC_NOTIFY_PORT: port, ...env } })
}

beforeAll(async () => {
  database = await sqliteDatabase()
  url = `http://127.0.0.1:${(await ownPorts(1))[0]}`
  await serveNotify()
  const alerting = { SVC_MEMORY_ALERT_THRESHOLD: '0', SVC_COLLECTION_INTERVAL_SECS: '1' }
  stand = await DaemonStand.create({ env: { ...guarded, ...alerting, SVC_NOTIFY_URL: url } })
  await stand.start()
})
afterAll(async () => {
  await asAda('svc', 'down', '--agents')
  await stand.close()
  await elsewhere.close()
  await database.remove()
  rmSync(folder, { recursive: true, force: true })
})

const asAda = (program: 'svc' | 'agent', ...args: string[]) => stand[program](args, { env: { SVC_TOKEN: TOKEN } })

test('svc status and agent status name a service that refuses another, until it accepts its calls', async () => {
  const reason =
    `the notify service at ${url} refused the last call of svc-monitor (401): ` +
    'set SVC_SERVICE_TOKEN_FILE of both processes to the same file'
  const refused = async () => JSON.parse((await asAda('svc', 'status', '-o', 'json')).stdout).refused_calls as string[]
  await eventually(async () => (await refused()).includes(reason))
  expect((await asAda('svc', 'status')).stdout).toContain(`refused call: ${reason}\n`)
  expect((await asAda('agent', 'status')).stdout).toContain(`degraded: ${reason}\n`)
  expect((await stand.ask('GET', `${stand.urls.monitor}/health`)).body).toMatchObject({ status: 'degraded', reason })

  const asked = await stand.ask('POST', `${stand.urls.ask}/trigger`, undefined, { authorization: `Bearer ${TOKEN}` })
  expect(asked.status).toBe(500)
  expect(asked.body.detail).toContain(`the notify service at ${url} refused the last call of svc-ask (401)`)

  await elsewhere.close()
  await serveNotify({ SVC_SERVICE_TOKEN_FILE: join(stand.dataDir, 'service-token') })
  await eventually(async () => !(await refused()).includes(reason))
})
