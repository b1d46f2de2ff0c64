// What comes while a batch is under way goes together in the next, and everybody hears of their own piece alone.
import { expect, test } from 'vitest'
import { unavailable } from '../../../platform/core/problem.ts'
import { Batches, togetherOrAlone, type Outcome } from '../../../platform/async/batches.ts'

/** Work that is let go by hand. */
function stand(most: number) {
  const begun: number[][] = []
  const ends: ((outcome: 'well' | Error) => void)[] = []
  const batches = new Batches<number, string>(
    most,
    (items) =>
      new Promise((resolve, reject) => {
        begun.push([...items])
        ends.push((outcome) => {
          if (outcome !== 'well') return reject(outcome)
          resolve(
            items.map((item): Outcome<string> =>
              item < 0 ? { error: new Error(`no ${item}`) } : { value: `${item}` },
            ),
          )
        })
      }),
  )
  const turn = () => new Promise<void>((go) => setImmediate(() => setImmediate(go)))
  return { batches, begun, end: (at: number, outcome: 'well' | Error = 'well') => ends[at]!(outcome), turn }
}

test('what is asked for in one turn is one batch, and what comes meanwhile the next', async () => {
  const { batches, begun, end, turn } = stand(10)
  const first = [1, 2].map((item) => batches.run(item))
  await turn()
  const second = [3, 4, 5].map((item) => batches.run(item))
  await turn()
  expect(begun).toEqual([[1, 2]])
  end(0)
  expect(await Promise.all(first)).toEqual(['1', '2'])
  await turn()
  expect(begun).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
  end(1)
  expect(await Promise.all(second)).toEqual(['3', '4', '5'])
})

test('a batch holds so many and no more', async () => {
  const { batches, begun, end, turn } = stand(2)
  const all = [1, 2, 3].map((item) => batches.run(item))
  await turn()
  end(0)
  await turn()
  end(1)
  expect(await Promise.all(all)).toEqual(['1', '2', '3'])
  expect(begun).toEqual([[1, 2], [3]])
})

test('a piece that fails fails alone, and a batch that fails leaves the next one be', async () => {
  const { batches, end, turn } = stand(2)
  const all = Promise.allSettled([1, -2, 3, 4].map((item) => batches.run(item)))
  await turn()
  end(0)
  await turn()
  end(1, new Error('the disk is full'))
  const after = all.then(async () => {
    const last = batches.run(5)
    await turn()
    end(2)
    return last
  })
  expect((await all).map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))).toEqual([
    '1',
    'no -2',
    'the disk is full',
    'the disk is full',
  ])
  expect(await after).toBe('5')
})

test('where all of them fail together each is done alone, and fails alone', async () => {
  const tried: number[][] = []
  const work = (items: readonly number[]) => {
    tried.push([...items])
    return items.includes(2) ? Promise.reject(new Error('not 2')) : Promise.resolve(items.map((item) => item * 10))
  }
  expect(await togetherOrAlone([1, 3], work)).toEqual([{ value: 10 }, { value: 30 }])
  expect(await togetherOrAlone([1, 2, 3], work)).toEqual([{ value: 10 }, { error: new Error('not 2') }, { value: 30 }])
  expect(tried).toEqual([[1, 3], [1, 2, 3], [1], [2], [3]])
})

test('what is down for all of them is not tried again for each', async () => {
  let tried = 0
  const down = () => (tried++, Promise.reject(unavailable('the disk is full')))
  await expect(togetherOrAlone([1, 2, 3], down)).rejects.toThrow('the disk is full')
  expect(tried).toBe(1)
})
