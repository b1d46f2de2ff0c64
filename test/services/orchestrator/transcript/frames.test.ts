// Every type of frame makes entries in the transcript, or is counted.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import type { agentFrames } from '../../../../schemas/frames/agent-frame.ts'
import { TranscriptPage } from '../../../../schemas/agent/transcript.ts'
import { createAjv } from '../../../../schemas/validation/ajv.ts'
import { eventually } from '../../../support/eventually.ts'
import type { Frame } from '../../../support/hand-agent.ts'
import { alice, TestMachine, type TestOrchestrator } from '../harness.ts'
import { callsTool, entriesAfter, gives, pageOf, says, shortOf, shorts } from './entries.ts'

const clock = new TestClock()
const machine = new TestMachine({ clock })
let daemon: TestOrchestrator
beforeAll(async () => {
  daemon = await machine.open()
})
afterAll(() => machine.close())

interface Sample {
  title: string
  frames: Frame[]
  /** Fields of the entries, in order. */
  entries: object[]
  /** Frames without an entry. */
  counted?: number
}

const asks = (tool: string, more: Frame = {}): Frame => ({
  type: 'control_request',
  request_id: 'ask-1',
  request: { subtype: 'can_use_tool', tool_name: tool, input: { command: 'ls' }, ...more },
})
const block = (role: 'assistant' | 'user', content: unknown): Frame => ({ type: role, message: { role, content } })
const system = (subtype: string, more: Frame = {}): Frame => ({ type: 'system', subtype, ...more })

