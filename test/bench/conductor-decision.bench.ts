// The decision of the conductor on 1,000 issues and 300 pull requests.
import { decide } from '../services/conductor/decision/driver.ts'
import { ago, DAY, inputOf, issue, pullRequest, snapshotOf } from '../services/conductor/snapshots.ts'
import { median, timed, within } from './report.ts'

const ROUNDS = 11
const WARM_UP = 3

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

// Every issue gets a label and is stale.
const issues = range(1000).map((n) =>
  issue({ number: 1000 + n, labels: n % 2 ? [] : ['triaged'], activeAt: ago(4 * DAY) }),
)
/** `height`: pull requests of a stack; each of its bottoms is merged. */
const repository = (height: number) => {
  const base = (number: number) => (number % height === 1 % height ? 'main' : `change-${number - 1}`)
  return inputOf(
    snapshotOf({ issues, pullRequests: range(300).map((number) => pullRequest({ number, base: base(number) })) }),
  )
}

for (const [what, height] of [
  ['300 merges', 1],
  ['100 stacks of 3', 3],
  ['a stack of 300', 300],
] as const) {
  const known = repository(height)
  const times: number[] = []
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const took = await timed(() => decide(known))
    if (round >= 0) times.push(took)
  }
  within(`a decision on 1,000 issues and ${what}`, median(times), 200, 'ms')
}
