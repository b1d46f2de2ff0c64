// Properties of decisions on random snapshots; a failure prints the seed.
import { describe, expect, test } from 'vitest'
import { RULES } from '../../../../schemas/conductor/run.ts'
import type { Reported } from '../../../../services/conductor/decision/contract.ts'
import type { Check, PullRequest, Snapshot, Verdict } from '../../../../services/conductor/snapshot/facts.ts'
import {
  ago,
  commit,
  DAY,
  HOUR,
  issue,
  inputOf,
  label,
  mergedPullRequest,
  MINUTE,
  pullRequest,
  snapshotOf,
  TIME,
} from '../snapshots.ts'
import { decide, drive, lineOf } from './driver.ts'

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Random = () => number

const pick = <Value>(random: Random, values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!

const LABELS = ['needs-rework', 'needs-restack', 'human-gate', 'review-agent', 'security', 'conductor-sync', 'bug']
const AGES = [0, MINUTE, 10 * MINUTE, 20 * MINUTE, HOUR, 2 * HOUR, 7 * HOUR, 25 * HOUR, 4 * DAY]

function randomLabels(random: Random, names: readonly string[], first: string) {
  const chosen = names.filter(() => random() < 0.06)
  return [...(random() < 0.7 ? [first] : []), ...chosen].map((name) => label(name, ago(pick(random, AGES))))
}

function randomPullRequest(random: Random, number: number): PullRequest {
  const verdicts: readonly (readonly Verdict[] | null)[] = [
    ['APPROVED'],
    ['APPROVED'],
    ['APPROVED'],
    [],
    ['CHANGES_REQUESTED'],
    null,
  ]
  const states: readonly Check['state'][] = [
    ...Array<'SUCCESS'>(10).fill('SUCCESS'),
    'SKIPPED',
    'FAILURE',
    'PENDING',
    'GATE',
  ]
  const checks = [1, 2].map((name) => ({
    name: `${name}`,
    state: pick(random, states),
    endedAt: ago(pick(random, AGES)),
  }))
  return pullRequest({
    number,
    isDraft: random() < 0.1,
    isFork: random() < 0.1,
    isQueued: random() < 0.1,
    base: pick(random, ['main', 'main', 'main', 'next', `change-${1 + Math.floor(random() * 12)}`]),
    headAt: ago(pick(random, AGES)),
    activeAt: ago(pick(random, AGES)),
    mergeable: pick(random, ['MERGEABLE', 'MERGEABLE', 'MERGEABLE', 'UNKNOWN', 'CONFLICTING']),
    mergeState: pick(random, ['CLEAN', 'CLEAN', 'CLEAN', 'CLEAN', 'CLEAN', 'BEHIND', 'BLOCKED', 'UNSTABLE']),
    verdicts: pick(random, verdicts),
    checks: pick(random, [checks, checks, checks, [], null]),
    reviews: [],
    linkedIssue: pick(random, [null, 101, 102]),
    labels: randomLabels(random, LABELS, 'merge-ready'),
  })
}

function randomSnapshot(seed: number): Snapshot {
  const random = randomOf(seed)
  const numbers = Array.from({ length: 10 }, (_, index) => index + 1)
  const isMerged = new Set(numbers.filter(() => random() < 0.2))
  return snapshotOf({
    pipelineBase: 'next',
    issues: [101, 102, 103, 104, 105, 106].map((number) =>
      issue({ number, activeAt: ago(pick(random, AGES)), labels: randomLabels(random, ['agent', 'bug'], 'triaged') }),
    ),
    pullRequests: numbers.filter((number) => !isMerged.has(number)).map((number) => randomPullRequest(random, number)),
    merged: [...isMerged].map((number) => mergedPullRequest({ number })),
  })
}

const SEEDS = Array.from({ length: 200 }, (_, index) => index + 1)

/** Seeds that break a property. */
const broken = (holds: (snapshot: Snapshot, seed: number) => boolean) =>
  SEEDS.filter((seed) => !holds(randomSnapshot(seed), seed))

const postLines = (decided: Pick<ReturnType<typeof decide>, 'actions'>) =>
  decided.actions.filter(({ action, about }) => action === 'post' && about !== 'digest').map(lineOf)

describe('a decision on any snapshot', () => {
  test('merges nothing unless every rule holds on the last read', () => {
    let merges = 0
    const wrong = broken((snapshot, seed) => {
      const random = randomOf(-seed)
      const reads = new Map<number, PullRequest | null>()
      const run = drive(inputOf(snapshot), (request) => {
        if (!('reread' in request)) return undefined
        const { seen } = request
        const read =
          random() < 0.5 ? seen : { ...randomPullRequest(random, seen.number), head: commit(900 + seen.number) }
        reads.set(seen.number, read)
        return read
      })
      const merged = run.acts.filter(({ action }) => action === 'merge')
      merges += merged.length
      return merged.every(({ number, sha }) => {
        const item = run.items.find((each) => each.number === number)
        return (
          reads.get(number!)?.head === sha && item?.situation === 'eligible' && item.rules.every(({ holds }) => holds)
        )
      })
    })
    expect(wrong).toEqual([])
    expect(merges).toBeGreaterThan(20)
  })

  test('ends unchanged if nothing changes and its reports are remembered', () => {
    const wrong = broken((snapshot) => {
      const once: { reported: Reported; posts: string[] }[] = []
      let reported: Reported = new Map()
      for (let runs = 0; runs < 6; runs += 1) {
        // Every write fails, except posts: the situations stay.
        const run = drive(inputOf(snapshot, { reported }), (request) =>
          'act' in request && !['post', 'lock', 'unlock', 'remember', 'comment'].includes(request.act.action)
            ? { outcome: 'failed', code: 'not-eligible' }
            : undefined,
        )
        reported = run.reported
        const keyed = run.acts.flatMap(
          ({ key, about, items = [] }) => key ?? (about === 'stale' ? items.map(String) : []),
        )
        once.push({ reported, posts: keyed })
      }
      const all = once.flatMap(({ posts }) => posts)
      return new Set(all).size === all.length
    })
    expect(wrong).toEqual([])
  })

  test('leaves the snapshot unchanged', () => {
    const wrong = broken((snapshot) => {
      const before = JSON.stringify(snapshot)
      decide(inputOf(snapshot))
      return JSON.stringify(snapshot) === before
    })
    expect(wrong).toEqual([])
  })

  test('repeats no message within a run', () => {
    expect(
      broken((snapshot) => {
        const posts = postLines(decide(inputOf(snapshot)))
        return new Set(posts).size === posts.length
      }),
    ).toEqual([])
  })

  test('writes no branch of a fork', () => {
    const wrong = broken((snapshot) => {
      const forks = new Set(snapshot.pullRequests.filter(({ isFork }) => isFork).map(({ number }) => number))
      const { acts } = drive(inputOf(snapshot))
      const written = acts.flatMap(({ action, number, restack }) => {
        if (restack) return restack.branches.map((branch) => branch.number)
        return action === 'delete-branch' || action === 'update-branch' ? number! : []
      })
      return !written.some((number) => forks.has(number))
    })
    expect(wrong).toEqual([])
  })

  test('adds and removes only its own labels, and needs-restack never comes off', () => {
    const ADDED = ['needs-triage', 'agent', 'merge-ready', 'needs-rework', 'needs-restack']
    const REMOVED = ['merge-ready', 'needs-rework', 'conductor-sync']
    const wrong = broken((snapshot) =>
      decide(inputOf(snapshot)).actions.every(({ action, label: name }) => {
        if (action === 'add-label') return ADDED.includes(name!)
        return action !== 'remove-label' || REMOVED.includes(name!)
      }),
    )
    expect(wrong).toEqual([])
  })

  test('names operation, item, reason and wanted action in each post of the engineering room', () => {
    const FORM = /^(@ada )?\*\*[A-Z][a-z ]+\*\* acme\/shop(#\d+)?: .+\. Wanted: .+$/
    const posts = SEEDS.flatMap((seed) => drive(inputOf(randomSnapshot(seed))).acts).filter(
      ({ action, room }) => action === 'post' && room === 'engineering',
    )
    expect(posts.filter(({ text }) => !FORM.test(text!))).toEqual([])
    expect(new Set(posts.map(({ about }) => about))).toContain('no-pull-request')
  })

  test('writes each pull request of the queue at most once', () => {
    const wrong = broken((snapshot) => {
      const written = drive(inputOf(snapshot))
        .acts.filter(({ action }) => action === 'merge' || action === 'update-branch')
        .map(({ number }) => number)
      return new Set(written).size === written.length
    })
    expect(wrong).toEqual([])
  })

  test('ends steps 1 to 8 with a stop, and always remembers', () => {
    const wrong = broken((snapshot) => {
      const run = decide(inputOf(snapshot))
      const last = run.actions.findLast(({ step }) => step <= 8)
      const isLast = run.stopped === null || last === undefined || last.step === run.stopped.step
      return isLast && run.actions.filter(({ action }) => action === 'remember').length === 1
    })
    expect(wrong).toEqual([])
  })

  test('judges every open pull request by every rule', () => {
    const wrong = broken((snapshot) => {
      const { items } = decide(inputOf(snapshot))
      return (
        items.length === snapshot.pullRequests.length &&
        items.every(({ rules }) => rules.map(({ rule }) => rule).join() === RULES.join())
      )
    })
    expect(wrong).toEqual([])
  })
})

describe('a large repository', () => {
  /** Counts reads of members of pull requests, because time depends on the machine. */
  function readsOf(size: number): number {
    let reads = 0
    const counted = (each: PullRequest) =>
      new Proxy(each, {
        get: (target, member) => {
          reads += 1
          return Reflect.get(target, member) as unknown
        },
      })
    const pullRequests = Array.from({ length: size }, (_, index) =>
      counted(
        pullRequest({
          number: index + 1,
          base: index % 10 === 0 ? 'main' : `change-${index}`,
          createdAt: TIME - index,
        }),
      ),
    )
    decide(inputOf({ pullRequests }))
    return reads
  }

  test('is decided with work that grows at most with the square of its size', () => {
    expect(readsOf(400) / readsOf(100)).toBeLessThan(17)
  })
})
