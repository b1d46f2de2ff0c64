import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../../../../platform/core/clock.ts'
import { TRIGGER_VARIABLES, type TriggerType } from '../../../../../schemas/trigger.ts'
import type { WorkflowRecord } from '../../../../../schemas/workflow.ts'
import type { TriggerDefinition } from '../../../../../services/orchestrator/workflows/triggers/contract.ts'
import { triggers } from '../../../../../services/orchestrator/workflows/triggers/index.ts'
import { onEachDatabase } from '../../../../support/databases.ts'
import { eventually } from '../../../../support/eventually.ts'
import { refuseWrite } from '../../../../support/faults/failing-writes.ts'
import type { HandAgent } from '../../../../support/hand-agent.ts'
import { alice, workflow, TestMachine, type TestOrchestrator } from '../../harness.ts'
import { CONFIGS, watched, type Opening } from './contract.ts'
import { ForgeServer } from './forge-server.ts'

interface Scene {
  /** Default: the entry of CONFIGS. */
  config?(stage: Stage): Promise<Record<string, unknown>>
  /** Rejects if the event was refused and therefore did not happen. */
  happen(stage: Stage): Promise<unknown>
  sourceId: RegExp
  ready?(stage: Stage): Promise<unknown>
  /** Milliseconds after the start, if the clock decides. */
  firesAfter?: number
  /** The sender gets an error if its event is not accepted. */
  refuses?: true
  /** Variables that the event does not set. */
  leavesOut?: readonly string[]
  /** The first event disables the workflow. */
  once?: true
}

interface Stage {
  daemon: TestOrchestrator
  agentId: string
  agent: HandAgent
  id: string
  forge: ForgeServer
  other?: { flow: WorkflowRecord; agent: HandAgent }
}

const DAY = 24 * 60 * 60_000

/** Waits for a poll; a stopped trigger never polls again. */
const hasPolled = ({ daemon, id }: Stage) =>
  eventually(async () => {
    const { next_fire_at } = await daemon.orchestrator.workflows.get(id)
    return next_fire_at === null || Date.parse(next_fire_at) > daemon.clock.now()
  })

const forgeScene = (type: TriggerType, add: (forge: ForgeServer, repo: string) => void): Scene => ({
  config: async ({ agentId }) => ({ ...CONFIGS[type], repo: agentId }),
  ready: hasPolled,
  happen: async (stage) => {
    await hasPolled(stage)
    add(stage.forge, `o/${stage.agentId}`)
    stage.daemon.tick(60_000)
  },
  sourceId: /^\d+$/,
  firesAfter: 60_000,
})

const SCENES: Partial<Record<TriggerType, Scene>> = {
  forge_issues: forgeScene('forge_issues', (forge, repo) => forge.addIssue(repo)),
  forge_pull_requests: forgeScene('forge_pull_requests', (forge, repo) => forge.addPullRequest(repo)),
  queue: {
    config: async ({ agentId }) => ({ ...CONFIGS.queue, queue_name: agentId }),
    happen: async ({ daemon, agentId, agent, id }) => {
      // Finishes the previous turn first.
      const { total } = await daemon.orchestrator.workflows.history(id)
      await eventually(() => agent.prompts().length === total)
      if (total > 0) agent.result()
      await eventually(async () => (await daemon.orchestrator.agents.get(agentId)).activity === 'idle')
      await daemon.orchestrator.queues.push(agentId, { title: 'Rebuild' }, alice)
    },
    sourceId: /^queue:[0-9a-f-]{36}:[0-9a-f-]{36}:0$/,
  },
  webhook: {
    happen: async ({ daemon, id }) => {
      const response = await fetch(`${daemon.address}/webhooks/${id}`, {
        method: 'POST',
        headers: { 'x-forge-event': 'issues' },
        body: JSON.stringify({ action: 'opened', issue: { title: 'Login fails', number: 7 } }),
      })
      if (response.status !== 202) throw new Error(`answered ${response.status}`)
    },
    sourceId: /^webhook:[0-9a-f-]{36}:2030-.*Z$/,
    refuses: true,
    leavesOut: ['pr_number'],
  },
  agent_lifecycle: {
    happen: async ({ daemon, agentId }) => {
      const agent = await daemon.connect(agentId)
      agent.socket.terminate()
      await eventually(async () => !(await daemon.orchestrator.agents.get(agentId)).connected)
    },
    sourceId: /^event:session_start:[0-9a-f-]{36}:2030-.*Z$/,
  },
  dispatch_result: {
    config: async (stage) => {
      stage.other = await another(stage)
      return { type: 'dispatch_result', source_workflow_id: stage.other.flow.id, status: 'completed' }
    },
    happen: async ({ daemon, other }) => {
      const { flow, agent } = other!
      const ended = async () => {
        const { items } = await daemon.orchestrator.workflows.history(flow.id)
        return items.filter(({ status }) => status === 'completed').length
      }
      const before = await ended()
      await daemon.orchestrator.workflows.trigger(flow.id, {}, alice)
      await agent.prompt(before + 1)
      agent.result()
      await eventually(async () => (await ended()) > before)
    },
    sourceId: /^event:dispatch:[0-9a-f-]{36}:2030-.*Z$/,
  },
  cron: {
    happen: async ({ daemon }) => daemon.tick(DAY),
    sourceId: /^cron:\d{4}-\d\d-\d\dT02:00:00.000Z$/,
    firesAfter: 2 * 60 * 60_000,
  },
  delay: {
    happen: async ({ daemon }) => daemon.tick(60 * 60_000),
    sourceId: /^delay:[0-9a-f-]{36}:2030/,
    firesAfter: 60 * 60_000,
    once: true,
  },
}

