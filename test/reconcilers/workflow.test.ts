import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { workflowReconciler } from '../../reconcilers/workflow.ts'
import { canonicalAgent } from '../../schemas/agent.ts'
import { Secret } from '../../schemas/secret.ts'
import type { WorkflowSpec } from '../../schemas/workflow.ts'
import type { Reconciler } from '../../controller/reconciler.ts'
import { eventually } from '../support/eventually.ts'
import { onEachDatabase } from '../support/databases.ts'
import { openOrchestrator, type RunningOrchestrator } from '../support/orchestrator.ts'
import { reconcilerContract, stepOf } from './contract.ts'

const mira = { actor: 'mira', requestId: 'r-9', endpoint: 'PATCH /workflows/{id}' }
const { signal } = new AbortController()

onEachDatabase((database) => {
  let running: RunningOrchestrator
  let reconciler: Reconciler
  let agentId: string
  const ids = new Map<string, string>()
  const lookup = {
    liveId: (kind: string, name: string) =>
      kind === 'agents' && name === 'worker' ? agentId : (ids.get(name) ?? null),
    nameOf: (kind: string, id: string) =>
      kind === 'agents'
        ? id === agentId
          ? 'worker'
          : null
        : ([...ids].find(([, known]) => known === id)?.[0] ?? null),
  }
  const specOf = (name: string): WorkflowSpec => ({
    name,
    agent: 'worker',
    trigger: { type: 'webhook', secret: new Secret('first') },
    prompt_template: 'Do {{title}}',
    poll_interval_secs: 60,
    enabled: true,
    on_restart: null,
    tool_policy: { mode: 'auto' },
  })
  afterAll(() => running.close())

  reconcilerContract(async () => {
    running = await openOrchestrator({ url: database.url })
    reconciler = workflowReconciler(running.orchestrator)
    const { agents, workflows } = running.orchestrator
    agentId = (
      await agents.create(
        canonicalAgent(
          { name: 'worker', runtime: 'scripted', working_dir: running.folder, shell: 'bash' },
          { restart: 'never' },
        ),
        mira,
      )
    ).id
    return {
      reconciler,
      lookup,
      spec: specOf,
      changed: (spec) => ({
        spec: { ...spec, trigger: { type: 'webhook', secret: new Secret('second') } },
        path: 'trigger.secret',
      }),
      byHand: async (liveId) => {
        await workflows.patch(liveId, { prompt_template: 'Do {{title}} by hand' }, mira)
        return { path: 'prompt_template', actor: 'mira' }
      },
      foreign: async (name) =>
        void (await workflows.create(
          { name, agent_id: agentId, trigger_config: { type: 'manual' }, prompt_template: 'x' },
          mira,
        )),
    }
  })

  test('maps the source workflow of a chain between name and id', async () => {
    const source = await reconciler.apply(stepOf('create', randomUUID(), specOf('source')), lookup, signal)
    ids.set('source', source.liveId)
    const chained: WorkflowSpec = {
      ...specOf('chained'),
      trigger: { type: 'dispatch_result', source_workflow: 'source', status: 'completed' },
    }
    const applied = await reconciler.apply(stepOf('create', randomUUID(), chained), lookup, signal)
    expect((await running.orchestrator.workflows.get(applied.liveId)).trigger_config).toMatchObject({
      source_workflow_id: source.liveId,
    })
    expect(applied.spec.trigger).toEqual(chained.trigger)
  })

  test('treats a fired delay as in sync, and restarts it on change', async () => {
    const { workflows } = running.orchestrator
    const soon: WorkflowSpec = { ...specOf('soon'), trigger: { type: 'delay', delay_secs: 0 } }
    const { liveId } = await reconciler.apply(stepOf('create', randomUUID(), soon), lookup, signal)
    await eventually(async () => !(await workflows.get(liveId)).enabled)
    const seen = async () => (await reconciler.observe({ name: 'soon', liveId }, lookup, signal))!.spec
    expect(await seen()).toEqual(soon)
    const later = { ...soon, trigger: { type: 'delay', delay_secs: 3600 } }
    await reconciler.apply(stepOf('update', liveId, later, { members: ['trigger'] }), lookup, signal)
    expect(await workflows.get(liveId)).toMatchObject({ enabled: true, trigger_config: later.trigger })
    expect(await seen()).toEqual(later)
    await reconciler.apply(stepOf('update', liveId, soon, { members: ['trigger'] }), lookup, signal)
    await eventually(async () => !(await workflows.get(liveId)).enabled)
    // Disabled manually, it stays disabled.
    const never = { ...soon, enabled: false }
    await reconciler.apply(stepOf('update', liveId, never, { members: ['enabled'] }), lookup, signal)
    expect(await seen()).toEqual(never)
  })

  test('names an agent that does not exist yet', async () => {
    const orphan = { ...specOf('orphan'), agent: 'nobody' }
    await expect(reconciler.apply(stepOf('create', randomUUID(), orphan), lookup, signal)).rejects.toThrow(
      'agent "nobody" is not in the inventory yet',
    )
  })
})
