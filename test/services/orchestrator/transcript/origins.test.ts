// Repeated frames are recognized, but the ids that an agent chooses hide nothing.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { atOnce } from '../../../../platform/async/time-slices.ts'
import { TestClock } from '../../../../platform/core/clock.ts'
import { draftsOf } from '../../../../services/orchestrator/transcript/drafts.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import type { Frame } from '../../../support/hand-agent.ts'
import { alice, TestMachine, type TestOrchestrator } from '../harness.ts'
import { entriesAfter, pageOf, says, shortOf } from './entries.ts'

const asks = (request_id: string, command: string): Frame => ({
  type: 'control_request',
  request_id,
  request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command } },
  uuid: 'same',
})

onEachDatabase((database) => {
  let machine: TestMachine
  let daemon: TestOrchestrator
  beforeAll(async () => {
    machine = new TestMachine({ clock: new TestClock(), url: database.url })
    daemon = await machine.open()
  })
  afterAll(() => machine.close())

  test('records each of several open requests with one uuid', async () => {
    const { id } = await daemon.create()
    const agent = await daemon.connect(id, { state: null })
    const { request_id } = agent.received.find(({ request }) => request?.subtype === 'initialize')!
    agent.answerInitialize(request_id, 'running', [asks('ask-1', 'ls'), asks('ask-2', 'ls'), asks('ask-2', 'rm')])
    await eventually(() => agent.answers('ask-2').length === 2)
    const inputs = (await pageOf(daemon, id)).items.map((entry) => entry.type === 'tool_call' && entry.input)
    expect(inputs).toEqual([{ command: 'ls' }, { command: 'ls' }, { command: 'rm' }])
  })

  test('records another frame with the uuid of one before a restart', async () => {
    const connected = await daemon.createConnected()
    const { id } = connected
    const uuid = 'u'.repeat(256)
    await entriesAfter(daemon, connected, says('one', { uuid }))
    await daemon.crash()
    daemon = await machine.open()
    const again = { id, agent: await daemon.connect(id) }
    expect((await entriesAfter(daemon, again, says('two', { uuid }))).map(shortOf)).toEqual(['text two'])
  })

  test('takes an empty uuid for none', async () => {
    const connected = await daemon.createConnected()
    const frames = ['one', 'two', 'one'].map((text) => says(text, { uuid: '' }))
    const found = await entriesAfter(daemon, connected, ...frames)
    expect(found.map(shortOf)).toEqual(['text one', 'text two', 'text one'])
    for (const count of [1, 2]) {
      const { message_id: turn } = await daemon.orchestrator.agents.message(connected.id, 'go', alice)
      await connected.agent.prompt(count)
      connected.agent.result({ uuid: '' })
      const { agents } = daemon.orchestrator
      await eventually(async () => (await agents.messageOf(connected.id, turn)).status === 'done')
    }
  })
})

test('converts the input of a call to JSON once', () => {
  let count = 0
  const input = { toJSON: () => ({ count: ++count }) }
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input }
  const [draft] = atOnce(draftsOf({ type: 'control_request', request_id: 'ask-1', request }, null))
  expect(draft).toMatchObject({ type: 'tool_call', text: '{"count":1}' })
  expect(count).toBe(1)
})

test('reads a long text in parts, with the digest of the whole', () => {
  const text = `a${'\u{1f600}'.repeat(2 * 1024 * 1024)}`
  const pieces = draftsOf(says(text), null)
  let [parts, step] = [1, pieces.next()]
  for (; !step.done; step = pieces.next()) parts++
  expect(parts).toBe(8)
  expect(step.value).toMatchObject([{ digest: createHash('sha256').update(text).digest('hex') }])
})
