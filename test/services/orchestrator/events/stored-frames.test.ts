import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import type { StreamFrame } from '../../../../schemas/agent/stream.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import type { HandAgent } from '../../../support/hand-agent.ts'
import { alice, TestMachine, type TestOrchestrator } from '../harness.ts'

const DAY_MS = 86_400_000
const EVER = '2000-01-01T00:00:00.000Z'

onEachDatabase((database) => {
  const clock = new TestClock()
  let machine: TestMachine
  let daemon: TestOrchestrator
  beforeAll(async () => {
    machine = new TestMachine({ clock, url: database.url })
    daemon = await machine.open()
  })
  afterAll(() => machine.close())

  const says = (agent: HandAgent, text: string) =>
    agent.send({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } })
  const now = () => new Date(clock.now()).toISOString()

  function watching(since: string, agentId?: string, room = async (): Promise<void> => undefined) {
    const frames: StreamFrame[] = []
    const stop = daemon.orchestrator.streams.replay((frame) => frames.push(frame), { since, agentId, room })
    return {
      frames,
      stop,
      texts: () => frames.filter(({ type }) => type === 'assistant').map(({ content }) => content),
    }
  }
  const heard = (text: string) => eventually(() => daemon.frames.some(({ content }) => content === text))

  test('replays recorded frames before live ones, for one agent or all', async () => {
    const [one, two] = [await daemon.createConnected(), await daemon.createConnected()]
    says(one.agent, 'long ago')
    await heard('long ago')
    daemon.tick(60_000)
    const since = now()
    says(one.agent, 'one before')
    await heard('one before')
    says(two.agent, 'two before')
    await heard('two before')
    const [all, first] = [watching(since), watching(since, one.id)]
    says(one.agent, 'one now')
    await eventually(() => all.texts().includes('one now') && first.texts().includes('one now'))
    expect(all.texts()).toEqual(['one before', 'two before', 'one now'])
    expect(first.texts()).toEqual(['one before', 'one now'])
    expect(first.frames[0]).toEqual({
      agent_id: one.id,
      type: 'assistant',
      content: 'one before',
      timestamp: since,
      message: null,
    })
    first.stop()
    says(one.agent, 'unheard')
    await eventually(() => all.texts().includes('unheard'))
    expect(first.texts()).not.toContain('unheard')
    all.stop()
  })

  test('replays without gaps or repeats under load and waits for slow readers', async () => {
    const { id, agent } = await daemon.createConnected()
    const texts = Array.from({ length: 900 }, (_each, index) => `word ${index}`)
    for (const text of texts.slice(0, 600)) says(agent, text)
    await heard('word 599')
    let waits = 0
    const watch = watching(EVER, id, async () => {
      waits++
      await new Promise((resolve) => setTimeout(resolve, 20))
    })
    for (const text of texts.slice(600)) says(agent, text)
    await eventually(() => watch.texts().includes('word 899'), 20_000)
    expect(watch.texts()).toEqual(texts)
    expect(waits).toBeGreaterThan(2)
    watch.stop()
  })

  test('keeps approvals and frames across a restart of the daemon', async () => {
    const { id, agent } = await daemon.createCautious()
    const since = now()
    const approval = await daemon.held(agent, 'Bash', { command: 'ls' })
    await daemon.orchestrator.approvals.approve(approval.id, {}, alice)
    await eventually(() => daemon.frame('approval_delivered', id))
    says(agent, 'the last words')
    await heard('the last words')
    await daemon.stop()
    daemon = await machine.open()
    const { frames, stop, texts } = watching(since, id)
    await eventually(() => texts().length === 1)
    const types = frames.map(({ type }) => type)
    expect(types).toEqual(['pending_approval', 'approval_decided', 'approval_delivered', 'assistant'])
    expect(frames[1]!.approval).toMatchObject({ id: approval.id, status: 'approved', decided_by: 'alice' })
    stop()
  })

  test('stores no secret of an agent', async () => {
    const { agent } = await daemon.createConnected({ env: { API_KEY: 'canary-77aa1f' } })
    says(agent, 'it is canary-77aa1f, and that is all')
    await heard('it is ***, and that is all')
    const watch = watching(EVER)
    await eventually(() => watch.texts().includes('it is ***, and that is all'))
    watch.stop()
    expect(JSON.stringify(await daemon.db('orchestrator_transcript').select('*'))).not.toContain('canary-77aa1f')
  })

  test('deletes entries after seven days, not earlier', async () => {
    const { id, agent } = await daemon.createConnected()
    says(agent, 'old')
    await heard('old')
    const kept = async () =>
      (await daemon
        .db('orchestrator_transcript')
        .where({ agent_id: id, type: 'assistant' })
        .pluck('content')) as string[]
    daemon.tick(250)
    await eventually(async () => (await kept()).includes('old'))
    daemon.tick(6 * DAY_MS)
    says(agent, 'new')
    await heard('new')
    daemon.tick(1.1 * DAY_MS)
    await eventually(async () => {
      daemon.tick(3_600_000)
      return !(await kept()).includes('old')
    })
    expect(await kept()).toEqual(['new'])
  })

  test('shows each prompt with its status and result', async () => {
    const { id, agent } = await daemon.createConnected()
    const { agents } = daemon.orchestrator
    const { message_id } = await agents.message(id, 'one', alice)
    await agent.prompt(1)
    const { message_id: waiting } = await agents.message(id, 'two', alice)
    const statuses = async () => (await agents.messages(id)).items.map(({ content, status }) => `${content} ${status}`)
    expect(await statuses()).toEqual(['two queued', 'one sent'])
    agent.result({ result: 'it is one' })
    await agent.prompt(2)
    expect(await agents.messageOf(id, message_id)).toMatchObject({ status: 'done', result: 'it is one', error: null })
    agent.result({ is_error: true, subtype: 'error_during_execution', result: undefined, errors: ['no'] })
    await eventually(async () => (await agents.messageOf(id, waiting)).status === 'failed')
    expect(await agents.messageOf(id, waiting)).toMatchObject({ result: '', error: 'no' })
    await agents.message(id, 'three', alice)
    await agent.prompt(3)
    await agents.terminate(id, alice)
    expect(await statuses()).toEqual(['three lost', 'two failed', 'one done'])
    expect(await agents.messages(id, { limit: 1, offset: 1 })).toMatchObject({ items: [{ id: waiting }], total: 3 })
    const { id: other } = await daemon.create()
    await expect(agents.messageOf(other, message_id)).rejects.toMatchObject({ status: 404 })
  })
})
