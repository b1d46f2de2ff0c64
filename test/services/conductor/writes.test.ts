// Writes to the forge whose answer is lost, is a refusal, or is never given.
import { describe, expect, test, vi } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { ForgeWrites } from '../../../services/conductor/execution/forge-writes.ts'
import { eventually } from '../../support/eventually.ts'
import { forgeFault, MemoryForge } from './memory-forge.ts'
import { ago, commit, DAY, HOUR, issue, label, MINUTE, pullRequest } from './snapshots.ts'
import { conductorStands } from './stand.ts'

vi.setConfig({ testTimeout: 60_000 })

const start = conductorStands()

const { signal } = new AbortController()
const writesTo = (forge: MemoryForge) => new ForgeWrites(forge, signal, new TestClock())
const given = () => ({
  issues: [issue({ number: 3 })],
  pullRequests: [
    pullRequest({ number: 7, labels: ['merge-ready', 'needs-rework'] }),
    pullRequest({ number: 8, mergeState: 'BEHIND' as const }),
  ],
})

const WRITES: Record<string, (writes: ForgeWrites) => Promise<unknown>> = {
  'an added label': (writes) => writes.addLabel(3, 'triaged'),
  'a removed label': (writes) => writes.removeLabel(7, 'needs-rework'),
  'a comment': (writes) => writes.comment(7, `<!-- svc:conductor checks-failed ${commit(7)} -->`, commit(7)),
  'a new base': (writes) => writes.retarget(7, 'next'),
  'an updated branch': (writes) => writes.updateBranch(8, commit(8)),
  'a merge': (writes) => writes.merge(7, commit(7), 'Change 7 (#7)', null),
}

describe.each(Object.entries(WRITES))('%s', (_name, write) => {
  test('is found again if its answer is lost', async () => {
    const [forge, expected] = [new MemoryForge(given()), new MemoryForge(given())]
    await write(writesTo(expected))
    let count = 0
    forge.onWrite = (_write, moment) => {
      if (moment === 'after' && ++count === 1) throw forgeFault('forge-unreachable')
    }
    expect(await write(writesTo(forge))).toMatchObject({
      outcome: expect.stringMatching(/done|unchanged/),
    })
    expect(forge.picture).toEqual(expected.picture)
  })

  test('is not repeated after the rate limit is reached', async () => {
    const forge = new MemoryForge(given())
    let tries = 0
    forge.onWrite = () => {
      tries++
      throw forgeFault('forge-limited')
    }
    await expect(write(writesTo(forge))).rejects.toMatchObject({ code: 'forge-limited' })
    expect(tries).toBe(1)
  })

  test('is not taken for done if it never arrived', async () => {
    const forge = new MemoryForge(given())
    const before = forge.picture
    forge.onWrite = () => {
      throw forgeFault('forge-unreachable')
    }
    const outcome = await write(writesTo(forge)).catch((error: Error) => error.message)
    expect(JSON.stringify(outcome)).toContain('the forge is down')
    expect(forge.picture).toEqual(before)
  })
})

