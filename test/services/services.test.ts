// Every service of the daemon is held to the suite, without a line of its own.
import { describe, expect, test, vi } from 'vitest'
import { services } from '../../daemon/services.ts'
import { callSibling } from '../../platform/service/siblings.ts'
import { orchestratorOperations } from '../../schemas/operations/orchestrator/index.ts'
import { sqliteDatabase } from '../support/databases.ts'
import { startServices } from '../support/services.ts'
import { serviceContract } from './contract.ts'

vi.setConfig({ testTimeout: 60_000 })
const all = services({ sources: [] })
describe.each(all.map(({ name }) => name))('the service %s', (name) => serviceContract(all, name))

test('a sibling asks the orchestrator by its typed client', async () => {
  const { url, remove } = await sqliteDatabase()
  const stand = await startServices(
    all.filter(({ name }) => name === 'orchestrator'),
    { url },
  )
  const addressOf = () => stand.host.urls.orchestrator!
  const client = callSibling(orchestratorOperations, { self: 'svc-test', addressOf, token: null })
  expect(await client.listAgents({ query: { status: 'running' } })).toEqual([])
  expect(await client.listAgents({ query: { limit: 5 } })).toMatchObject({ items: [], total: 0 })
  await stand.close()
  await remove()
})
