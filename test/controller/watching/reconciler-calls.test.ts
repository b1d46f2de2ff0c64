import { expect, test } from 'vitest'
import { AmbiguousError, UnreachableError, type Lookup } from '../../../controller/reconciler.ts'
import { boundCalls } from '../../../controller/watching/reconciler-calls.ts'
import { TestClock } from '../../../platform/core/clock.ts'
import { Things } from '../fixture.ts'

const lookup: Lookup = { liveId: () => null, nameOf: () => null }
const spec = { name: 't', size: 1, hard: '', parent: null, env: {} }
const step = {
  action: 'update' as const,
  name: 't',
  liveId: 'one',
  spec,
  members: ['size'],
  seen: null,
  seenVersion: null,
  changes: [],
  requestId: 'run',
}
const never = () => new Promise<void>(() => undefined)

function stand() {
  const [clock, stopping, things] = [new TestClock(), new AbortController(), new Things()]
  things.live.set('one', spec)
  const signals: AbortSignal[] = []
  const inner = things.reconciler()
  const apply: typeof inner.apply = (given, look, signal) => {
    signals.push(signal)
    return inner.apply(given, look, signal)
  }
  const { signal } = stopping
  const reconciler = boundCalls({ ...inner, apply }, { clock, signal, observeTimeoutSecs: 10, applyTimeoutSecs: 60 })
  return { clock, stopping, things, reconciler, signal, signals }
}
const nameOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: Error) => error.name,
  )

test('distinguishes an observation time-out from a missing resource', async () => {
  const { clock, things, reconciler, signal } = stand()
  expect(await reconciler.observe({ name: 'x', liveId: 'gone' }, lookup, signal)).toBeNull()
  things.before = never
  const asked = reconciler.observe({ name: 't', liveId: 'one' }, lookup, signal)
  clock.tick(9_999)
  expect(await Promise.race([nameOf(asked), Promise.resolve('waits')])).toBe('waits')
  clock.tick(1)
  await expect(asked).rejects.toThrow(new UnreachableError('observe thing t: no answer within 10 s'))
  expect(clock.pending).toBe(0)
})

test('reports failed observations as unreachable, except ambiguous names', async () => {
  const { things, reconciler, signal } = stand()
  things.before = () => Promise.reject(new Error('the socket is closed'))
  await expect(reconciler.observeAll(lookup, signal)).rejects.toThrow(
    new UnreachableError('observe things: the socket is closed'),
  )
  things.before = () => Promise.reject(new AmbiguousError('two'))
  expect(await nameOf(reconciler.observe({ name: 't', liveId: null }, lookup, signal))).toBe('AmbiguousError')
})

test('aborts a timed-out change and rejects others until it ends', async () => {
  const { clock, things, reconciler, signal, signals } = stand()
  let end = () => {}
  things.before = () => new Promise<void>((resolve) => (end = resolve))
  const first = reconciler.apply(step, lookup, signal)
  clock.tick(60_000)
  await expect(first).rejects.toThrow('update thing t: no answer within 60 s')
  expect(signals[0]!.aborted).toBe(true)
  await expect(reconciler.apply(step, lookup, signal)).rejects.toThrow(/an earlier change is still running/)
  await expect(reconciler.remove({ name: 't', liveId: 'one' }, 'run', signal)).rejects.toThrow(UnreachableError)
  end()
  await new Promise(setImmediate)
  things.before = () => undefined
  expect((await reconciler.apply(step, lookup, signal)).liveId).toBe('one')
})

test('fails fast while listing a kind hangs, and retries later', async () => {
  const { clock, things, reconciler, signal } = stand()
  let listings = 0
  things.before = () => (listings++, never())
  const first = reconciler.observeAll(lookup, signal)
  clock.tick(10_000)
  expect(await nameOf(first)).toBe('UnreachableError')
  expect([await nameOf(reconciler.observeAll(lookup, signal)), listings]).toEqual(['UnreachableError', 1])
  // The delay must not depend on the wall clock.
  clock.set(-3_600_000)
  clock.tick(20_000)
  things.before = () => void listings++
  expect([(await reconciler.observeAll(lookup, signal)).length, listings]).toEqual([1, 2])
})

test('ends all calls and rejects new ones when the daemon stops', async () => {
  const { stopping, things, reconciler, signal } = stand()
  things.before = never
  const calls = [reconciler.apply(step, lookup, signal), reconciler.observeAll(lookup, signal)]
  stopping.abort()
  expect(await Promise.all(calls.map(nameOf))).toEqual(['UnreachableError', 'UnreachableError'])
  await expect(reconciler.observe({ name: 't', liveId: 'one' }, lookup, signal)).rejects.toThrow(/is stopping/)
})