/** A frame type without samples does not compile. */
const SAMPLES: Record<keyof typeof agentFrames | 'other', Sample[]> = {
  assistant: [
    { title: 'a text', frames: [says('hello')], entries: [{ type: 'text', from: 'assistant', text: 'hello' }] },
    { title: 'a text as content', frames: [block('assistant', 'hi')], entries: [{ type: 'text', text: 'hi' }] },
    {
      title: 'thoughts of a subagent',
      frames: [{ ...block('assistant', [{ type: 'thinking', thinking: 'hm' }]), parent_tool_use_id: 'call-0' }],
      entries: [{ type: 'text', from: 'thinking', text: 'hm', parent_call_id: 'call-0' }],
    },
    {
      title: 'a tool call',
      frames: [callsTool('call-1', 'Bash', { command: 'ls' })],
      entries: [{ type: 'tool_call', call_id: 'call-1', tool_name: 'Bash', input: { command: 'ls' } }],
    },
    {
      title: 'blocks of one frame',
      frames: [
        block('assistant', [
          { type: 'text', text: 'a' },
          { type: 'tool_use', id: 'b', name: 'Read' },
        ]),
      ],
      entries: [
        { type: 'text', text: 'a' },
        { type: 'tool_call', call_id: 'b', tool_name: 'Read', input: {} },
      ],
    },
    {
      title: 'an unknown block',
      frames: [block('assistant', [{ type: 'image', source: 'x' }])],
      entries: [{ type: 'text', text: '{"type":"image","source":"x"}' }],
    },
    { title: 'no content', frames: [block('assistant', [])], entries: [], counted: 1 },
  ],
  user: [
    {
      title: 'a tool result',
      frames: [gives('call-1', 'yes')],
      entries: [{ type: 'tool_result', call_id: 'call-1', text: 'yes', is_error: false }],
    },
    {
      title: 'a failed tool with several blocks',
      frames: [
        gives(
          'call-1',
          [
            { type: 'text', text: 'no' },
            { type: 'image', data: 'x' },
          ],
          true,
        ),
      ],
      entries: [{ type: 'tool_result', text: 'no\n{"type":"image","data":"x"}', is_error: true }],
    },
    {
      title: 'a note',
      frames: [block('user', '[Request interrupted by user]')],
      entries: [{ type: 'text', from: 'user', text: '[Request interrupted by user]' }],
    },
  ],
  result: [
    {
      title: 'a result',
      frames: [{ type: 'result', is_error: false, result: 'done', num_turns: 2, duration_ms: 5 }],
      entries: [{ type: 'result', status: 'completed', text: 'done', num_turns: 2, duration_ms: 5, origin: null }],
    },
    {
      title: 'a result that repeats the last text',
      frames: [says('done'), { type: 'result', result: 'done' }],
      entries: [{ type: 'text' }, { type: 'result', text: '', repeats_text: true }],
    },
    {
      title: 'an error',
      frames: [{ type: 'result', is_error: true, errors: ['no', { code: 7 }], terminal_reason: 'aborted_tools' }],
      entries: [{ type: 'result', status: 'failed', text: 'no; {"code":7}', reason: 'aborted_tools' }],
    },
    {
      title: 'a result that no prompt asked for',
      frames: [{ type: 'result', result: 'later', origin: { kind: 'task-notification' } }],
      entries: [{ type: 'result', text: 'later', origin: 'task-notification', turn_id: null }],
    },
  ],
  system: [
    { title: 'a state', frames: [system('init', { session_id: 'x' })], entries: [], counted: 1 },
    {
      title: 'a retry',
      frames: [system('api_retry', { attempt: 2 })],
      entries: [{ type: 'error', code: 'api_retry', text: '{"attempt":2}' }],
    },
    {
      title: 'a compaction',
      frames: [system('compact_boundary')],
      entries: [{ type: 'notice', code: 'compact_boundary', text: '{}' }],
    },
  ],
  control_request: [
    {
      title: 'a call that was not reported before',
      frames: [asks('Bash', { tool_use_id: 'call-2' })],
      entries: [{ type: 'tool_call', call_id: 'call-2', tool_name: 'Bash', input: { command: 'ls' } }],
    },
    {
      title: 'a call that was reported before',
      frames: [callsTool('call-3', 'Bash', { command: 'ls' }), asks('Bash', { tool_use_id: 'call-3' })],
      entries: [{ type: 'tool_call', call_id: 'call-3' }],
      counted: 1,
    },
    {
      title: 'a second request for the same call',
      frames: [
        callsTool('call-4', 'Bash', { command: 'ls' }),
        asks('Bash', { tool_use_id: 'call-4' }),
        { ...asks('Bash', { tool_use_id: 'call-4' }), request_id: 'ask-2' },
      ],
      entries: [{ type: 'tool_call' }, { type: 'tool_call', call_id: 'call-4' }],
      counted: 1,
    },
    {
      title: 'a call that was reported with another input',
      frames: [callsTool('call-5', 'Bash', { command: 'true' }), asks('Bash', { tool_use_id: 'call-5' })],
      entries: [{ input: { command: 'true' } }, { type: 'tool_call', call_id: 'call-5', input: { command: 'ls' } }],
    },
    {
      title: 'a call that was reported of another tool',
      frames: [callsTool('call-6', 'Read', { command: 'ls' }), asks('Bash', { tool_use_id: 'call-6' })],
      entries: [{ tool_name: 'Read' }, { type: 'tool_call', call_id: 'call-6', tool_name: 'Bash' }],
    },
    {
      title: 'a repeated request with another input',
      frames: [
        asks('Bash', { tool_use_id: 'call-7' }),
        asks('Bash', { tool_use_id: 'call-7' }),
        asks('Bash', { tool_use_id: 'call-7', input: { command: 'rm' } }),
      ],
      entries: [{ input: { command: 'ls' } }, { type: 'tool_call', input: { command: 'rm' } }],
      counted: 1,
    },
    {
      title: 'another request',
      frames: [{ type: 'control_request', request_id: 'ask-3', request: { subtype: 'hook_callback' } }],
      entries: [],
      counted: 1,
    },
  ],
  control_cancel_request: [
    { title: 'a withdrawal', frames: [{ type: 'control_cancel_request', request_id: 'x' }], entries: [], counted: 1 },
  ],
  // It settles a request of the daemon, and reaches no queue of frames.
  control_response: [
    {
      title: 'an answer',
      frames: [{ type: 'control_response', response: { subtype: 'success', request_id: 'x' } }],
      entries: [],
    },
  ],
  conversation_reset: [
    {
      title: 'a cleared context',
      frames: [{ type: 'conversation_reset', uuid: 'reset-1' }],
      entries: [{ type: 'notice', code: 'context_cleared' }],
      counted: 1,
    },
  ],
  sandbox_refused: [
    {
      title: 'a host, of an agent without a sandbox',
      frames: [{ type: 'sandbox_refused', host: 'example.org', port: 443, count: 1 }],
      entries: [],
      counted: 1,
    },
  ],
  keep_alive: [{ title: 'a sign of life', frames: [{ type: 'keep_alive' }], entries: [], counted: 1 }],
  other: [
    { title: 'a piece of a text', frames: [{ type: 'stream_event', event: {} }], entries: [], counted: 1 },
    { title: 'a type of a later version', frames: [{ type: 'from_tomorrow' }], entries: [], counted: 1 },
    { title: 'an imitated report', frames: [{ type: 'message_lost' }], entries: [], counted: 1 },
  ],
}

