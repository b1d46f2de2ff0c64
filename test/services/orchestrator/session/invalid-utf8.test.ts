// Invalid UTF-8, NUL and halves of surrogate pairs from an agent's socket, on both databases.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { DATABASES, databaseOn } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { strictlyParsed } from '../../../platform/http/strict-json.ts'
import { TestMachine, type TestOrchestrator } from '../harness.ts'
import { RawAgent } from './raw-agent.ts'

const CUT = Buffer.from([0xf0, 0x9f, 0x98])
const START = '2020-01-01T00:00:00Z'
const STRAY = Buffer.from([0xff])

describe.each(DATABASES)('a %s database', (kind) => {
  let removeDatabase: () => Promise<void>
  let machine: TestMachine
  let daemon: TestOrchestrator
  let id: string
  let agent: RawAgent
  const received: string[] = []
  beforeEach(async () => {
    received.length = 0
    const { url, remove } = await databaseOn(kind)
    removeDatabase = remove
    machine = new TestMachine({ url })
    daemon = await machine.open()
    ;({ id } = await daemon.create({ tool_policy: { mode: 'require_approval' } }))
    const { token } = await machine.launchFile(id)
    agent = await RawAgent.connect(daemon.address, `/ws/${id}`, token)
    agent.send(frame({ type: 'system', subtype: 'bridge', guarded: true, guard_reason: null, agent_version: '9.9.9' }))
    await eventually(async () => (await daemon.orchestrator.agents.get(id)).connected)
    const stream = new WebSocket(`${daemon.address.replace('http', 'ws')}/stream/${id}`)
    stream.on('message', (bytes) => received.push(String(bytes)))
    onTestFinished(() => stream.terminate())
    await eventually(() => stream.readyState === WebSocket.OPEN)
  })
  afterEach(async () => {
    agent.close()
    await machine.close()
    await removeDatabase()
  })

  const frame = (members: object): string => `${JSON.stringify({ ...members, uuid: randomUUID() })}\n`
  const replaced = () => daemon.figure('agent_characters_replaced_total')

  test('are U+FFFD in streams and transcripts, and counted', async () => {
    const [head, tail] = frame({
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'text', text: 'a|b' }] },
    }).split('|')
    agent.send(head!, STRAY, CUT, String.raw`\u0000 \ud83d \ud83d\ude00`, tail!)
    const shown = 'a\uFFFD\uFFFD\uFFFD \uFFFD \u{1F600}b'
    const line = await eventually(() => received.find((text) => text.includes('assistant')))
    expect(strictlyParsed(line).content).toBe(shown)
    await eventually(async () => (await replaced()) === 4)
    expect(await fromDatabase()).toBe(shown)
  })

  test('are U+FFFD in a stored tool request', async () => {
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'echo |' } }
    const [head, tail] = frame({ type: 'control_request', request_id: 'r1', request }).split('|')
    agent.send(head!, STRAY, '\\udc00', tail!)
    const approval = await eventually(async () => (await daemon.orchestrator.approvals.list()).items[0])
    expect(approval.tool_input).toEqual({ command: 'echo \uFFFD\uFFFD' })
    const answer = await fetch(`${daemon.address}/approvals/${approval.id}`)
    expect(strictlyParsed(new Uint8Array(await answer.arrayBuffer())).tool_input).toEqual(approval.tool_input)
    expect(await replaced()).toBe(2)
  })

  /** The transcript as the database has it. */
  async function fromDatabase(): Promise<string> {
    const stream = new WebSocket(`${daemon.address.replace('http', 'ws')}/stream/${id}?since=${START}`)
    onTestFinished(() => stream.terminate())
    const texts: string[] = []
    stream.on('message', (bytes) => texts.push(String(bytes)))
    return eventually(() => {
      const found = texts.find((text) => text.includes('assistant'))
      return found && (strictlyParsed(found).content as string)
    })
  }
})
