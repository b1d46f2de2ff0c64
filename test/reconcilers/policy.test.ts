import { afterAll, expect, test } from 'vitest'
import { policyReconciler } from '../../reconcilers/policy.ts'
import { onEachDatabase } from '../support/databases.ts'
import { openOrchestrator, type RunningOrchestrator } from '../support/orchestrator.ts'
import { reconcilerContract, stepOf } from './contract.ts'

const mira = { actor: 'mira', requestId: 'r-9', endpoint: 'PUT /policies/{name}' }

onEachDatabase((database) => {
  let running: RunningOrchestrator
  afterAll(() => running.close())

  reconcilerContract(async () => {
    running = await openOrchestrator({ url: database.url })
    const { policies } = running.orchestrator
    return {
      reconciler: policyReconciler(running.orchestrator),
      lookup: { liveId: () => null, nameOf: () => null },
      spec: (name) => ({ name, mode: 'allow_list', tools: ['Grep', 'Read'], description: null }),
      changed: (spec) => ({ spec: { ...spec, tools: ['Read'] }, path: 'tools' }),
      byHand: async (liveId) => {
        await policies.put(liveId, { mode: 'allow_list', tools: ['Grep', 'Read'], description: 'by hand' }, mira)
        return { path: 'description', actor: 'mira' }
      },
      foreign: async (name) => void (await policies.put(name, { mode: 'deny_all' }, mira)),
    }
  })

  /** Bytes read while observing and creating the policy. */
  async function readToMake(name: string): Promise<number> {
    const { orchestrator, db } = running
    const { signal } = new AbortController()
    const [reconciler, lookup] = [policyReconciler(orchestrator), { liveId: () => null, nameOf: () => null }]
    let size = 0
    const note = (answer: unknown) => void (size += JSON.stringify(answer ?? null).length)
    db.on('query-response', note)
    expect(await reconciler.observe({ name, liveId: null }, lookup, signal)).toBeNull()
    const spec = { name, mode: 'deny_all' as const, tools: [], description: null }
    await reconciler.apply(stepOf('create', name, spec), lookup, signal)
    db.off('query-response', note)
    return size
  }

  test('creates a policy without reading the others', async () => {
    const few = await readToMake('among-few')
    for (let at = 0; at < 200; at++) await running.orchestrator.policies.put(`other-${at}`, { mode: 'deny_all' }, mira)
    expect(await readToMake('among-many')).toBeLessThan(2 * few)
  })
})
