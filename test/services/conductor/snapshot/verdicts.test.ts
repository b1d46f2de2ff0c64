import { expect, test } from 'vitest'
import type { ReviewAnswer } from '../../../../services/conductor/snapshot/answers.ts'
import { hasAllReviewers, loginKey, submitted, verdicts } from '../../../../services/conductor/snapshot/verdicts.ts'

const at = (minute: number) => `2026-05-01T10:${String(minute).padStart(2, '0')}:00Z`
const review = (login: string | null, state: string, minute = 0): ReviewAnswer => ({
  state,
  submittedAt: at(minute),
  author: login === null ? null : { __typename: 'User', login },
})
const byBot = (login: string, state: string, minute = 0): ReviewAnswer => ({
  ...review(login, state, minute),
  author: { __typename: 'Bot', login },
})
const imported = { ...review('lin', 'APPROVED', 1), author: { __typename: 'Mannequin', login: 'lin' } }
const reviewers = new Set(['lin', 'acme-review[bot]'].map(loginKey))

test.each([
  ['an approval of a writer', [review('ada', 'APPROVED')], [], ['APPROVED']],
  ['no review of another', [], [review('eve', 'APPROVED')], []],
  ['a review of a configured reviewer', [], [review('Lin', 'APPROVED')], ['APPROVED']],
  ['a bot by its login without suffix', [], [byBot('Acme-Review', 'CHANGES_REQUESTED')], ['CHANGES_REQUESTED']],
  ['no user with the login of a configured bot', [], [review('acme-review', 'APPROVED')], []],
  ['no bot with the login of a configured user', [], [byBot('lin', 'APPROVED')], []],
  ['no imported account with the login of a configured user', [], [imported], []],
  [
    'a bot and a user of one login as two',
    [byBot('acme-review', 'CHANGES_REQUESTED'), review('acme-review', 'APPROVED', 1)],
    [],
    ['CHANGES_REQUESTED', 'APPROVED'],
  ],
  [
    'the latest of one account',
    [],
    [review('lin', 'APPROVED'), review('lin', 'CHANGES_REQUESTED', 1)],
    ['CHANGES_REQUESTED'],
  ],
  ['the latest in any order', [], [review('lin', 'APPROVED', 2), review('lin', 'CHANGES_REQUESTED', 1)], ['APPROVED']],
  ['no comment', [], [review('lin', 'APPROVED'), review('lin', 'COMMENTED', 1)], ['APPROVED']],
  ['no pending review', [], [review('lin', 'APPROVED'), review('lin', 'PENDING', 1)], ['APPROVED']],
  ['a dismissal, which revives none', [], [review('lin', 'APPROVED'), review('lin', 'DISMISSED', 1)], ['DISMISSED']],
  ['one account of both lists once', [review('lin', 'APPROVED', 1)], [review('lin', 'APPROVED', 1)], ['APPROVED']],
  [
    'each review of deleted accounts',
    [review(null, 'APPROVED'), review(null, 'CHANGES_REQUESTED')],
    [],
    ['APPROVED', 'CHANGES_REQUESTED'],
  ],
])('counts %s', (_what, opinions, reviews, expected) => {
  expect(verdicts(opinions, reviews, reviewers)).toEqual(expected)
})

test('has all reviewers when each has a verdict', () => {
  expect(hasAllReviewers([], new Set())).toBe(true)
  expect(hasAllReviewers([review('lin', 'COMMENTED'), byBot('acme-review', 'APPROVED')], reviewers)).toBe(false)
  expect(hasAllReviewers([review('Lin', 'DISMISSED'), review('acme-review', 'APPROVED')], reviewers)).toBe(false)
  expect(hasAllReviewers([review('Lin', 'DISMISSED'), byBot('acme-review', 'APPROVED')], reviewers)).toBe(true)
})

test('lists submitted reviews of any state and account', () => {
  const pending = { ...review('ada', 'PENDING'), submittedAt: null }
  expect(submitted([review('eve', 'COMMENTED', 1), pending, review(null, 'APPROVED', 2)])).toEqual([
    { author: 'eve', state: 'COMMENTED', submittedAt: Date.parse(at(1)) },
    { author: '', state: 'APPROVED', submittedAt: Date.parse(at(2)) },
  ])
})
