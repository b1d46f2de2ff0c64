// A person or another program changes the repository between the snapshot of a run and a write.
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startGitHub, type GitHub } from '../../forge/github.ts'
import { VIEWER } from '../../forge/records.ts'
import { StackedRemote } from '../../platform/git/stacked-remote.ts'
import { conductorStands, REPOSITORY } from './stand.ts'

vi.setConfig({ testTimeout: 60_000 })

const start = conductorStands()

/** A conductor with a fake GitHub and the branches a, b and c on it. */
async function open() {
  const remote = new StackedRemote()
  remote.stack()
  remote.commit('next', { 'next.txt': 'next' }, 'next1', 'main')
  const github = await startGitHub({ repository: REPOSITORY, git: remote.folder, now: Date.now })
  onTestFinished(() => github.close())
  const env = {
    SVC_FORGE_API_URL: github.url,
    SVC_FORGE_TOKEN: github.token,
    SVC_CONDUCTOR_REMOTE: `file://${remote.home}/{owner}/{name}.git`,
  }
  const stand = await start({}, { isOutward: true, env })
  return { remote, github, ...stand, posts: postsOf(stand) }
}

const postsOf =
  ({ messages }: Awaited<ReturnType<typeof start>>) =>
  async (room: string, about: string) =>
    (await messages(room)).filter(({ metadata }) => metadata.about === about).map(({ metadata }) => metadata.items)

function approved(
  github: GitHub,
  branch: string,
  base = 'main',
  conclusion: 'SUCCESS' | 'FAILURE' = 'SUCCESS',
): number {
  const number = github.pullRequest({ branch, base, title: `Change ${branch}`, labels: ['merge-ready'] })
  github.review(number, 'APPROVED')
  github.check(number, { name: 'build', conclusion })
  return number
}

/** The conductor reads one pull request: before a merge, and before other writes to it. */
const REREAD = /\/graphql PullRequest$/

describe('the branch of a merged pull request', () => {
  test.each([
    ['base', { branch: 'next', base: 'a' }],
    ['head', { branch: 'a', base: 'next' }],
  ])('stays if another pull request got it as its %s during the run', async (_as, members) => {
    const { remote, github, run, posts, db } = await open()
    const merged = approved(github, 'a')
    let other = 0
    github.fail({ on: /merge$/, before: () => void (other = github.pullRequest(members)) })
    const { actions, problems, health } = await run()
    expect([problems, health]).toEqual([[], 'ok'])
    expect(actions.find(({ action }) => action === 'delete-branch')).toMatchObject({
      outcome: 'unchanged',
      reason: expect.stringContaining(`#${other} is open`),
    })
    expect([remote.head('a') === null, github.pull(other).state]).toEqual([false, 'OPEN'])
    expect(await posts('operations', 'merged')).toEqual([[merged]])
    expect(await db('conductor_intents')).toEqual([])
  })

  test('stays while the pull requests that have it cannot be read', async () => {
    const { remote, github, run, posts } = await open()
    const merged = approved(github, 'a')
    // The request and its repeat.
    github.fail({ on: /^GET .*\/pulls$/, how: 502, times: 2 })
    expect(await run()).toMatchObject({ status: 'failed', problems: [{ code: 'forge-unreachable' }] })
    expect([github.pull(merged).state, remote.head('a') === null]).toEqual(['MERGED', false])
    expect(await run()).toMatchObject({ status: 'done', problems: [] })
    expect(remote.head('a')).toBeNull()
    expect(await posts('operations', 'merged')).toEqual([[merged]])
  })

  test('that the remote refuses to delete is reported once', async () => {
    const { remote, github, run } = await open()
    approved(github, 'a')
    const isDeletion = 'case $new in *[!0]*) ;; *) echo deletions are closed >&2; exit 1;; esac'
    remote.hook('pre-receive', `while read old new ref; do ${isDeletion}; done`)
    const first = await run()
    expect(first.actions.find(({ action }) => action === 'delete-branch')).toMatchObject({ outcome: 'failed' })
    expect(first.problems).toEqual([{ code: 'git-failed', detail: expect.stringContaining('deletions are closed') }])
    expect(await run()).toMatchObject({ health: 'ok', problems: [] })
    expect(remote.head('a')).not.toBeNull()
  })
})

