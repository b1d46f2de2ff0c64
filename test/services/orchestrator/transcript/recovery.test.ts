// Entries and what depends on them, over crashes and failures of the database.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import type { Frame, HandAgent } from '../../../support/hand-agent.ts'
import { alice, TestMachine, type TestOrchestrator } from '../harness.ts'
import { callsTool, gives, pageOf, says, shortOf, shorts } from './entries.ts'

const ENTRIES = 'orchestrator_entries'
/** Longer than a frame waits for the database. */
const RETRY_MS = 1000

onEachDatabase((database) => {
  let machine: TestMachine
  let daemon: TestOrchestrator
  beforeEach(async () => {
    // Time stands still: entries are written only because something depends on them.
    machine = new TestMachine({ clock: new TestClock(), url: database.url })
    daemon = await machine.open()
  })
  afterEach(() => machine.close())

  const stored = (id: string): Promise<string[]> =>
    daemon.db(ENTRIES).where({ agent_id: id }).orderBy('id').pluck('type') as Promise<string[]>

  async function inTurn(policy: 'allow_all' | 'require_approval' = 'allow_all') {
    const { id, agent } = await daemon.createConnected({ tool_policy: { mode: policy } })
    const { message_id: turn } = await daemon.orchestrator.agents.message(id, 'go', alice)
    await agent.prompt(1)
    return { id, agent, turn }
  }
  /** Waits until the daemon has read what the agent has sent. */
  const heard = (id: string, text: string) =>
    eventually(() => daemon.frames.some(({ agent_id, content }) => agent_id === id && content === text))
  const asks = (agent: HandAgent, request_id: string, tool_use_id: string) =>
    agent.send({
      type: 'control_request',
      request_id,
      request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id },
    })
  const full = () => ({ code: database.url.startsWith('sqlite') ? 'SQLITE_FULL' : '53100' })
  /** Fails writes of entries with `error` until the returned function is called. */
  function refuseEntries(error: object): () => void {
    const refuse = ({ sql }: { sql: string }) => {
      if (sql.startsWith('insert') && sql.includes(ENTRIES)) throw Object.assign(new Error('refused'), error)
    }
    daemon.db.on('query', refuse)
    return () => void daemon.db.removeListener('query', refuse)
  }

  test('stores entries before it answers a tool request', async () => {
    const { id, agent } = await inTurn()
    agent.send(says('looking'), callsTool('call-1', 'Bash', { command: 'ls' }))
    asks(agent, 'ask-1', 'call-1')
    await agent.answer('ask-1')
    expect(await stored(id)).toEqual(['turn', 'text', 'tool_call'])
  })

  test('stores entries before a result ends its turn', async () => {
    const { id, agent, turn } = await inTurn()
    agent.send(says('done'))
    agent.result()
    await eventually(async () => (await daemon.orchestrator.agents.messageOf(id, turn)).status === 'done')
    expect(await stored(id)).toEqual(['turn', 'text', 'result'])
  })

  test('writes other entries soon', async () => {
    const { id, agent } = await inTurn()
    agent.send(says('hello'))
    await heard(id, 'hello')
    await eventually(async () => {
      daemon.tick(250)
      return (await stored(id)).length === 2
    })
  })

  test('bounds the characters of one transaction', async () => {
    const connected = await Promise.all([1, 2, 3].map(() => daemon.createConnected()))
    const sizes = new Map<string, number>()
    daemon.db.on(
      'query',
      ({ sql, bindings, __knexTxId: id }: { sql: string; bindings: unknown[]; __knexTxId: string }) => {
        if (!sql.startsWith('insert') || !sql.includes(ENTRIES)) return
        const texts = bindings.filter((each) => typeof each === 'string')
        sizes.set(id, (sizes.get(id) ?? 0) + texts.join('').length)
      },
    )
    const text = 'x'.repeat(250_000)
    for (const { id, agent } of connected) {
      agent.send(says(text), says(text), says(text), says(text), says('end'))
      await heard(id, 'end')
    }
    expect(sizes.size).toBe(0)
    await eventually(async () => {
      daemon.tick(250)
      const all = await Promise.all(connected.map(({ id }) => stored(id)))
      return all.every(({ length }) => length === 5)
    })
    expect([...sizes.values()].every((size) => size <= 2 * 1024 * 1024)).toBe(true)
  })

  test('keeps the entries of a turn in order over a crash of the daemon', async () => {
    const { id, agent, turn } = await inTurn()
    const frames: Frame[] = [
      says('one'),
      callsTool('call-1', 'Bash', { command: 'ls' }),
      gives('call-1', 'a'),
      says('two'),
    ]
    agent.send(...frames.slice(0, 2))
    asks(agent, 'ask-1', 'call-1')
    await agent.answer('ask-1')
    agent.send(...frames.slice(2))
    await heard(id, 'two')
    await daemon.crash()
    daemon = await machine.open()
    expect(await stored(id)).toEqual(['turn', 'text', 'tool_call'])
    const again = await daemon.connect(id, { state: 'running', lastPrompt: turn })
    // As the bridge does: the frames of the turn, and later ones.
    again.send(...frames, says('three'))
    again.result({ result: 'three' })
    await eventually(async () => (await daemon.orchestrator.agents.messageOf(id, turn)).status === 'done')
    expect(await shorts(daemon, id)).toEqual([
      'turn go',
      'text one',
      'tool_call Bash',
      'tool_result a',
      'text two',
      'text three',
      'result',
    ])
    const { items } = await pageOf(daemon, id)
    expect(items.map(({ turn_id }) => turn_id)).toEqual(items.map(() => turn))
  })

  test('records an open turn and approval that a crash kept from the transcript', async () => {
    const { id, agent } = await inTurn('require_approval')
    await daemon.held(agent, 'Bash', { command: 'ls' })
    await daemon.crash()
    daemon = await machine.open()
    await daemon.db(ENTRIES).where({ agent_id: id, type: 'turn' }).delete()
    await daemon.crash()
    daemon = await machine.open()
    await eventually(async () => (await shorts(daemon, id)).length === 3)
    expect((await shorts(daemon, id)).toSorted()).toEqual(['approval pending', 'tool_call Bash', 'turn go'])
  })

  test('makes frames wait while the database refuses writes, and loses none', async () => {
    const { id, agent, turn } = await inTurn()
    const accept = refuseEntries(full())
    agent.send(says('one'))
    asks(agent, 'ask-1', 'call-1')
    agent.result()
    await eventually(() => daemon.frame('result', id))
    daemon.tick(RETRY_MS)
    expect(agent.answers('ask-1')).toEqual([])
    expect((await daemon.orchestrator.agents.messageOf(id, turn)).status).toBe('sent')
    accept()
    await eventually(async () => {
      daemon.tick(RETRY_MS)
      return (await daemon.orchestrator.agents.messageOf(id, turn)).status === 'done'
    })
    expect(await stored(id)).toEqual(['turn', 'text', 'tool_call', 'result'])
    await agent.answer('ask-1')
    expect(agent.answers('ask-1')).toHaveLength(1)
  })

  test('shows stored entries while the database refuses writes', async () => {
    const { id, agent } = await inTurn()
    agent.send(says('one'))
    await heard(id, 'one')
    const before = await pageOf(daemon, id)
    const accept = refuseEntries(full())
    agent.send(says('two'))
    await heard(id, 'two')
    expect(await pageOf(daemon, id)).toEqual(before)
    expect(await daemon.orchestrator.transcripts.content(id, before.items.at(-1)!.id)).toBe('one')
    asks(agent, 'ask-1', 'call-1')
    await eventually(() => daemon.frame('control_request', id))
    expect(await pageOf(daemon, id)).toEqual(before)
    accept()
    await eventually(() => {
      daemon.tick(RETRY_MS)
      return agent.answers('ask-1').length > 0
    })
    const later = await pageOf(daemon, id, { side: 'after', cursor: before.next! })
    expect(later.items.map(shortOf)).toEqual(['text two', 'tool_call Bash'])
  })

  test('goes on without entries that the database cannot store, and counts them', async () => {
    const { id, agent, turn } = await inTurn()
    const accept = refuseEntries({})
    agent.send(says('one'))
    agent.result()
    await eventually(async () => (await daemon.orchestrator.agents.messageOf(id, turn)).status === 'done')
    accept()
    expect(await daemon.figure('transcript_entries_lost_total')).toBe(3)
    expect(await stored(id)).toEqual([])
  })

  test('counts entries that the database refuses until the stop', async () => {
    const { id, agent } = await inTurn()
    const lost = async () => Number(await daemon.figure('transcript_entries_lost_total'))
    const before = await lost()
    refuseEntries(full())
    agent.send(says('one'))
    await heard(id, 'one')
    await daemon.stop()
    expect(await lost()).toBeGreaterThanOrEqual(before + 2)
    daemon = await machine.open()
    expect(await stored(id)).toEqual([])
  })

  test('ignores repeated frames after a reconnect', async () => {
    const { id, agent, turn } = await inTurn()
    const said = says('one')
    agent.send(said)
    await heard(id, 'one')
    const again = await daemon.connect(id, { state: 'running', lastPrompt: turn })
    again.send(said, says('two'))
    again.result({ result: 'other' })
    await eventually(async () => (await daemon.orchestrator.agents.messageOf(id, turn)).status === 'done')
    const texts = (await shorts(daemon, id)).filter((text) => !text.startsWith('error'))
    expect(texts).toEqual(['turn go', 'text one', 'text two', 'result other'])
  })
})
