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
    onFault: (error) => void faults.push(error),
  })
  const take = (text: string) => reader.take({ bytes: Buffer.from(text), isBinary: false })
  return { calls, frames, refused, faults, take }
}

const KEEP_ALIVE = '{"type":"keep_alive"}\n'

test('a small message is taken at once, while this turn of the loop has time', async () => {
  const { calls, frames, take } = reading()
  await nextTurn()
  take(KEEP_ALIVE)
  expect([frames.length, calls]).toEqual([1, []])
})

test('frames keep their order, a large one among small ones as well', async () => {
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

test('an agent has to wait while a thousand of its frames do', async () => {
  const done: (() => void)[] = []
  const { calls, frames, take } = reading(() => new Promise((resolve) => done.push(resolve)))
  take(KEEP_ALIVE.repeat(1500))
  await eventually(() => frames.length === 1000)
  expect(calls).toEqual(['pause'])
  for (const settle of done.splice(0)) settle()
  await eventually(() => frames.length === 1500)
  await eventually(() => calls.at(-1) === 'resume')
})

test('a refused line has its number among those that are not blank', async () => {
  const { refused, take } = reading()
  take(`${KEEP_ALIVE}\n  \n{\n`)
  take('[[')
  await eventually(() => refused.length === 2)
  expect(refused.map(({ number, reason }) => [number, reason])).toEqual([
    [2, 'not-json'],
    [3, 'not-json'],
  ])
})

test('a fault of ours costs the rest of its message, not those after it', async () => {
  const { faults, frames, take } = reading((frame) => {
    if (frame.type === 'bad') throw new Error('boom')
  })
  take(`{"type":"bad"}\n${KEEP_ALIVE}`)
  take(KEEP_ALIVE)
  await eventually(() => frames.length === 2)
  expect([faults.length, frames.map(({ type }) => type)]).toEqual([1, ['bad', 'keep_alive']])
})
