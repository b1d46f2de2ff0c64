import { afterAll } from 'vitest'
import { policyReconciler } from '../../reconcilers/policy.ts'
import { onEachDatabase } from '../support/databases.ts'
import { openOrchestrator, type RunningOrchestrator } from '../support/orchestrator.ts'
import { reconcilerContract } from './contract.ts'

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
})