const countedSoFar = async () =>
  Object.values((await daemon.figure('agent_frames_without_entry_total')) as Record<string, number>).reduce(
    (sum, count) => sum + count,
    0,
  )

describe('a frame of type', () => {
  let connected: Awaited<ReturnType<TestOrchestrator['createConnected']>>
  beforeAll(async () => {
    connected = await daemon.createConnected()
  })
  const samples = Object.entries(SAMPLES).flatMap(([type, all]) => all.map((sample) => ({ type, ...sample })))
  test.each(samples)('records or counts $type: $title', async ({ frames, entries, counted = 0 }) => {
    await entriesAfter(daemon, connected)
    const before = await countedSoFar()
    const found = await entriesAfter(daemon, connected, ...frames)
    expect(found).toMatchObject(entries)
    expect(found).toHaveLength(entries.length)
    expect((await countedSoFar()) - before).toBe(counted)
  })
})

test('names the type of a counted frame, and no type that an agent invents', async () => {
  const connected = await daemon.createConnected()
  await entriesAfter(daemon, connected, { type: 'keep_alive' }, { type: 'constructor' }, { type: 'x'.repeat(64) })
  const counts = (await daemon.figure('agent_frames_without_entry_total')) as Record<string, number>
  expect(Object.keys(counts).filter((type) => !Object.hasOwn(SAMPLES, type))).toEqual([])
  expect(counts['keep_alive']).toBeGreaterThan(0)
})

test('relates prompt, call, approval, result and end of a turn', async () => {
  const connected = await daemon.createCautious()
  const { id, agent } = connected
  const { message_id: turn } = await daemon.orchestrator.agents.message(id, 'list the files', alice)
  await agent.prompt(1)
  agent.send(callsTool('call-1', 'Bash', { command: 'ls' }), asks('Bash', { tool_use_id: 'call-1' }))
  const { id: approval } = await eventually(
    async () => (await daemon.orchestrator.approvals.list({ agentId: id })).items[0],
  )
  expect(await shorts(daemon, id)).toEqual(['turn list the files', 'tool_call Bash', 'approval pending'])
  await daemon.orchestrator.approvals.approve(approval, { reason: 'fine' }, alice)
  await agent.answer('ask-1')
  agent.send(gives('call-1', 'a.txt'))
  agent.result({ result: 'one file' })
  await eventually(async () => (await daemon.orchestrator.agents.messageOf(id, turn)).status === 'done')
  const page = await pageOf(daemon, id)
  const { items } = page
  const validate = createAjv().compile(TranscriptPage)
  expect(validate(page), JSON.stringify(validate.errors)).toBe(true)
  expect(items).toMatchObject([
    { type: 'turn', kind: 'message', status: 'done', text: 'list the files' },
    { type: 'tool_call', call_id: 'call-1' },
    {
      type: 'approval',
      call_id: 'call-1',
      approval_id: approval,
      status: 'approved',
      decided_by: 'alice',
      reason: 'fine',
    },
    { type: 'tool_result', call_id: 'call-1', text: 'a.txt' },
    { type: 'result', status: 'completed', text: 'one file' },
  ])
  expect(items.map(({ turn_id }) => turn_id)).toEqual(items.map(() => turn))
  expect((await entriesAfter(daemon, connected, says('idle'))).at(-1)).toMatchObject({ text: 'idle', turn_id: null })
})

test('records the first refused frame of each kind in a turn', async () => {
  const connected = await daemon.createConnected()
  const wrong = { type: 'assistant', message: 'no object' }
  const found = await entriesAfter(daemon, connected, wrong, wrong, { type: 'result', num_turns: 'many' })
  expect(found.map(shortOf)).toEqual([
    expect.stringMatching(/^error message must be object/),
    expect.stringMatching(/^result the result of the agent was refused/),
  ])
})

test('records a connection that was replaced', async () => {
  const { id, agent } = await daemon.createConnected()
  await daemon.connect(id)
  await eventually(() => agent.closeCode === 4000)
  await eventually(async () => (await shorts(daemon, id)).includes('error a second connection replaced an open one'))
})
