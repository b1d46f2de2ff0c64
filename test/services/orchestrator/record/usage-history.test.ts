import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { USAGE_HOURS, type UsageHistory } from '../../../../schemas/agent/usage.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import type { HandAgent } from '../../../support/hand-agent.ts'
import { alice, TestMachine, type TestOrchestrator } from '../harness.ts'

const HOUR = 3_600_000
const TABLE = 'orchestrator_usage_hours'

onEachDatabase((database) => {
  const clock = new TestClock(Date.UTC(2030, 0, 31, 22, 30))
  let machine: TestMachine
  let daemon: TestOrchestrator
  let [one, other] = [{} as { id: string; agent: HandAgent }, {} as { id: string; agent: HandAgent }]
  beforeAll(async () => {
    machine = new TestMachine({ clock, url: database.url })
    daemon = await machine.open()
    ;[one, other] = [await daemon.createConnected(), await daemon.createConnected()]
  })
  afterAll(() => machine.close())

  const agents = () => daemon.orchestrator.agents
  const history = (hours: number, agentId?: string) => daemon.orchestrator.usage.history({ hours, agentId })
  const results = async (id: string) => (await agents().usage(id)).cumulative.result_count

  async function send({ id, agent }: typeof one, figures: Record<string, unknown>) {
    const prompts = agent.prompts().length
    await agents().message(id, 'work', alice)
    await agent.prompt(prompts + 1)
    agent.result(figures)
  }

  async function turn(by: typeof one, figures: Record<string, unknown>): Promise<void> {
    const before = await results(by.id)
    await send(by, figures)
    await eventually(async () => (await results(by.id)) === before + 1)
  }

  const costs = ({ hours }: UsageHistory) => hours.map(({ start, total_cost_usd }) => [start, total_cost_usd])

  test('answers each hour, also without usage', async () => {
    const none = {
      input_tokens: 0,
      output_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
      total_cost_usd: 0,
      num_turns: 0,
      duration_ms: 0,
      duration_api_ms: 0,
      result_count: 0,
    }
    const [before, current] = ['2030-01-31T21:00:00.000Z', '2030-01-31T22:00:00.000Z']
    expect(await history(2)).toEqual({
      agent_id: null,
      hours: [
        { start: before, ...none },
        { start: current, ...none },
      ],
      total: { start: before, ...none },
      today: { start: '2030-01-31T00:00:00.000Z', ...none },
    })
    expect((await history(USAGE_HOURS.most)).hours).toHaveLength(744)
  })

  test('adds turns to the hour in UTC in which they end, per agent and for all', async () => {
    await turn(one, { total_cost_usd: 0.1, num_turns: 2, usage: { input_tokens: 10, output_tokens: 1 } })
    await turn(one, { total_cost_usd: 0.3, num_turns: 1, usage: { input_tokens: 20, output_tokens: 2 } })
    await turn(other, { total_cost_usd: 0.5, usage: { cache_read_input_tokens: 3, cache_creation_input_tokens: 4 } })
    clock.set(HOUR)
    await turn(other, { total_cost_usd: 0.7 })
    expect(await history(3)).toMatchObject({
      hours: [
        { start: '2030-01-31T21:00:00.000Z', result_count: 0 },
        {
          start: '2030-01-31T22:00:00.000Z',
          input_tokens: 30,
          output_tokens: 3,
          cache_read_input_tokens: 3,
          cache_creation_input_tokens: 4,
          total_cost_usd: 0.8,
          num_turns: 4,
          duration_ms: 30,
          result_count: 3,
        },
        { start: '2030-01-31T23:00:00.000Z', total_cost_usd: 0.2, result_count: 1 },
      ],
      total: { start: '2030-01-31T21:00:00.000Z', total_cost_usd: 1, result_count: 4 },
      today: { start: '2030-01-31T00:00:00.000Z', total_cost_usd: 1 },
    })
    expect(costs(await history(2, one.id))).toEqual([
      ['2030-01-31T22:00:00.000Z', 0.3],
      ['2030-01-31T23:00:00.000Z', 0],
    ])
    expect(await history(1, other.id)).toMatchObject({ agent_id: other.id, total: { total_cost_usd: 0.2 } })
    expect((await history(2, '00000000-0000-4000-8000-000000000000')).total.result_count).toBe(0)
  })

  test('totals the current day, however few hours are asked for', async () => {
    expect(await history(1)).toMatchObject({ total: { total_cost_usd: 0.2 }, today: { total_cost_usd: 1 } })
    clock.set(HOUR)
    await turn(one, { total_cost_usd: 0.7 })
    expect(await history(2)).toMatchObject({
      total: { start: '2030-01-31T23:00:00.000Z', total_cost_usd: 0.6 },
      today: { start: '2030-02-01T00:00:00.000Z', total_cost_usd: 0.4 },
    })
  })

  test('counts a turn in its session and its hour, or in neither', async () => {
    const [turns, { total }] = [await results(one.id), await history(1)]
    await database.db.schema.renameTable(TABLE, 'away')
    await send(one, { total_cost_usd: 0.8 })
    const count = async () => (await history(1)).total.result_count
    // Frames are taken in order: this one after the result.
    one.agent.send({ type: 'system', subtype: 'init', session_id: 'later', uuid: 'later' })
    const agent = () => database.db('orchestrator_agents').where({ id: one.id }).first()
    await eventually(async () => (await agent()).program_session === 'later')
    expect(await results(one.id)).toBe(turns)
    await database.db.schema.renameTable('away', TABLE)
    expect(await count()).toBe(total.result_count)
    one.agent.result({ total_cost_usd: 0.8 })
    await eventually(async () => (await results(one.id)) === turns + 1)
    expect(await count()).toBe(total.result_count + 1)
  })

  test('keeps the usage over a restart of the daemon and a purge of the agent', async () => {
    const before = await history(24)
    expect(before.total.result_count).toBe(6)
    await daemon.stop()
    daemon = await machine.open()
    expect(await history(24)).toEqual(before)
    await agents().purge(other.id, alice)
    expect(await history(24)).toEqual(before)
    expect((await history(24, other.id)).total.total_cost_usd).toBe(0.7)
  })

  test('deletes hours of more than 31 days ago', async () => {
    const [{ start: _, ...row }] = await database.db(TABLE).limit(1)
    const now = Math.floor(clock.now() / HOUR) * HOUR
    const hours = [742, 743, 744, 745, 2000].map((ago) => new Date(now - ago * HOUR).toISOString())
    await database.db(TABLE).insert(hours.map((start) => ({ ...row, start, agent_id: 'old' })))
    const starts = () => database.db(TABLE).where({ agent_id: 'old' }).orderBy('start', 'desc').pluck('start')
    await eventually(async () => {
      daemon.tick(HOUR)
      return (await starts()).length < 4
    })
    const oldest = (await history(USAGE_HOURS.most)).hours[0]!.start
    expect((await starts()).filter((start) => start >= oldest)).toEqual(hours.filter((start) => start >= oldest))
  })
})
