// Runs the contract suite over every service of the daemon.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { services } from '../../daemon/services.ts'
import { openServiceToken } from '../../platform/http/service-callers.ts'
import { RefusedCalls } from '../../platform/service/refused-calls.ts'
import { callSibling } from '../../platform/service/siblings.ts'
import { orchestratorOperations } from '../../schemas/operations/orchestrator/index.ts'
import { sqliteDatabase } from '../support/databases.ts'
import { startServices } from '../support/services.ts'
import { serviceContract } from './contract.ts'

vi.setConfig({ testTimeout: 60_000 })
const all = services({ sources: [] })
describe.each(all.map(({ name }) => name))('the service %s', (name) => serviceContract(all, name))

test('lets a service call the orchestrator by its typed client', async () => {
  const { url, remove } = await sqliteDatabase()
  const stand = await startServices(
    all.filter(({ name }) => name === 'orchestrator'),
    { url },
  )
  const addressOf = () => stand.host.urls.orchestrator!
  const serviceToken = openServiceToken(stand.host.config.serviceTokenFile)
  const refused = new RefusedCalls('svc-test')
  const client = callSibling(orchestratorOperations, {
    self: 'svc-test',
    addressOf,
    serviceToken,
    token: null,
    refused,
  })
  expect(await client.listAgents({ query: { status: 'running' } })).toEqual([])
  expect(await client.listAgents({ query: { limit: 5 } })).toMatchObject({ items: [], total: 0 })
  await stand.close()
  await remove()
})

test('audits a controller write that stores no record itself', async () => {
  const { url, remove } = await sqliteDatabase()
  const directory = mkdtempSync(join(tmpdir(), 'svc-source-'))
  const stand = await startServices(services({ sources: [{ name: 'team', directory }] }), { url })
  const headers = { 'x-request-id': 'req-7', 'x-svc-actor': 'mira' }
  await fetch(`${stand.host.urls.controller}/sources/team/suspend`, { method: 'POST', headers })
  const rows = await stand.db('controller_audit').where({ request_id: 'req-7' })
  expect(rows).toMatchObject([{ actor: 'mira', resource_id: 'controller.suspendSource team' }])
  await stand.close()
  await remove()
  rmSync(directory, { recursive: true })
})
