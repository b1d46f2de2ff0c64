import { afterAll, expect, test } from 'vitest'
import { policyReconciler } from '../../reconcilers/policy.ts'
import { onEachDatabase } from '../support/databases.ts'
import { openOrchestrator, type RunningOrchestrator } from '../support/orchestrator.ts'
import { reconcilerContract, stepOf } from './contract.ts'

const NO_ENTRIES = { ask: [], deny: [], otherwise: null, sandbox: null }
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
      spec: (name) => ({ name, ...NO_ENTRIES, mode: 'allow_list', tools: ['Grep', 'Read'], description: null }),
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
    const spec = { name, ...NO_ENTRIES, mode: 'deny_all' as const, tools: [], description: null }
    await reconciler.apply(stepOf('create', name, spec), lookup, signal)
    db.off('query-response', note)
    return size
  }

  test('writes, reads and clears the answers beside a list', async () => {
    const { orchestrator } = running
    const { signal } = new AbortController()
    const [reconciler, lookup] = [policyReconciler(orchestrator), { liveId: () => null, nameOf: () => null }]
    const [plain, asking] = [
      { name: 'asking', ...NO_ENTRIES, mode: 'allow_list' as const, tools: ['Read'], description: null },
      { ask: ['Bash(git push *)'], deny: ['Read(.env)'], otherwise: 'ask' as const },
    ]
    const full = { ...plain, ...asking }
    expect((await reconciler.apply(stepOf('create', 'asking', full), lookup, signal)).spec).toEqual(full)
    expect(await orchestrator.policies.get('asking')).toMatchObject(asking)
    const [changed, removed] = [
      { ...full, ask: ['Bash(make)'] },
      { ...plain, mode: 'deny_all' as const, tools: [] },
    ]
    for (const spec of [changed, removed]) {
      expect((await reconciler.apply(stepOf('update', 'asking', spec), lookup, signal)).spec).toEqual(spec)
      expect((await reconciler.observe({ name: 'asking', liveId: 'asking' }, lookup, signal))?.spec).toEqual(spec)
    }
    expect(Object.keys(await orchestrator.policies.get('asking'))).toEqual([
      'name',
      'mode',
      'tools',
      'description',
      'created_at',
      'updated_at',
    ])
  })

  test('creates a policy without reading the others', async () => {
    const few = await readToMake('among-few')
    for (let at = 0; at < 200; at++) await running.orchestrator.policies.put(`other-${at}`, { mode: 'deny_all' }, mira)
    expect(await readToMake('among-many')).toBeLessThan(2 * few)
  })
})
