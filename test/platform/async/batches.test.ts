import { expect, test } from 'vitest'
import { unavailable } from '../../../platform/core/problem.ts'
import { inBatches } from '../../../platform/async/batches.ts'

/** Work that the test completes. */
function stand(most: number) {
  const begun: number[][] = []
  const ends: ((outcome: 'well' | Error) => void)[] = []
  const run = inBatches<number, string>(
    most,
    (items) =>
      new Promise((resolve, reject) => {
        begun.push([...items])
        ends.push((outcome) => {
          if (outcome !== 'well') return reject(outcome)
          resolve(items.map((item) => (item < 0 ? new Error(`no ${item}`) : `${item}`)))
        })
      }),
  )
  const turn = () => new Promise<void>((go) => setImmediate(() => setImmediate(go)))
  return { run, begun, end: (at: number, outcome: 'well' | Error = 'well') => ends[at]!(outcome), turn }
}

test('batches concurrent items; later items join the next batch', async () => {
  const { run, begun, end, turn } = stand(10)
  const first = [1, 2].map((item) => run(item))
  await turn()
  const second = [3, 4, 5].map((item) => run(item))
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

test('limits the size of a batch', async () => {
  const { run, begun, end, turn } = stand(2)
  const all = [1, 2, 3].map((item) => run(item))
  await turn()
  end(0)
  await turn()
  end(1)
  expect(await Promise.all(all)).toEqual(['1', '2', '3'])
  expect(begun).toEqual([[1, 2], [3]])
})

test('isolates a failing item, and a failing batch from the next', async () => {
  const { run, end, turn } = stand(2)
  const all = Promise.allSettled([1, -2, 3, 4].map((item) => run(item)))
  await turn()
  end(0)
  await turn()
  end(1, unavailable('the disk is full'))
  const after = all.then(async () => {
    const last = run(5)
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

test('retries each item alone after a batch fails', async () => {
  const tried: number[][] = []
  const run = inBatches(10, async (items: readonly number[]) => {
    tried.push([...items])
    if (items.includes(2)) throw new Error('not 2')
    return items.map((item) => item * 10)
  })
  expect(await Promise.all([1, 3].map(run))).toEqual([10, 30])
  expect(await Promise.allSettled([1, 2, 3].map(run))).toEqual([
    { status: 'fulfilled', value: 10 },
    { status: 'rejected', reason: new Error('not 2') },
    { status: 'fulfilled', value: 30 },
  ])
  expect(tried).toEqual([[1, 3], [1, 2, 3], [1], [2], [3]])
})

test('does not retry after a 503', async () => {
  let tried = 0
  const run = inBatches(10, () => (tried++, Promise.reject(unavailable('the disk is full'))))
  for (const each of await Promise.allSettled([1, 2, 3].map(run)))
    expect(each).toMatchObject({ status: 'rejected', reason: { message: 'the disk is full' } })
  expect(tried).toBe(1)
})
