// Changes of an agent's sandbox over the API.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SANDBOX_DEFAULTS } from '../../../../../schemas/sandbox/sandbox.ts'
import type { AgentRecord } from '../../../../../schemas/agent.ts'
import { alice, TestMachine, type TestOrchestrator } from '../../harness.ts'

const RULES = { ...SANDBOX_DEFAULTS, hide: ['/srv/customers'] }

let machine: TestMachine
let daemon: TestOrchestrator
beforeAll(async () => {
  machine = new TestMachine({
    probe: async () => ({ ok: true, bwrap: '/usr/bin/bwrap', version: '0.8.0' }),
    defaultSandbox: RULES,
  })
  daemon = await machine.open()
})
afterAll(() => machine.close())

const sandboxOf = ({ config }: AgentRecord) => config.sandbox

test('of a patch: off, auto, the default, and single rules', async () => {
  const { id } = await daemon.create({ sandbox: 'on' })
  const patch = async (sandbox: any) => sandboxOf(await daemon.orchestrator.agents.patch(id, { sandbox }, alice))
  expect(await patch('off')).toBeNull()
  expect(await patch('auto')).toBe('auto')
  expect(await patch(null)).toEqual(RULES)
  expect(await patch({ network: 'none' })).toEqual({ ...RULES, network: { mode: 'none', hosts: [] } })
  expect(await patch({ hide: null })).toEqual({ ...SANDBOX_DEFAULTS, network: { mode: 'none', hosts: [] } })
})