describe('a merge', () => {
  /** Merges; `refusals`: what changes at each refusal. */
  async function merge(...refusals: (((forge: MemoryForge) => void) | null)[]) {
    const [forge, clock] = [new MemoryForge(given()), new TestClock()]
    let isOver = false
    let count = 0
    const carryOut = forge.merge.bind(forge)
    forge.merge = async (request) => {
      if (count >= refusals.length) return carryOut(request)
      refusals[count++]?.(forge)
      return { outcome: 'refused', reason: 'not mergeable' }
    }
    const judged = await forge.pullRequest(7)
    const merging = new ForgeWrites(forge, signal, clock)
      .merge(7, commit(7), 'Change 7 (#7)', judged)
      .finally(() => void (isOver = true))
    await eventually(async () => {
      clock.tick(1000)
      return isOver
    })
    return { reply: await merging, merged: forge.picture.merged, refusals: count }
  }

  const changed = (facts: object) => (forge: MemoryForge) => forge.change(7, () => facts)
  const close = (forge: MemoryForge) => void (forge.state = { ...forge.state, pullRequests: [] })

  test.each([
    ['conflict', changed({ mergeable: 'CONFLICTING' })],
    ['moved', changed({ mergeable: 'UNKNOWN' })],
    ['moved', changed({ baseHead: commit(99) })],
    ['moved', changed({ labels: [] })],
    ['closed', close],
  ])('that the forge refuses is %s by the facts read again, and is not tried again', async (code, change) => {
    expect(await merge(change)).toEqual({
      reply: { outcome: 'failed', code, reason: 'not mergeable' },
      merged: [],
      refusals: 1,
    })
  })

  test('that the forge refuses once is tried again', async () => {
    expect(await merge(null)).toMatchObject({ reply: { outcome: 'done' }, merged: [[7, commit(7)]] })
  })

  test('that the forge refuses twice is a gate only if nothing has changed', async () => {
    expect(await merge(null, null)).toMatchObject({ reply: { code: 'gate' }, merged: [], refusals: 2 })
    expect(await merge(null, changed({ mergeable: 'UNKNOWN' }))).toMatchObject({ reply: { code: 'moved' }, merged: [] })
  })

  test('is not tried again if the facts change in the pause', async () => {
    const forge = new MemoryForge(given())
    const clock = new TestClock()
    let tries = 0
    forge.merge = async () => {
      tries++
      return { outcome: 'refused', reason: 'not mergeable' }
    }
    const judged = await forge.pullRequest(7)
    const merging = new ForgeWrites(forge, signal, clock).merge(7, commit(7), 'Change 7 (#7)', judged)
    await eventually(async () => clock.pending > 0)
    changed({ labels: [label('human-gate', 0)] })(forge)
    clock.tick(2000)
    expect(await merging).toMatchObject({ outcome: 'failed', code: 'moved' })
    expect(tries).toBe(1)
  })

  test('of another head, or of a closed pull request, merges nothing', async () => {
    const forge = new MemoryForge(given())
    const writes = writesTo(forge)
    expect(await writes.merge(7, commit(9), 'Change 7 (#7)', null)).toMatchObject({ outcome: 'failed', code: 'moved' })
    expect(await writes.merge(9, commit(9), 'Change 9 (#9)', null)).toMatchObject({ outcome: 'failed', code: 'closed' })
    expect(forge.picture.merged).toEqual([])
  })
})

