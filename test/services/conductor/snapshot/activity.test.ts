import { expect, test } from 'vitest'
import { activeAt } from '../../../../services/conductor/snapshot/activity.ts'
import type { Activity } from '../../../../services/conductor/snapshot/answers.ts'
import { labelTimes } from '../../../../services/conductor/snapshot/label-times.ts'
import { reportedHeads } from '../../../../services/conductor/snapshot/reported-heads.ts'

const CREATED = '2026-05-01T10:00:00Z'
const LATER = '2026-05-01T11:00:00Z'
const NOW = Date.parse('2026-05-01T12:00:00Z')
const user = { __typename: 'User', login: 'mia' }
const bot = { __typename: 'Bot', login: 'renovate' }
const NEW = { createdAt: CREATED, lastEditedAt: null, editor: null }
const active = (isComplete: boolean, ...nodes: Activity[]) =>
  new Date(activeAt(NEW, { nodes, isComplete }, NOW)).toISOString().replace('.000', '')
const commit = (name: string | null, login?: string, committedDate = LATER): Activity => ({
  __typename: 'PullRequestCommit',
  commit: { committedDate, author: { name, user: login === undefined ? null : { login } } },
})

test.each([
  ['a comment', { __typename: 'IssueComment', createdAt: LATER, author: user }, LATER],
  ['a comment of a bot', { __typename: 'IssueComment', createdAt: LATER, author: bot }, CREATED],
  ['a comment of a deleted account', { __typename: 'IssueComment', createdAt: LATER, author: null }, LATER],
  ['a label', { __typename: 'LabeledEvent', createdAt: LATER, actor: user }, LATER],
  ['a label of a bot', { __typename: 'LabeledEvent', createdAt: LATER, actor: bot }, CREATED],
  [
    'a label of a bot by its login',
    { __typename: 'LabeledEvent', createdAt: LATER, actor: { ...user, login: 'x[bot]' } },
    CREATED,
  ],
  ['a review', { __typename: 'PullRequestReview', submittedAt: LATER, author: user }, LATER],
  ['a review that is not submitted', { __typename: 'PullRequestReview', submittedAt: null, author: user }, CREATED],
  ['a commit', commit('Mia', 'mia'), LATER],
  ['a commit without an account', commit('Mia'), LATER],
  ['a commit of a bot', commit('renovate[bot]'), CREATED],
  ['a commit by a clock that is ahead', commit('Mia', 'mia', '2026-05-01T13:00:00Z'), '2026-05-01T13:00:00Z'],
  ['a commit of the future', commit('Mia', 'mia', '2099-01-01T00:00:00Z'), CREATED],
  ['a commit without a readable date', commit('Mia', 'mia', 'of old'), CREATED],
])('activity after %s', (_what, event, expected) => {
  expect(active(true, event)).toBe(expected)
})

test('takes the newest event of any account while older ones are not read', () => {
  const beep = { __typename: 'IssueComment', createdAt: LATER, author: bot }
  expect(active(false, beep)).toBe(LATER)
})

test('counts an edit by a person and no edit by a bot', () => {
  const edited = { ...NEW, lastEditedAt: LATER }
  const none = { nodes: [], isComplete: true }
  expect(activeAt({ ...edited, editor: user }, none, NOW)).toBe(Date.parse(LATER))
  expect(activeAt({ ...edited, editor: bot }, none, NOW)).toBe(Date.parse(CREATED))
})

test('dates a label by its newest addition, else as given', () => {
  const added = (name: string, createdAt: string) => ({ createdAt, label: { name } })
  const events = [added('agent', LATER), added('Agent', CREATED), added('other', LATER)]
  const agent = { name: 'agent', since: Date.parse(LATER) }
  expect(labelTimes(['agent', 'triaged'], events, 5)).toEqual([agent, { name: 'triaged', since: 5 }])
  expect(labelTimes(['agent', 'triaged'], events, null)).toEqual([agent, { name: 'triaged', since: null }])
})

test('finds reported heads in own comments only', () => {
  const head = 'a'.repeat(40)
  const body = `checks failed\n<!-- svc:conductor checks-failed ${head} -->`
  const comment = (viewerDidAuthor: boolean) => ({ createdAt: CREATED, viewerDidAuthor, body })
  expect(reportedHeads([comment(true), comment(true)])).toEqual([head])
  expect(reportedHeads([comment(false), { ...comment(true), body: '<!-- svc:conductor checks-failed x -->' }])).toEqual(
    [],
  )
})