describe('a pull request', () => {
  test('that got another base after the snapshot is not merged', async () => {
    const { github, run } = await open()
    const number = approved(github, 'a')
    github.fail({ on: REREAD, before: () => void (github.pull(number).base = 'next') })
    expect((await run()).items).toMatchObject([{ number, situation: 'parent-open' }])
    expect(github.pull(number).state).toBe('OPEN')
  })

  test('keeps its head and the base that a person gave it during the merge below', async () => {
    const { remote, github, run } = await open()
    approved(github, 'a')
    const above = github.pullRequest({ branch: 'b', base: 'a' })
    const before = remote.head('b')
    github.fail({ on: /merge$/, before: () => void (github.pull(above).base = 'next') })
    const { actions } = await run()
    expect(actions.find(({ action }) => action === 'restack')).toMatchObject({
      outcome: 'failed',
      reason: `the base of #${above} is next instead of a`,
    })
    expect([github.pull(above).base, remote.head('b')]).toEqual(['next', before])
  })

  test('above others keeps its head if a person gave it another base during the merge below', async () => {
    const { remote, github, run } = await open()
    approved(github, 'a')
    const between = github.pullRequest({ branch: 'b', base: 'a' })
    const above = github.pullRequest({ branch: 'c', base: 'b' })
    const before = remote.head('c')
    github.fail({ on: /merge$/, before: () => void (github.pull(above).base = 'next') })
    await run()
    expect([github.pull(between).base, remote.head('c')]).toEqual(['a', before])
    await run()
    expect([github.pull(between).base, github.pull(above).base, remote.head('c')]).toEqual(['main', 'next', before])
  })

  test('whose branch was pushed during the merge below is restacked by the next run', async () => {
    const { remote, github, run } = await open()
    approved(github, 'a')
    const above = github.pullRequest({ branch: 'b', base: 'a' })
    let pushed = ''
    github.fail({ on: /merge$/, before: () => void (pushed = remote.commit('b', { 'more.txt': 'more' }, 'b2')) })
    const first = await run()
    expect(first.actions.find(({ action }) => action === 'restack')).toMatchObject({ outcome: 'failed' })
    expect([github.pull(above).base, remote.head('b')]).toEqual(['a', pushed])
    await run()
    expect(github.pull(above).base).toBe('main')
    expect(remote.subjects('b')).toEqual(['b2', 'b1', 'Change a (#1)', 'start'])
  })

  test.each([
    [
      'it',
      'pre-receive',
      'while read old new ref; do case $ref in refs/heads/b) echo rebases are closed >&2; exit 1;; esac; done',
      'b',
    ],
    ['one above it', 'update', 'case $1 in refs/heads/c) echo rebases are closed >&2; exit 1;; esac', 'c'],
  ])('is left to a person if the remote refuses the rebase of %s', async (_which, hook, script, branch) => {
    const { remote, github, run, posts } = await open()
    approved(github, 'a')
    const above = github.pullRequest({ branch: 'b', base: 'a' })
    const top = github.pullRequest({ branch: 'c', base: 'b' })
    remote.hook(hook, script)
    const [number, before] = [branch === 'b' ? above : top, remote.head(branch)]
    expect(await run()).toMatchObject({
      stopped: { number, code: 'rebase-conflict', reason: expect.stringContaining('the remote refuses') },
      problems: [{ code: 'git-failed', detail: expect.stringContaining('rebases are closed') }],
    })
    const later = await run()
    expect(later).toMatchObject({ status: 'done', health: 'ok' })
    expect(later.actions.map(({ action }) => action)).toEqual(['remember'])
    expect([github.item(number).labels, remote.head(branch)]).toEqual([['needs-restack'], before])
    expect([github.pull(above).base, github.pull(top).base, remote.head('a')]).toEqual(['main', 'b', null])
    expect(await posts('engineering', 'rebase-conflict')).toEqual([[number]])
  })

  test('is rebased if the forge has already deleted the merged branch and moved what is above', async () => {
    const { remote, github, run } = await open()
    approved(github, 'a')
    const above = github.pullRequest({ branch: 'b', base: 'a' })
    github.fail({
      on: REREAD,
      after: 1,
      before: () => {
        github.pull(above).base = 'main'
        remote.remote('update-ref', '-d', 'refs/heads/a')
      },
    })
    const { actions, problems } = await run()
    expect(problems).toEqual([])
    expect(actions.filter(({ action }) => /restack|retarget|delete/.test(action))).toMatchObject([
      { action: 'restack', outcome: 'done' },
      { action: 'retarget', outcome: 'unchanged' },
      { action: 'delete-branch', outcome: 'unchanged' },
    ])
    expect(remote.subjects('b')).toEqual(['b1', 'Change a (#1)', 'start'])
    expect(github.pull(above)).toMatchObject({ base: 'main', state: 'OPEN' })
  })

  test('keeps the base that a person gave it while its branch was rebased', async () => {
    const { github, run } = await open()
    approved(github, 'a')
    const above = github.pullRequest({ branch: 'b', base: 'a' })
    // After the readings before the merge and before the rebase.
    github.fail({ on: REREAD, after: 2, before: () => void (github.pull(above).base = 'next') })
    const { actions } = await run()
    expect(actions.filter(({ number }) => number === above)).toMatchObject([
      { action: 'restack', outcome: 'done' },
      { action: 'retarget', outcome: 'failed' },
    ])
    expect(github.pull(above).base).toBe('next')
  })

  test('gets no label for a head that it no longer has', async () => {
    const { remote, github, run } = await open()
    remote.commit('main', { 'shared.txt': 'main' }, 'main1')
    remote.commit('b', { 'shared.txt': 'b' }, 'b2')
    const number = approved(github, 'b')
    github.fail({ on: REREAD, before: () => void remote.commit('b', { 'b.txt': 'b' }, 'b3', 'main') })
    const { actions } = await run()
    expect(actions.find(({ action }) => action === 'add-label')).toMatchObject({
      label: 'needs-restack',
      outcome: 'failed',
      reason: expect.stringMatching(/^the head of #\d+ is/),
    })
    expect(github.item(number).labels).toEqual(['merge-ready'])
  })

  test('gets no second comment on a head that another run has reported', async () => {
    const { remote, github, run } = await open()
    const number = approved(github, 'a', 'main', 'FAILURE')
    const marker = `<!-- svc:conductor checks-failed ${remote.head('a')} -->`
    github.fail({ on: REREAD, before: () => github.comment(number, marker, { by: VIEWER }) })
    const { actions } = await run()
    expect(actions.find(({ action }) => action === 'comment')).toMatchObject({ outcome: 'unchanged' })
    expect(github.item(number).comments).toHaveLength(1)
    expect(github.item(number).labels).toEqual([])
  })

  test('that was closed during the run gets no label', async () => {
    const { github, run } = await open()
    const number = approved(github, 'a', 'main', 'FAILURE')
    github.fail({ on: REREAD, before: () => github.closeItem(number) })
    const { actions, health } = await run()
    expect(actions[0]).toMatchObject({ action: 'comment', outcome: 'failed', reason: expect.stringContaining('open') })
    expect([github.item(number).comments, github.item(number).labels, health]).toEqual([[], ['merge-ready'], 'ok'])
  })
})

describe('a merge that the forge forbids', () => {
  test.each([
    ['its method', (github: GitHub) => void (github.settings.isSquashAllowed = false), /forbids squash merges/],
    [
      'unsigned commits',
      (github: GitHub, number: number) => void (github.pull(number).mergeRefusal = 'Commits must be signed'),
      /Commits must be signed/,
    ],
  ])('for %s is a gate, which is reported once', async (_reason, forbid, reason) => {
    const { github, run, posts } = await open()
    const number = approved(github, 'a')
    forbid(github, number)
    expect(await run()).toMatchObject({
      status: 'stopped',
      stopped: { number, code: 'gate', reason: expect.stringMatching(reason) },
    })
    expect(await run()).toMatchObject({ status: 'done', items: [{ situation: 'gate' }] })
    expect(await posts('engineering', 'gate')).toEqual([[number]])
    expect(github.pull(number).state).toBe('OPEN')
  })
})