const another = async ({ daemon }: Stage) => {
  const { id, agent } = await daemon.createConnected()
  const flow = await daemon.orchestrator.workflows.create(workflow(id), alice)
  return { flow, agent }
}

export function firingContract(definition: TriggerDefinition): void {
  const scene = SCENES[definition.type]
  if (scene) onEachDatabase((database) => sceneContract(definition, scene, database))
}

function sceneContract({ type }: TriggerDefinition, scene: Scene, database: { url: string }): void {
  const clock = new TestClock()
  const openings: Opening[] = []
  let machine: TestMachine
  let stage: Stage
  let id: string
  beforeAll(async () => {
    const forge = await ForgeServer.start()
    const watching = triggers.map((each) => watched(each, openings))
    const env = { SVC_FORGE_API_URL: forge.url }
    machine = new TestMachine({ clock, url: database.url, triggers: watching, env })
    stage = { daemon: await machine.open(), forge } as Stage
  })
  beforeEach(async () => {
    // Start at midnight, so that a time of day is hours away.
    clock.tick(DAY - (clock.now() % DAY))
    const { id: agentId, agent } = await stage.daemon.createConnected()
    Object.assign(stage, { agentId, agent })
    const trigger_config = (await scene.config?.(stage)) ?? CONFIGS[type]
    const brought = TRIGGER_VARIABLES[type].filter((name) => !scene.leavesOut?.includes(name))
    const prompt_template = ['{{title}}', ...brought.map((name) => `{{${name}}}`)].join('|')
    const body = workflow(stage.agentId, { trigger_config, prompt_template })
    id = (await stage.daemon.orchestrator.workflows.create(body, alice)).id
    stage.id = id
    await eventually(() => openings.some((opening) => opening.workflow.id === id && opening.state === 'running'))
    await scene.ready?.(stage)
  })
  afterEach(() => stage.daemon.orchestrator.workflows.delete(id, alice))
  afterAll(async () => {
    await machine.close()
    stage.forge.stop()
  })

  const record = () => stage.daemon.orchestrator.workflows.get(id)
  const waits = async () => (await record()).next_fire_at !== null
  const history = async () => (await stage.daemon.orchestrator.workflows.history(id)).items
  const fired = (count: number) => eventually(async () => (await history()).length === count && history())
  /** Waits for pending firings, because reads use the same queue. */
  const settled = async () => void (await stage.daemon.orchestrator.workflows.list())

  test('fires once per event and sets every variable', async () => {
    await scene.happen(stage)
    const [dispatch] = await fired(1)
    expect(dispatch!.source_id).toMatch(scene.sourceId)
    expect(dispatch!.prompt_sent).not.toContain('{{')
    expect(dispatch).toMatchObject({ trigger_type: type, workflow_id: id })
    expect(await record()).toMatchObject({ last_fired_at: dispatch!.created_at, last_error: null })
    if (scene.once) {
      expect(await record()).toMatchObject({ enabled: false })
      return
    }
    // Some types identify events by millisecond.
    stage.daemon.tick(1)
    await scene.happen(stage)
    const ids = (await fired(2)).map(({ source_id }) => source_id)
    expect(new Set(ids).size).toBe(2)
  })

  test('reports its next firing if it is predictable', async () => {
    const { next_fire_at } = await record()
    const wanted = scene.firesAfter === undefined ? null : new Date(clock.now() + scene.firesAfter).toISOString()
    expect(next_fire_at).toBe(wanted)
    await stage.daemon.orchestrator.workflows.patch(id, { enabled: false }, alice)
    await eventually(async () => !(await waits()))
  })

  test('does not fire after a stop', async () => {
    await stage.daemon.orchestrator.workflows.patch(id, { enabled: false }, alice)
    await eventually(async () => !(await waits()))
    await scene.happen(stage).catch(() => undefined)
    await settled()
    expect(await history()).toEqual([])
  })

  test('accepts an event once, whichever write fails', async () => {
    let accepted = 0
    for (let failAt = 1; ; failAt++) {
      const refusals = refuseWrite(stage.daemon.db, failAt, ofTaking)
      await scene.happen(stage).catch(() => undefined)
      await eventually(async () => (await history()).length > accepted || refusals.done())
      const refused = refusals.done()
      refusals.stop()
      if (refused) await again(accepted)
      accepted = (await fired(accepted + 1)).length
      if (!refused) break
      if (scene.once) break
    }
    expect(accepted).toBeGreaterThan(0)
  })

  const ofTaking = ({ sql, bindings = [] }: { sql: string; bindings?: readonly unknown[] }) =>
    TAKING.test(sql) && (bindings.includes(id) || bindings.includes(stage.agentId))

  /** After a failed write the trigger retries, or its sender repeats the event. */
  const again = async (accepted: number) => {
    if (scene.refuses) {
      expect(await history()).toHaveLength(accepted)
      await scene.happen(stage)
    } else
      await eventually(async () => {
        stage.daemon.tick(1000)
        return (await history()).length > accepted
      })
  }

  test('does not accept an event again after a crash', async () => {
    await scene.happen(stage)
    const [before] = await fired(1)
    await stage.daemon.crash()
    stage.daemon = await machine.open()
    await settled()
    expect((await history()).map(({ id }) => id)).toEqual([before!.id])
  })
}

const TAKING = /^insert into .orchestrator_(dispatches|prompts|trigger_cursors|firings)/
