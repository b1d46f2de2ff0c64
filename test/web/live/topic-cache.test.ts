import { describe, expect, test } from 'vitest'
import { PatchQueue } from '../../../web/live/patch-queue.ts'
import { TopicCache } from '../../../web/live/topic-cache.ts'

interface Named {
  name: string
}
const named = (name: string): Named => ({ name })
const loaded = (...ids: string[]) => {
  const cache = new TopicCache<Named>()
  cache.beginRead()
  cache.addRead(ids.map((id) => [id, named(id)]))
  cache.endRead()
  return cache
}

describe('the records of a topic', () => {
  test('notify listeners of the changed record alone', () => {
    const cache = loaded('a', 'b')
    const heard: string[] = []
    cache.subscribeTo('a', () => heard.push('a'))
    cache.subscribeTo('b', () => heard.push('b'))
    const { ids } = cache
    cache.patch([{ id: 'b', item: named('b2') }])
    expect([heard, cache.get('b'), cache.ids]).toEqual([['b'], named('b2'), ['a', 'b']])
    expect(cache.ids).toBe(ids)
  })

  test('change the list of ids with their membership', () => {
    const cache = loaded('a', 'b')
    cache.patch([
      { id: 'a', item: null },
      { id: 'c', item: named('c') },
    ])
    expect(cache.ids).toEqual(['b', 'c'])
  })

  test('take the last of several changes', () => {
    const cache = loaded('a')
    cache.patch([
      { id: 'a', item: null },
      { id: 'a', item: named('again') },
    ])
    expect([cache.ids, cache.get('a')]).toEqual([['a'], named('again')])
  })

  test('keep changes that are newer than the read', () => {
    const cache = loaded('a', 'b', 'c')
    cache.beginRead()
    cache.patch([
      { id: 'a', item: named('newer') },
      { id: 'b', item: null },
      { id: 'd', item: named('d') },
    ])
    cache.addRead([
      ['a', named('older')],
      ['b', named('older')],
    ])
    cache.endRead()
    expect([cache.ids, cache.get('a')]).toEqual([['a', 'd'], named('newer')])
  })

  test('stay while they are read again', () => {
    const cache = loaded('a', 'b')
    cache.beginRead()
    cache.addRead([['b', named('b')]])
    expect(cache.ids).toEqual(['a', 'b'])
    cache.endRead()
    expect(cache.ids).toEqual(['b'])
  })

  test('stay if the read could not contain them', () => {
    const cache = loaded('a', 'b')
    cache.beginRead()
    cache.endRead((record) => record === cache.get('a'))
    expect(cache.ids).toEqual(['a'])
  })
})

describe('changes of the page', () => {
  function queue(isHidden: boolean) {
    const scheduled: { kind: string; run: () => void }[] = []
    const made = new PatchQueue({
      nextFrame: (run) => void scheduled.push({ kind: 'frame', run }),
      after: (ms, run) => {
        const timer = { kind: `${ms} ms`, run }
        scheduled.push(timer)
        return () => void scheduled.splice(scheduled.indexOf(timer), 1)
      },
      isHidden: () => isHidden,
    })
    return { made, scheduled }
  }

  test('join within a frame', () => {
    const { made, scheduled } = queue(false)
    const done: number[] = []
    for (const number of [1, 2, 3]) made.add(() => done.push(number))
    expect([scheduled.map(({ kind }) => kind), done]).toEqual([['1000 ms', 'frame'], []])
    scheduled[1]!.run()
    expect([done, scheduled.length]).toEqual([[1, 2, 3], 1])
    made.add(() => done.push(4))
    expect(scheduled.length).toBe(3)
  })

  test('are made without the frame that a page hidden since never gets', () => {
    const { made, scheduled } = queue(false)
    const done: number[] = []
    made.add(() => done.push(1))
    scheduled.find(({ kind }) => kind === '1000 ms')!.run()
    made.add(() => done.push(2))
    expect([done, scheduled.map(({ kind }) => kind)]).toEqual([[1], ['frame', '1000 ms', 'frame']])
  })

  test('are made although one of them fails', () => {
    const { made } = queue(false)
    const done: number[] = []
    made.add(() => {
      throw new Error('another shape')
    })
    made.add(() => done.push(2))
    expect(() => made.flush()).toThrow('another shape')
    expect(done).toEqual([2])
  })

  test('join for a second while the page is hidden', () => {
    const { made, scheduled } = queue(true)
    made.add(() => undefined)
    expect(scheduled.map(({ kind }) => kind)).toEqual(['1000 ms'])
  })
})