describe('a run', () => {
  test('names the cause of a merge whose answer was lost', async () => {
    const stand = await start({ pullRequests: [pullRequest({ number: 7 })] })
    const { run, forge } = stand
    forge.onWrite = (write) => {
      if (write.startsWith('merge')) throw forgeFault('forge-unreachable')
    }
    expect(await run()).toMatchObject({
      health: 'degraded',
      problems: [{ code: 'forge-unreachable', detail: 'the forge is down' }],
    })
  })

  test.each<[string, (forge: MemoryForge) => void]>([
    ['is open in the next run', () => undefined],
    [
      'is neither open nor merged in the reading after it',
      (forge) => (forge.state = { ...forge.state, pullRequests: [] }),
    ],
  ])('finishes a merge that the forge makes late: it %s', async (_, hide) => {
    const stand = await start({ pullRequests: [pullRequest({ number: 7 })] })
    const { run, forge, messages } = stand
    const { state } = forge
    forge.onWrite = (write) => {
      if (!write.startsWith('merge')) return
      hide(forge)
      throw forgeFault('forge-unreachable')
    }
    await run()
    forge.onWrite = () => undefined
    if (forge.state.pullRequests.length > 0) {
      forge.change(7, () => ({ checks: [{ name: 'ci', state: 'PENDING', endedAt: null }] }))
      expect(await run()).toMatchObject({ items: [{ situation: 'checks-pending' }] })
    }
    forge.state = state
    await forge.merge({ number: 7, sha: commit(7), title: 'Change 7 (#7)' })
    await run()
    expect(forge.picture).toMatchObject({ merged: [[7, commit(7)]], branches: [] })
    expect((await messages('operations')).filter(({ metadata }) => metadata.about === 'merged')).toHaveLength(1)
    expect(await stand.db('conductor_intents')).toEqual([])
  })

  test('goes on after a refusal, and reports it', async () => {
    const stand = await start({
      issues: [issue({ number: 1, labels: [] }), issue({ number: 2, labels: [] })],
      pullRequests: [pullRequest({ number: 7 })],
    })
    const { run, forge, git } = stand
    forge.onWrite = (write) => {
      if (write === 'add-label needs-triage 1') throw forgeFault('forge-refused', 'Must have write access')
    }
    git.deleteBranch = async () => {
      throw new Problem(503, 'the remote does not answer', { code: 'git-failed' })
    }
    const ended = await run()
    expect(ended).toMatchObject({ status: 'done', health: 'degraded' })
    expect(ended.problems).toEqual([
      { code: 'forge-refused', detail: 'Must have write access' },
      { code: 'git-failed', detail: 'the remote does not answer' },
    ])
    expect(ended.actions[0]).toMatchObject({ number: 1, outcome: 'failed', reason: 'Must have write access' })
    expect(forge.picture).toMatchObject({ merged: [[7, commit(7)]], branches: [`change-7 ${commit(7)}`] })
    expect(forge.picture.issues).toEqual([
      [1, []],
      [2, ['needs-triage']],
    ])
  })

  test('posts once about a situation whose label the forge refuses, and again when it returns', async () => {
    const conflicting = pullRequest({ number: 7, mergeable: 'CONFLICTING' })
    const stand = await start({ pullRequests: [conflicting] })
    const { run, forge, messages } = stand
    const posts = async () => (await messages('engineering')).filter(({ metadata }) => metadata.about === 'conflicting')
    forge.onWrite = () => {
      throw forgeFault('forge-refused', 'Must have write access')
    }
    for (let count = 0; count < 3; count++)
      expect(await run()).toMatchObject({ status: 'done', problems: [{ code: 'forge-refused' }] })
    expect(await posts()).toHaveLength(1)
    forge.onWrite = () => undefined
    await run()
    expect(await posts()).toHaveLength(1)
    forge.change(7, () => ({ labels: conflicting.labels }))
    await run()
    expect(await posts()).toHaveLength(2)
  })

  test('ends when the forge is lost, and the next one posts nothing twice', async () => {
    const stand = await start({
      pullRequests: [
        pullRequest({ number: 7, labels: [label('review-agent', ago(HOUR))], verdicts: [], reviews: [] }),
        pullRequest({ number: 8, checks: [{ name: 'ci', state: 'FAILURE', endedAt: ago(2 * DAY) }] }),
      ],
    })
    const { run, forge, messages, memories } = stand
    forge.onWrite = (write) => {
      if (write.startsWith('remove-label')) throw forgeFault('forge-limited')
    }
    const failed = await run()
    expect(failed).toMatchObject({ status: 'failed', problems: [{ code: 'forge-limited' }] })
    expect(failed.actions.map(({ action, about }) => about ?? action)).toEqual(['nudge', 'comment', 'checks-failed'])
    expect(await memories()).toEqual([])
    forge.onWrite = () => undefined
    forge.state = { ...forge.state, time: forge.state.time + MINUTE }
    expect(await run()).toMatchObject({ status: 'done', health: 'ok' })
    const about = async (room: string) => (await messages(room)).map(({ metadata }) => metadata.about)
    expect(await about('engineering')).toEqual(['nudge', 'checks-failing'])
    expect(await about('operations')).toEqual(['checks-failed', 'digest'])
    expect(forge.comments).toHaveLength(1)
  })

  test('reports no merge that was not made, also if its base has changed', async () => {
    const stand = await start({ pullRequests: [pullRequest({ number: 7 })] })
    const { run, forge, messages } = stand
    forge.onWrite = (write) => {
      if (write.startsWith('merge')) throw forgeFault('forge-limited')
    }
    expect(await run()).toMatchObject({ status: 'failed', problems: [{ code: 'forge-limited' }] })
    forge.onWrite = () => undefined
    forge.change(7, () => ({ labels: [], verdicts: [], base: 'next' }))
    forge.state = { ...forge.state, issues: [issue({ number: 3, labels: [] })] }
    expect(await run({ dry_run: true })).toMatchObject({ actions: [{ number: 3 }, { about: 'digest' }, {}] })
    await run()
    expect(await messages('operations')).toMatchObject([{ metadata: { transitions: ['#3: +needs-triage'] } }])
  })
})
