import { describe, expect, test } from 'vitest'
import { LiveStore, type TopicDefinition, type TopicReader } from '../../../web/live/live-store.ts'
import { PatchQueue } from '../../../web/live/patch-queue.ts'

type Page = readonly (readonly [string, { name: string }])[]

function opened() {
  const calls: string[] = []
  const timers: (() => void)[] = []
  const queue = new PatchQueue({ nextFrame: (run) => run(), after: () => () => undefined, isHidden: () => false })
  const store = new LiveStore({
    subscribe: (topic) => void calls.push(`+${topic}`),
    unsubscribe: (topic) => void calls.push(`-${topic}`),
    after: (_ms, run) => {
      timers.push(run)
      return () => void timers.splice(timers.indexOf(run), 1)
    },
    queue,
  })
  return { store, calls, timers }
}

const agents = (read: TopicReader<{ name: string }>): TopicDefinition<{ name: string }> => ({ name: 'agents', read })

/** The topic with pages that the test gives. */
function pages(...given: (Page | Error)[]): TopicDefinition<{ name: string }> {
  return agents(async function* read() {
    for (const page of given.splice(0)) {
      if (page instanceof Error) throw page
      yield page
    }
  })
}

const settled = async (store: LiveStore, topic: string) => {
  while (store.find(topic)!.state.kind === 'loading') await Promise.resolve()
  return store.find(topic)!
}

describe('the live store', () => {
  test('reads the records once the subscription is accepted', async () => {
    const { store, calls } = opened()
    store.use(pages([['1', { name: 'a' }]], [['2', { name: 'b' }]]), () => undefined)
    expect([calls, store.find('agents')!.cache.ids]).toEqual([['+agents'], []])
    store.accepted('agents', false)
    expect((await settled(store, 'agents')).cache.ids).toEqual(['1', '2'])
  })

  test('reads nothing after a subscription that continues', async () => {
    const { store } = opened()
    let reads = 0
    const reader = async function* () {
      reads += 1
      yield [] as Page
    }
    store.use(agents(reader), () => undefined)
    store.accepted('agents', false)
    await settled(store, 'agents')
    store.accepted('agents', true)
    expect(reads).toBe(1)
  })

  test('reports a failed read and reads again on request', async () => {
    const { store } = opened()
    const states: string[] = []
    store.use(pages(new Error('down')), () => void states.push(store.find('agents')!.state.kind))
    store.accepted('agents', false)
    expect((await settled(store, 'agents')).state).toMatchObject({ kind: 'failed' })
    store.readAgain('agents')
    await settled(store, 'agents')
    expect([states, store.find('agents')!.isKnown]).toEqual([['loading', 'failed', 'loading', 'ready'], true])
  })

  test('subscribes a refused topic again before it is read', async () => {
    const { store, calls } = opened()
    store.use(pages([['1', { name: 'a' }]]), () => undefined)
    store.refused('agents', { code: 'internal', message: 'the database is locked' })
    store.readAgain('agents')
    expect([calls, store.find('agents')!.state.kind]).toEqual([['+agents', '-agents', '+agents'], 'loading'])
    store.accepted('agents', false)
    expect((await settled(store, 'agents')).cache.ids).toEqual(['1'])
  })

  test('reports what a read could not contain, and keeps it', async () => {
    const { store } = opened()
    const gap = { kind: 'approval', service: 'orchestrator', detail: 'the service does not answer' }
    const read: TopicReader<{ name: string }> = async function* (_signal, report) {
      report(reads === 0 ? [] : [gap])
      yield reads++ === 0 ? [['1', { name: 'approval' }] as const, ['2', { name: 'drift' }] as const] : []
    }
    let reads = 0
    store.use({ ...agents(read), isKept: ({ name }, gaps) => gaps.some(({ kind }) => kind === name) }, () => undefined)
    store.accepted('agents', false)
    await settled(store, 'agents')
    store.readAgain('agents')
    const { cache, gaps } = await settled(store, 'agents')
    expect([cache.ids, gaps]).toEqual([['1'], [gap]])
  })

  test('keeps an unused topic for a minute', () => {
    const { store, calls, timers } = opened()
    const end = store.use(pages(), () => undefined)
    end()
    expect(timers.length).toBe(1)
    const endAgain = store.use(pages(), () => undefined)
    expect(timers.length).toBe(0)
    endAgain()
    timers[0]!()
    expect([calls, store.find('agents')]).toEqual([['+agents', '-agents'], null])
  })

  test('turns items of the socket into changes of records', async () => {
    const { store } = opened()
    const adapt: TopicDefinition<{ name: string }>['adapt'] = (items, known) =>
      items.map(({ id }) => ({ id: '1', item: { name: `${known.get('1')?.name} ${id}` } }))
    store.use({ ...pages([['1', { name: 'a' }]]), adapt }, () => undefined)
    store.accepted('agents', false)
    const topic = await settled(store, 'agents')
    store.patch('agents', [{ seq: null, id: 'steps/1', item: {} }])
    expect(topic.cache.get('1')).toEqual({ name: 'a steps/1' })
  })

  test('tells a listener of changes, and nothing else', () => {
    const { store, calls } = opened()
    let changes = 0
    const end = store.listen('agent/1', { changed: () => void (changes += 1), refused: () => undefined })
    store.accepted('agent/1', false)
    store.patch('agent/1', [{ seq: null, id: '7', item: {} }])
    store.patch('agent/2', [{ seq: null, id: '8', item: {} }])
    end()
    store.patch('agent/1', [{ seq: null, id: '9', item: {} }])
    expect([changes, calls]).toEqual([2, ['+agent/1', '-agent/1']])
  })

  test('tells a listener of a refusal, and subscribes again on request', () => {
    const { store, calls } = opened()
    const errors: unknown[] = []
    store.listen('agent/1', { changed: () => undefined, refused: (error) => void errors.push(error) })
    store.refused('agent/1', { code: 'forbidden' })
    store.readAgain('agent/1')
    expect([errors, calls]).toEqual([[{ code: 'forbidden' }], ['+agent/1', '-agent/1', '+agent/1']])
  })

  test('applies waiting changes before it reads again', async () => {
    const frames: (() => void)[] = []
    const queue = new PatchQueue({
      nextFrame: (run) => void frames.push(run),
      after: () => () => undefined,
      isHidden: () => false,
    })
    const none = () => undefined
    const store = new LiveStore({ subscribe: none, unsubscribe: none, after: () => none, queue })
    store.use(pages([['1', { name: 'new' }]]), none)
    store.patch('agents', [{ seq: null, id: '1', item: { name: 'old' } }])
    store.accepted('agents', false)
    await settled(store, 'agents')
    for (const frame of frames) frame()
    expect(store.find('agents')!.cache.get('1')).toEqual({ name: 'new' })
  })

  test('patches records and reports a refused topic', async () => {
    const { store } = opened()
    store.use(pages([['1', { name: 'a' }]]), () => undefined)
    store.accepted('agents', false)
    const topic = await settled(store, 'agents')
    store.patch('agents', [{ seq: null, id: '1', item: { name: 'b' } }])
    expect(topic.cache.get('1')).toEqual({ name: 'b' })
    store.refused('agents', { code: 'forbidden' })
    expect(topic.state).toEqual({ kind: 'failed', error: { code: 'forbidden' } })
  })
})
