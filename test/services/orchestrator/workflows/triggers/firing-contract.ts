// What every trigger promises of its events: each is taken on once, whatever fails, and never by one that has stopped.
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

/** How an event of a type is brought about; the trigger of a workflow of its own waits for it. */
interface Scene {
  /** The configuration; default that of CONFIGS. */
  config?(stage: Stage): Promise<Record<string, unknown>>
  /** One event. Rejects where it was refused, and then it did not happen. */
  happen(stage: Stage): Promise<unknown>
  /** Names of the task, and what stands in its prompt beside its variables. */
  sourceId: RegExp
  /** Resolves when what the trigger does first has come to its end. */
  ready?(stage: Stage): Promise<unknown>
  /** Milliseconds from the trigger's start to its first firing, where the clock decides. */
  firesAfter?: number
  /** Whoever brings the event is told when it was not taken on. */
  refuses?: true
  /** Variables that its event does not bring. */
  leavesOut?: readonly string[]
  /** One event is all there is: the workflow is disabled. */
  once?: true
}

interface Stage {
  daemon: TestOrchestrator
  agentId: string
  /** Who plays the agent of the workflow. */
  agent: HandAgent
  /** The workflow that is looked at. */
  id: string
  /** What `SVC_FORGE_API_URL` names. */
  forge: ForgeServer
  /** A workflow beside the one that is looked at. */
  other?: { flow: WorkflowRecord; agent: HandAgent }
}

const DAY = 24 * 60 * 60_000

/** It has looked, and waits for its next look; one that has stopped waits for none. */
const hasLooked = ({ daemon, id }: Stage) =>
  eventually(async () => {
    const { next_fire_at } = await daemon.orchestrator.workflows.get(id)
    return next_fire_at === null || Date.parse(next_fire_at) > daemon.clock.now()
  })

const forgeScene = (type: TriggerType, add: (forge: ForgeServer, repo: string) => void): Scene => ({
  config: async ({ agentId }) => ({ ...CONFIGS[type], repo: agentId }),
  ready: hasLooked,
  happen: async (stage) => {
    await hasLooked(stage)
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
      // The one before has come to its end.
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

/** Another agent, and a workflow of it that is triggered by hand. */
const another = async ({ daemon }: Stage) => {
  const { id, agent } = await daemon.createConnected()
  const flow = await daemon.orchestrator.workflows.create(workflow(id), alice)
  return { flow, agent }
}

/** What holds of a trigger's events, where there is a scene of one. */
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
    // At midnight, so that a time of day is some hours off.
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
  /** What is under way has come to its end: a task by hand goes the same way as every other. */
  const settled = async () => void (await stage.daemon.orchestrator.workflows.list())

  test(`${type} fires once for an event, and its task brings every variable`, async () => {
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
    // Two events of one millisecond are one to some.
    stage.daemon.tick(1)
    await scene.happen(stage)
    const ids = (await fired(2)).map(({ source_id }) => source_id)
    expect(new Set(ids).size).toBe(2)
  })

  test(`${type} says when it fires next, as far as that can be known`, async () => {
    const { next_fire_at } = await record()
    const wanted = scene.firesAfter === undefined ? null : new Date(clock.now() + scene.firesAfter).toISOString()
    expect(next_fire_at).toBe(wanted)
    await stage.daemon.orchestrator.workflows.patch(id, { enabled: false }, alice)
    await eventually(async () => !(await waits()))
  })

  test(`${type} that is stopped fires no more`, async () => {
    await stage.daemon.orchestrator.workflows.patch(id, { enabled: false }, alice)
    await eventually(async () => !(await waits()))
    await scene.happen(stage).catch(() => undefined)
    await settled()
    expect(await history()).toEqual([])
  })

  test(`${type} takes an event on once, whichever write fails on the way`, async () => {
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

  /** A write of taking a task of this workflow on. */
  const ofTaking = ({ sql, bindings = [] }: { sql: string; bindings?: readonly unknown[] }) =>
    TAKING.test(sql) && (bindings.includes(id) || bindings.includes(stage.agentId))

  /** After a write that failed: the trigger tries again by itself, or whoever brought the event was told. */
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

  test(`${type} does not take on again after a crash what it had taken on`, async () => {
    await scene.happen(stage)
    const [before] = await fired(1)
    await stage.daemon.crash()
    stage.daemon = await machine.open()
    await settled()
    expect((await history()).map(({ id }) => id)).toEqual([before!.id])
  })
}

const TAKING = /^insert into .orchestrator_(dispatches|prompts|trigger_cursors|firings)/
