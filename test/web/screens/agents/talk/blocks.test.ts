import { describe, expect, test } from 'vitest'
import type { TranscriptEntry } from '../../../../../schemas/agent/transcript.ts'
import {
  blocksOf,
  callsNote,
  callText,
  changeOf,
  markAfter,
  marksOf,
} from '../../../../../web/screens/agents/talk/blocks.ts'

let count = 0
const entry = (type: string, more: object = {}) => ({ id: `e${(count += 1)}`, type, ...more }) as TranscriptEntry
const call = (tool_name: string, call_id: string | null, input: unknown = {}) =>
  entry('tool_call', { tool_name, call_id, input })
const result = (call_id: string, is_error = false) => entry('tool_result', { call_id, is_error })
const shape = (...entries: TranscriptEntry[]) =>
  blocksOf(entries).map((block) => (block.kind === 'calls' ? `${block.tool} ${block.calls.length}` : block.kind))

describe('blocks of a conversation', () => {
  test('fold consecutive calls of one tool, but no edits', () => {
    const blocks = shape(
      entry('turn'),
      call('Read', 'a'),
      result('a'),
      call('Read', 'b'),
      call('Bash', 'c'),
      call('Edit', 'd'),
      call('Edit', 'e'),
      entry('text'),
    )
    expect(blocks).toEqual(['turn', 'Read 2', 'Bash 1', 'Edit 1', 'Edit 1', 'text'])
  })

  test('join a call with its approval and its late result', () => {
    const approval = entry('approval', { call_id: 'a' })
    const late = result('a')
    const [block] = blocksOf([call('Bash', 'a'), approval, call('Read', 'b'), late])
    expect(block).toMatchObject({ kind: 'calls', calls: [{ approval, result: late }] })
  })

  test('keep results whose call is not in the window', () => {
    expect(shape(result('gone'), call('Bash', null), entry('approval', { call_id: null }))).toEqual([
      'rest',
      'Bash 1',
      'rest',
    ])
  })
})

describe('the line of a call', () => {
  test('is its command, path or address', () => {
    expect(callText({ input: { command: 'git log\n  --oneline', timeout: 3 } })).toBe('git log --oneline')
    expect(callText({ input: { a: 1 } })).toBe('{"a":1}')
    expect(callText({ input: '{"cut' })).toBe('{"cut')
    const long = callText({ input: { command: `${'x'.repeat(500)}; rm -rf /` } })
    expect([long.length, long.endsWith('; rm -rf /')]).toEqual([91, true])
  })
})

describe('the note of calls', () => {
  const at = (second: number) => `2026-11-27T14:31:0${second}Z`
  const made = { call: { at: at(1) } as never, approval: null }
  const read = (text: string, more: object = {}) => ({
    result: { at: at(3), text, truncated: false, ...more } as never,
  })

  test('counts the lines of the result and its time', () => {
    expect(callsNote([{ ...made, ...read('a\nb\n') }])).toBe('2 lines, 2 s')
    expect(
      callsNote([
        { ...made, ...read('a') },
        { ...made, ...read('') },
      ]),
    ).toBe('2 calls, 1 line')
  })

  test('leaves out what is unknown, and the time of a person', () => {
    expect(callsNote([{ ...made, result: null }])).toBe('')
    expect(callsNote([{ ...made, ...read('a', { truncated: true }) }])).toBe('2 s')
    expect(callsNote([{ ...made, approval: {} as never, ...read('a') }])).toBe('1 line')
  })
})

test('reads edits and new files as changes', () => {
  expect(changeOf({ input: { file_path: 'a', old_string: 'x', new_string: 'y' } })).toEqual({
    file: 'a',
    before: 'x',
    after: 'y',
  })
  expect(changeOf({ input: { file_path: 'a', content: 'y' } })).toEqual({ file: 'a', before: '', after: 'y' })
  for (const input of [null, 'text', { file_path: 3 }, { file_path: 'a', new_string: {} }])
    expect(changeOf({ input })).toBeNull()
})

test('marks errors, requests and edits, and jumps between them', () => {
  const blocks = blocksOf([
    entry('turn'),
    call('Bash', 'a'),
    result('a', true),
    entry('text'),
    call('Edit', 'b'),
    call('Bash', 'c'),
    entry('approval', { call_id: 'c' }),
    entry('result', { status: 'failed' }),
  ])
  expect(marksOf(blocks).map(({ kind }) => kind)).toEqual(['turn', 'error', 'edit', 'request', 'error'])
  expect([markAfter(blocks, 0, 1), markAfter(blocks, 1, 1), markAfter(blocks, 1, -1)]).toEqual([1, 3, null])
})
