import { afterAll, beforeAll, expect, test } from 'vitest'
import { Value } from 'typebox/value'
import { TestClock, type Clock } from '../../../../../platform/core/clock.ts'
import { isOpenWebhook, TRIGGER_VARIABLES, TRIGGERS, type TriggerType } from '../../../../../schemas/trigger.ts'
import { checkTemplate } from '../../../../../schemas/workflow/template.ts'
import type {
  TriggerDefinition,
  TriggeredWorkflow,
  TriggerWorld,
} from '../../../../../services/orchestrator/workflows/triggers/contract.ts'
import { onEachDatabase } from '../../../../support/databases.ts'
import { eventually } from '../../../../support/eventually.ts'
import { alice, workflow, TestMachine, type TestOrchestrator } from '../../harness.ts'

export const CONFIGS: Record<TriggerType, Record<string, unknown>> = {
  forge_issues: { type: 'forge_issues', owner: 'o', repo: 'r', labels: [], state: 'open' },
  forge_pull_requests: { type: 'forge_pull_requests', owner: 'o', repo: 'r', labels: [], state: 'open' },
  webhook: { type: 'webhook' },
  queue: { type: 'queue', queue_name: 'jobs', poll_interval_secs: 5, visibility_timeout_secs: 300 },
  agent_lifecycle: { type: 'agent_lifecycle', event: 'session_start' },
  dispatch_result: { type: 'dispatch_result' },
  manual: { type: 'manual' },
  cron: { type: 'cron', expression: '0 2 * * *', timezone: 'UTC', catch_up: 'none' },
  delay: { type: 'delay', delay_secs: 3600 },
}

/** Types that start a timer. */
const WAITS: TriggerType[] = ['cron', 'delay', 'queue', 'forge_issues', 'forge_pull_requests']

export interface Opening {
  workflow: TriggeredWorkflow
  world: TriggerWorld
  state: 'open' | 'running' | 'stopped'
  timers: Set<object>
}

export function watched(definition: TriggerDefinition, openings: Opening[]): TriggerDefinition {
  return {
    ...definition,
    open: (world, workflow) => {
      const timers = new Set<object>()
      const running = definition.open({ ...world, clock: counting(world.clock, timers) }, workflow)
      const opening: Opening = { workflow, world, state: 'open', timers }
      openings.push(opening)
      return {
        next: () => running.next?.() ?? null,
        ...(running.receive ? { receive: (delivery) => running.receive!(delivery) } : {}),
        start: async () => {
          await running.start()
          opening.state = 'running'
        },
        stop: async () => {
          await running.stop()
          opening.state = 'stopped'
        },
      }
    },
  }
}

/** Collects the pending timers of `clock` in `timers`. */
function counting(clock: Clock, timers: Set<object>): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms, callback) => {
      const fire = () => {
        timers.delete(timer)
        callback()
      }
      const set = clock.after(ms, fire)
      const timer = {
        cancel: () => {
          timers.delete(timer)
          set.cancel()
        },
      }
      timers.add(timer)
      return timer
    },
  }
}

export function triggerContract(definition: TriggerDefinition): void {
  const { type } = definition
  const config = CONFIGS[type]

  test('accepts its own configuration and no other', () => {
    expect(Value.Check(TRIGGERS[type], config)).toBe(true)
    const others = Object.keys(TRIGGERS).filter((other) => other !== type) as TriggerType[]
    expect(others.filter((other) => Value.Check(TRIGGERS[type], CONFIGS[other]))).toEqual([])
  })

  test('lists the variables that a template may use', () => {
    const template = TRIGGER_VARIABLES[type].map((name) => `{{${name}}}`).join(' ')
    expect(checkTemplate(`Do {{title}} ${template}`, type).warnings).toEqual([])
  })

  onEachDatabase((database) => {
    const clock = new TestClock()
    const openings: Opening[] = []
    let machine: TestMachine
    let daemon: TestOrchestrator
    let agentId: string
    beforeAll(async () => {
      machine = new TestMachine({ clock, url: database.url, triggers: [watched(definition, openings)] })
      daemon = await machine.open()
      agentId = (await daemon.create()).id
    })
    afterAll(() => machine.close())

    const make = (more: Record<string, unknown> = {}) =>
      daemon.orchestrator.workflows.create(workflow(agentId, { trigger_config: config, ...more }), alice)
    const states = (id: string) =>
      openings.filter((opening) => opening.workflow.id === id).map((opening) => opening.state)
    const become = (id: string, wanted: Opening['state'][]) =>
      eventually(() => expect(states(id)).toEqual(wanted) ?? true)
    const latest = (id: string) => openings.findLast((opening) => opening.workflow.id === id)!

    test('runs while its workflow is enabled', async () => {
      const { workflows } = daemon.orchestrator
      const { id, warnings } = await make({ enabled: false })
      expect(warnings).toEqual(isOpenWebhook(config) ? [expect.stringContaining('SVC_OPEN_WEBHOOKS=on')] : [])
      await workflows.patch(id, { enabled: true }, alice)
      await become(id, ['running'])
      expect(latest(id).workflow).toMatchObject({ id, trigger: config, pollIntervalSecs: 60 })
      await workflows.patch(id, { enabled: false }, alice)
      await become(id, ['stopped'])
      await workflows.patch(id, { enabled: true }, alice)
      await become(id, ['stopped', 'running'])
      await workflows.delete(id, alice)
      await become(id, ['stopped', 'stopped'])
    })

    test('reopens only when its own settings change', async () => {
      const { workflows } = daemon.orchestrator
      const { id } = await make()
      await become(id, ['running'])
      await workflows.patch(id, { prompt_template: 'Another {{title}}', tool_policy: { mode: 'allow_all' } }, alice)
      await workflows.patch(id, { poll_interval_secs: 7 }, alice)
      await become(id, ['stopped', 'running'])
      expect(latest(id).workflow.pollIntervalSecs).toBe(7)
      await workflows.delete(id, alice)
      await become(id, ['stopped', 'stopped'])
    })

    test('leaves no timer behind when stopped', async () => {
      const { id } = await make()
      await become(id, ['running'])
      const { timers } = latest(id)
      if (WAITS.includes(type)) await eventually(() => timers.size > 0)
      await daemon.orchestrator.workflows.delete(id, alice)
      await become(id, ['stopped'])
      expect(timers.size).toBe(0)
    })

    test('continues from its cursor in the next daemon', async () => {
      const { id } = await make()
      await become(id, ['running'])
      const cursor = await latest(id).world.cursor()
      await daemon.stop()
      expect(states(id)).toEqual(['stopped'])
      daemon = await machine.open()
      expect(states(id)).toEqual(['stopped', 'running'])
      expect(await latest(id).world.cursor()).toBe(cursor)
      await daemon.orchestrator.workflows.delete(id, alice)
      expect(await latest(id).world.cursor()).toBeNull()
    })
  })
}
