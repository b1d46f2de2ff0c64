import { expect, test } from 'vitest'
import { Outbox } from '../../bridge/outbox.ts'

type Frame = Record<string, unknown>

const question = (id: string) => ({ type: 'control_request', request_id: id, request: { subtype: 'can_use_tool' } })
const withdrawal = (id: string) => ({ type: 'control_cancel_request', request_id: id })
const say = (uuid: string, type = 'assistant') => ({ type, uuid })

function outboxWith(frames: [Frame, boolean][], limits?: { frames: number; bytes: number }) {
  const outbox = new Outbox(limits)
  for (const [frame, sent] of frames) outbox.keep(frame, JSON.stringify(frame), sent)
  return outbox
}

const replayed = (outbox: Outbox) => outbox.replay().map((line) => JSON.parse(line) as Frame)

test('repeats frames with a uuid, and others only if unsent', () => {
  const outbox = outboxWith([
    [say('a'), true],
    [{ type: 'control_response', response: { request_id: 'lost' } }, true],
    [{ type: 'control_response', response: { request_id: 'held' } }, false],
    [say('b'), false],
  ])
  expect(outbox.unsent).toBe(2)
  expect(replayed(outbox)).toEqual([say('a'), { type: 'control_response', response: { request_id: 'held' } }, say('b')])
  expect(outbox.unsent).toBe(0)
  expect(replayed(outbox)).toEqual([say('a'), say('b')])
})

test('repeats a request until answered, and its withdrawal instead', () => {
  const outbox = outboxWith([
    [question('answered'), true],
    [question('withdrawn'), true],
    [question('open'), false],
    [withdrawal('withdrawn'), true],
  ])
  outbox.answered('answered')
  outbox.answered('unknown')
  expect(replayed(outbox)).toEqual([withdrawal('withdrawn'), question('open')])
})

test('confirms only frames up to the last result on a prompt', () => {
  const outbox = outboxWith([
    [say('old'), true],
    [say('result', 'result'), true],
    [say('new'), true],
  ])
  outbox.acknowledge()
  expect(replayed(outbox)).toEqual([say('new')])
})

test('does not confirm unsent frames on a prompt', () => {
  const outbox = outboxWith([
    [say('held'), false],
    [say('result', 'result'), false],
  ])
  outbox.acknowledge()
  expect(replayed(outbox)).toEqual([say('held'), say('result', 'result')])
})

test('drops sent frames first, results and requests last', () => {
  const limits = { frames: 2, bytes: 1e6 }
  const outbox = outboxWith(
    [
      [say('one', 'result'), false],
      [question('q'), false],
      [say('two'), false],
      [say('three'), true],
      [say('four'), false],
    ],
    limits,
  )
  expect(replayed(outbox)).toEqual([say('one', 'result'), say('four'), question('q')])
  expect(outbox.lost).toBe(1)
})

test('limits the stored frames by bytes', () => {
  const outbox = outboxWith(
    [
      [say('x'.repeat(600)), false],
      [say('y'.repeat(600)), false],
    ],
    { frames: 100, bytes: 1000 },
  )
  expect(replayed(outbox)).toEqual([say('y'.repeat(600))])
})

test('does not repeat a refused frame of any kind', () => {
  const outbox = new Outbox()
  const frames = [say('a'), say('b', 'result'), question('q')]
  for (const [index, frame] of frames.entries()) outbox.keep(frame, JSON.stringify(frame), true, index + 1)
  expect(outbox.refused(2)).toBe(JSON.stringify(say('b', 'result')))
  expect(outbox.refused(2)).toBeNull()
  expect(outbox.replay(1).map((line) => JSON.parse(line) as Frame)).toEqual([say('a'), question('q')])
  // Numbers are per connection, and one frame was sent before these.
  expect(outbox.refused(1)).toBeNull()
  expect(outbox.refused(3)).toBe(JSON.stringify(question('q')))
  expect(replayed(outbox)).toEqual([say('a')])
})
