import { randomUUID } from 'node:crypto'

export type Frame = Record<string, any>
export interface Sent {
  what: string
  wire: string | Buffer
}

const message = { role: 'assistant', content: [{ type: 'text', text: 'hello' }] }
const usage = { input_tokens: 1, output_tokens: 1 }
const ask = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 'toolu_1' }

/** Frames with every field that the daemon reads. */
const SAMPLES: Record<string, () => Frame> = {
  'system/init': () => ({
    type: 'system',
    subtype: 'init',
    session_id: 's',
    claude_code_version: '1',
    tools: ['Bash'],
  }),
  'system/bridge': () => ({
    type: 'system',
    subtype: 'bridge',
    guarded: true,
    guard_reason: null,
    agent_version: '1',
    capabilities: { clears_context: true },
  }),
  'system/session_state_changed': () => ({ type: 'system', subtype: 'session_state_changed', state: 'idle' }),
  assistant: () => ({ type: 'assistant', message }),
  user: () => ({
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'x' }] }],
    },
  }),
  control_request: () => ({ type: 'control_request', request_id: randomUUID(), request: ask }),
  control_cancel_request: () => ({ type: 'control_cancel_request', request_id: randomUUID() }),
  control_response: () => ({
    type: 'control_response',
    response: {
      subtype: 'success',
      request_id: randomUUID(),
      response: { session_state: 'idle' },
      pending_permission_requests: [{ type: 'control_request', request_id: randomUUID(), request: ask }],
    },
  }),
  conversation_reset: () => ({ type: 'conversation_reset', new_conversation_id: 'c' }),
  result: () => ({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'done',
    errors: ['one'],
    num_turns: 1,
    duration_ms: 1,
    total_cost_usd: 0,
    usage,
    terminal_reason: 'completed',
  }),
  keep_alive: () => ({ type: 'keep_alive' }),
  stream_event: () => ({ type: 'stream_event', event: { type: 'x' } }),
}

export const frameTypes = Object.keys(SAMPLES)

export const wellFormed = (type: string): Sent => ({
  what: type,
  wire: JSON.stringify({ ...SAMPLES[type]!(), uuid: randomUUID() }),
})

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const VALUES: Record<string, string> = {
  null: 'null',
  'a number': '-1.5',
  'a huge number': '1e308',
  true: 'true',
  'a text': '"text"',
  'NUL and half a pair': '"a\\u0000b\\ud800"',
  'a list': '[[null]]',
  'an object': '{"toString":1,"valueOf":1}',
  'prototype fields': '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  deep: deep(10_000),
}

/** Paths of all fields and of the first elements of lists. */
function pathsOf(value: unknown, at: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return []
  const members = Array.isArray(value)
    ? value.slice(0, 1).map((item, index) => [index, item] as const)
    : Object.entries(value)
  return members.flatMap(([name, member]) => [[...at, name], ...pathsOf(member, [...at, name])])
}

const HOLE = '@@hole@@'

/** Replaces a value by `json`, which may be invalid. */
function replaced(frame: Frame, path: (string | number)[], json: string): string {
  const copy = structuredClone(frame)
  let owner: any = copy
  for (const step of path.slice(0, -1)) owner = owner[step]
  owner[path.at(-1)!] = HOLE
  return JSON.stringify(copy).replace(`"${HOLE}"`, () => json)
}

export function* hostile(type: string): Generator<Sent> {
  const frame = { ...SAMPLES[type]!(), uuid: 'x' }
  for (const path of pathsOf(frame)) {
    const fresh = () => ({ ...SAMPLES[type]!(), uuid: randomUUID() })
    for (const [what, json] of Object.entries(VALUES))
      yield { what: `${type}: ${path.join('.')} is ${what}`, wire: replaced(fresh(), path, json) }
    yield {
      what: `${type}: ${path.join('.')} missing`,
      wire: replaced(fresh(), path, 'null').replace(/"[^"]+":null/, '"gone":1'),
    }
  }
}

const MIB = 1024 * 1024
const line = (frame: Frame) => `${JSON.stringify(frame)}\n`

export function wholeMessages(): Sent[] {
  const result = { type: 'result', uuid: randomUUID() }
  const input = (json: string) => replaced(SAMPLES.control_request!(), ['request', 'input'], json)
  return [
    ...['null', '[]', '1', '"text"', '{', '{}', '\u0000', '{"type":5}', '{"type":{"toString":1}}'].map((wire) => ({
      what: wire,
      wire,
    })),
    { what: 'errors as a text', wire: '{"type":"result","errors":"text"}' },
    { what: 'errors as objects', wire: '{"type":"result","is_error":true,"errors":[{"toString":1},null,[[]]]}' },
    { what: 'prototype', wire: '{"__proto__":{"type":"result"},"type":"result","constructor":{"prototype":1}}' },
    { what: 'deep objects', wire: input(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`) },
    { what: 'deep lists', wire: deep(1_000_000) },
    {
      what: 'a prototype as a tool',
      wire: replaced(SAMPLES.control_request!(), ['request', 'tool_name'], '"__proto__"'),
    },
    { what: 'many values', wire: input(`[${'[],'.repeat(200_000)}1]`) },
    { what: 'many members', wire: input(`{${Array.from({ length: 200_000 }, (_, at) => `"k${at}":1`).join(',')}}`) },
    { what: 'a huge string', wire: line({ ...result, result: 'x'.repeat(15 * MIB) }) },
    { what: 'a huge string of escapes', wire: `{"type":"result","result":"${'\\"'.repeat(7 * MIB)}"}` },
    { what: 'a huge input', wire: input(`{"command":"${'x'.repeat(15 * MIB)}"}`) },
    { what: 'a huge name', wire: `{"type":"${'x'.repeat(8 * MIB)}"}` },
    { what: 'a huge uuid', wire: `{"type":"keep_alive","uuid":"${'é'.repeat(4 * MIB)}"}` },
    { what: 'a huge member name', wire: `{"type":"keep_alive","${'x'.repeat(8 * MIB)}":1}` },
    { what: 'a huge number', wire: `{"type":"result","num_turns":${'9'.repeat(4 * MIB)}}` },
    { what: 'half a huge string', wire: `{"type":"result","result":"${'x'.repeat(8 * MIB)}` },
    { what: 'blank lines', wire: '\n'.repeat(2 * MIB) },
    { what: 'spaces', wire: ' '.repeat(8 * MIB) },
    { what: 'many frames in a message', wire: line({ type: 'keep_alive' }).repeat(20_000) },
    { what: 'many broken lines', wire: '{\n'.repeat(20_000) },
    { what: 'binary JSON', wire: Buffer.from(JSON.stringify({ type: 'keep_alive' })) },
    { what: 'binary that is not UTF-8', wire: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) },
    { what: 'binary noise', wire: Buffer.alloc(MIB, 0x93) },
  ]
}
