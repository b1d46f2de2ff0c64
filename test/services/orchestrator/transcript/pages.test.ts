import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { LONGEST_ENTRY_TEXT } from '../../../../schemas/agent/transcript.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { alice, refusal, TestMachine, type TestOrchestrator } from '../harness.ts'
import { callsTool, entriesAfter, gives, pageOf, says, shortOf, type Side } from './entries.ts'

onEachDatabase((database) => {
  const clock = new TestClock()
  let machine: TestMachine
  let daemon: TestOrchestrator
  beforeAll(async () => {
    machine = new TestMachine({ clock, url: database.url })
    daemon = await machine.open()
  })
  afterAll(() => machine.close())

  /** Texts of all pages in a direction, in the order of the pages. */
  async function walk(id: string, side: Side, limit: number): Promise<string[][]> {
    const pages: string[][] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(daemon, id, { side, cursor, limit })
      if (page.items.length === 0) break
      pages.push(page.items.map(shortOf))
      cursor = side === 'after' ? page.next : page.previous
    }
    return pages
  }

  test('pages through all entries in both directions', async () => {
    const { id, agent } = await daemon.createConnected()
    expect(await pageOf(daemon, id)).toEqual({ items: [], next: null, previous: null, kept_since: null })
    const texts = Array.from({ length: 25 }, (_each, index) => `text ${index}`)
    const found = await entriesAfter(daemon, { id, agent }, ...texts.map((text) => says(text)))
    expect(found.map(shortOf)).toEqual(texts.map((text) => `text ${text}`))
    const all = (await pageOf(daemon, id)).items.map(shortOf)
    const forwards = await walk(id, 'after', 10)
    expect(forwards.map(({ length }) => length)).toEqual([10, 10, 6])
    expect(forwards.flat()).toEqual(all)
    const backwards = await walk(id, 'before', 10)
    expect(backwards.map(({ length }) => length)).toEqual([10, 10, 6])
    expect(backwards.toReversed().flat()).toEqual(all)
    expect((await pageOf(daemon, id)).kept_since).toBe(found[0]!.at)
  })

  test('leads from the last page to later entries', async () => {
    const { id, agent } = await daemon.createConnected()
    await entriesAfter(daemon, { id, agent })
    const { next } = await pageOf(daemon, id)
    const behind = await pageOf(daemon, id, { side: 'after', cursor: next! })
    expect(behind).toMatchObject({ items: [], next })
    agent.send(says('later'))
    const later = await eventually(async () => {
      const page = await pageOf(daemon, id, { side: 'after', cursor: next! })
      return page.items.length > 0 && page
    })
    expect(later.items.map(shortOf)).toEqual(['text later'])
    expect(await pageOf(daemon, id, { side: 'after', cursor: later.next! })).toMatchObject({ items: [] })
  })

  test('cuts long texts and serves them whole at their own address', async () => {
    const { id, agent } = await daemon.createConnected()
    // A pair of surrogates at the limit.
    const text = `${'t'.repeat(LONGEST_ENTRY_TEXT - 1)}😀 end`
    const input = { command: 'c'.repeat(LONGEST_ENTRY_TEXT) }
    const output = 'o'.repeat(2 * LONGEST_ENTRY_TEXT)
    const short = { command: 'ls' }
    const [said, called, other, given] = await entriesAfter(
      daemon,
      { id, agent },
      says(text),
      callsTool('call-1', 'Bash', input),
      callsTool('call-2', 'Bash', short),
      gives('call-1', output),
    )
    const json = JSON.stringify(input)
    expect(said).toMatchObject({ text: 't'.repeat(LONGEST_ENTRY_TEXT - 1), length: text.length, truncated: true })
    expect(called).toMatchObject({ input: json.slice(0, LONGEST_ENTRY_TEXT), length: json.length, truncated: true })
    expect(other).toMatchObject({ input: short, truncated: false })
    expect(given).toMatchObject({ text: output.slice(0, LONGEST_ENTRY_TEXT), length: output.length, truncated: true })
    const { transcripts } = daemon.orchestrator
    const whole = await Promise.all([said, called, other, given].map((entry) => transcripts.content(id, entry!.id)))
    expect(whole.map(({ length }) => length)).toEqual(
      [text, json, JSON.stringify(short), output].map((each) => each.length),
    )
    expect(whole).toEqual([text, json, JSON.stringify(short), output])
  })

  test('cuts a long prompt and serves it whole', async () => {
    const { id, agent } = await daemon.createConnected()
    const content = 'p'.repeat(LONGEST_ENTRY_TEXT + 1)
    await daemon.orchestrator.agents.message(id, content, alice)
    await agent.prompt(1)
    const [turn] = (await pageOf(daemon, id)).items
    expect(turn).toMatchObject({ type: 'turn', status: 'sent', length: content.length, truncated: true })
    expect(await daemon.orchestrator.transcripts.content(id, turn!.id)).toBe(content)
  })

  test('ends a page of long entries early and skips none', async () => {
    const { id, agent } = await daemon.createConnected()
    const text = 'x'.repeat(250_000)
    const found = await entriesAfter(
      daemon,
      { id, agent },
      ...Array.from({ length: 30 }, (_, at) => says(`${at} ${text}`)),
    )
    expect(found.length).toBeLessThan(30)
    for (const side of ['after', 'before'] as const) {
      const pages = await walk(id, side, 200)
      expect(pages.length).toBeGreaterThan(1)
      expect(pages.flat()).toHaveLength(31)
      expect(new Set(pages.flat()).size).toBe(31)
    }
  })

  test('bounds the entries of one frame and keeps its other blocks', async () => {
    const { id, agent } = await daemon.createConnected()
    const texts = Array.from({ length: 250 }, (_each, index) => ({ type: 'text', text: `part ${index}` }))
    agent.send(says('', { message: { role: 'assistant', content: texts } }))
    const items = await eventually(async () => {
      const page = await pageOf(daemon, id, { limit: 300 })
      return page.items.length === 201 && page.items
    })
    expect(items.slice(0, 200).map(shortOf)).toEqual(texts.slice(0, 200).map(({ text }) => `text ${text}`))
    expect(items[200]).toMatchObject({ type: 'text', text: JSON.stringify(texts.slice(200)) })
  })

  test('shows the current status of a turn and of an approval', async () => {
    const { id, agent } = await daemon.createCautious()
    await daemon.orchestrator.agents.message(id, 'try', alice)
    await agent.prompt(1)
    const { id: approval } = await daemon.held(agent, 'Bash', { command: 'ls' })
    const statuses = async () => {
      const { items } = await pageOf(daemon, id)
      return items.flatMap((entry) => (entry.type === 'turn' || entry.type === 'approval' ? [entry.status] : []))
    }
    expect(await statuses()).toEqual(['sent', 'pending'])
    await daemon.orchestrator.approvals.deny(approval, {}, alice)
    await daemon.orchestrator.agents.terminate(id, alice)
    expect(await statuses()).toEqual(['lost', 'denied'])
    await daemon.db('orchestrator_prompts').where({ agent_id: id }).delete()
    await daemon.db('orchestrator_approvals').where({ agent_id: id }).delete()
    expect(await statuses()).toEqual([null, null])
  })

  test('refuses unknown agents and entries, and cursors of other lists', async () => {
    const [one, other] = [await daemon.createConnected(), await daemon.createConnected()]
    const { transcripts } = daemon.orchestrator
    await entriesAfter(daemon, one)
    const [entry] = (await pageOf(daemon, one.id)).items
    expect(await refusal(pageOf(daemon, randomUUID()))).toMatchObject({ status: 404 })
    expect(await refusal(transcripts.content(one.id, randomUUID()))).toMatchObject({ status: 404 })
    expect(await refusal(transcripts.content(other.id, entry!.id))).toMatchObject({ status: 404 })
    for (const cursor of ['7', Buffer.from('["drift","a"]').toString('base64url')])
      expect(await refusal(pageOf(daemon, one.id, { side: 'after', cursor }))).toMatchObject({ status: 400 })
  })

  test('stores no secret of an agent', async () => {
    const { id, agent } = await daemon.createConnected({ env: { API_KEY: 'canary-5b1d9c' } })
    const found = await entriesAfter(
      daemon,
      { id, agent },
      says('it is canary-5b1d9c'),
      callsTool('call-1', 'Bash', { command: 'echo canary-5b1d9c' }),
      gives('call-1', `${'x'.repeat(LONGEST_ENTRY_TEXT)} canary-5b1d9c`),
    )
    expect(found.slice(0, 2)).toMatchObject([{ text: 'it is ***' }, { input: { command: 'echo ***' } }])
    const rows = await daemon.db('orchestrator_entries').where({ agent_id: id })
    expect(rows).toHaveLength(4)
    expect(JSON.stringify(rows)).not.toContain('canary-5b1d9c')
  })
})
