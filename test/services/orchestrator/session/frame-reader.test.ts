import { expect, test } from 'vitest'
import { nextTurn } from '../../../../platform/async/time-slices.ts'
import { FrameReader, type Refused } from '../../../../services/orchestrator/session/frame-reader.ts'
import type { Frame } from '../../../../services/orchestrator/session/frame.ts'
import { eventually } from '../../../support/eventually.ts'

function reading(onFrame: (frame: Frame) => Promise<void> | void = () => undefined) {
  const calls: string[] = []
  const frames: Frame[] = []
  const refused: Refused[] = []
  const faults: unknown[] = []
  const replaced: number[] = []
  const tap = { pause: () => void calls.push('pause'), resume: () => void calls.push('resume') }
  const reader = new FrameReader(tap, {
    *prepare(frame) {
      yield
      return [frame]
    },
    onFrame: (frame) => {
      frames.push(frame)
      return onFrame(frame)
    },
    onRefused: (each) => void refused.push(each),
    onReplaced: (count) => void replaced.push(count),
    onFault: (error) => void faults.push(error),
  })
  const take = (text: string | Buffer) => reader.take(Buffer.from(text as string))
  return { calls, frames, refused, faults, replaced, take }
}

const KEEP_ALIVE = '{"type":"keep_alive"}\n'

test('reads a small message at once while the event-loop slice lasts', async () => {
  const { calls, frames, take } = reading()
  await nextTurn()
  take(KEEP_ALIVE)
  expect([frames.length, calls]).toEqual([1, []])
})

test('keeps the order of frames of any size', async () => {
  const { calls, frames, take } = reading()
  take('{"type":"first"}')
  take(`{"type":"large","text":"${'é\\n'.repeat(1_000_000)}"}`)
  take('{"type":"last"}')
  await eventually(() => frames.length === 3)
  expect(frames.map(({ type }) => type)).toEqual(['first', 'large', 'last'])
  expect(frames[1]!.text).toBe('é\n'.repeat(1_000_000))
  await eventually(() => calls.at(-1) === 'resume')
  expect(calls).toEqual(['pause', 'resume'])
})

test('pauses the agent while a thousand frames are pending', async () => {
  const done: (() => void)[] = []
  const { calls, frames, take } = reading(() => new Promise((resolve) => done.push(resolve)))
  take(KEEP_ALIVE.repeat(1500))
  await eventually(() => frames.length === 1000)
  expect(calls).toEqual(['pause'])
  for (const settle of done.splice(0)) settle()
  await eventually(() => frames.length === 1500)
  await eventually(() => calls.at(-1) === 'resume')
})

test('counts only non-blank lines in the number of a refused frame', async () => {
  const { refused, take } = reading()
  take(`${KEEP_ALIVE}\n  \n{\n`)
  take('[[')
  await eventually(() => refused.length === 2)
  expect(refused.map(({ number, reason }) => [number, reason])).toEqual([
    [2, 'not-json'],
    [3, 'not-json'],
  ])
})

test('drops only the rest of the message after an internal error', async () => {
  const { faults, frames, take } = reading((frame) => {
    if (frame.type === 'bad') throw new Error('boom')
  })
  take(`{"type":"bad"}\n${KEEP_ALIVE}`)
  take(KEEP_ALIVE)
  await eventually(() => frames.length === 2)
  expect([faults.length, frames.map(({ type }) => type)]).toEqual([1, ['bad', 'keep_alive']])
})

test('replaces and counts NUL and bytes that are not UTF-8', async () => {
  const { frames, refused, replaced, take } = reading()
  take(Buffer.concat([Buffer.from('{"type":"a\0","text":"\uFFFD'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]))
  take('{"type":"b"}')
  await eventually(() => frames.length === 2)
  expect(frames).toEqual([{ type: 'a\uFFFD', text: '\uFFFD\uFFFD\uFFFD' }, { type: 'b' }])
  expect([replaced, refused]).toEqual([[3], []])
})
