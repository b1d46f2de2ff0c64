// The work of a decision as the number of facts that it reads: a time would depend on the machine. The benchmark
// `conductor-decision` measures the time.
import { expect, test } from 'vitest'
import { ago, DAY, inputOf, issue, pullRequest } from '../snapshots.ts'
import { drive } from './driver.ts'

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

interface Size {
  issues: number
  pullRequests: number
}

/** Number of facts of items that a decision reads. `baseOf`: base of a pull request by its number. */
function readsOf({ issues, pullRequests }: Size, given: object, baseOf: (number: number) => string): number {
  let reads = 0
  const counted = <Item extends object>(item: Item): Item =>
    new Proxy(item, {
      get: (target, name) => {
        reads++
        return Reflect.get(target, name) as unknown
      },
    })
  const old = { activeAt: ago(4 * DAY) }
  const snapshot = {
    issues: range(issues).map((n) => counted(issue({ number: 10_000 + n, labels: n % 2 ? [] : ['triaged'], ...old }))),
    pullRequests: range(pullRequests).map((number) =>
      counted(pullRequest({ number, base: baseOf(number), ...old, ...given })),
    ),
  }
  const { actions } = drive(inputOf(snapshot))
  expect(actions.length).toBeGreaterThan(issues)
  return reads
}

const onMain = () => 'main'
const inStacksOf = (height: number) => (number: number) => (number % height === 1 ? 'main' : `change-${number - 1}`)

test.each([
  ['issues', { issues: 500, pullRequests: 0 }, {}],
  ['approved pull requests that wait for checks', { issues: 0, pullRequests: 300 }, { checks: [], labels: [] }],
  [
    'pull requests with failed checks',
    { issues: 0, pullRequests: 300 },
    { checks: [{ name: 'ci', state: 'FAILURE', endedAt: 0 }] },
  ],
])('reads four times the facts for four times the %s', (_, size, given) => {
  const fourfold = { issues: 4 * size.issues, pullRequests: 4 * size.pullRequests }
  expect(readsOf(fourfold, given, onMain)).toBeLessThan(4.1 * readsOf(size, given, onMain))
})

/** After a merge its dependents are looked for among all pull requests. */
const MOST_READS = 400_000

test.each([
  ['300 merges', onMain],
  ['100 stacks of 3', inStacksOf(3)],
  ['a stack of 300', inStacksOf(300)],
])('reads at most 400,000 facts for 1,000 issues and %s', (name, baseOf) => {
  const reads = readsOf({ issues: 1000, pullRequests: 300 }, {}, baseOf)
  console.log(`a decision on 1,000 issues and ${name}: ${reads} reads of facts`)
  expect(reads).toBeLessThanOrEqual(MOST_READS)
})
