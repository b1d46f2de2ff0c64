import { describe, expect, test } from 'vitest'
import { closingNumbers, linkedIssues, type LinkSources } from '../../../../services/conductor/snapshot/linked-issue.ts'

const reference = (number: number, state = 'OPEN', nameWithOwner = 'acme/shop') => ({
  number,
  state,
  repository: { nameWithOwner },
})
const NONE: LinkSources = { references: [], body: '', branch: 'feature' }
const linked = (sources: Partial<LinkSources>, ...open: number[]) =>
  linkedIssues({ ...NONE, ...sources }, 'acme/shop', new Set(open))

describe('closing keywords', () => {
  test.each([
    ['closes #7', [7]],
    ['Close #7, closed #8 and CLOSES: #9', [7, 8, 9]],
    ['fix #1 fixes #2 fixed #3 resolve #4 resolves #5 resolved #6', [1, 2, 3, 4, 5, 6]],
    ['**fixes** #7', [7]],
    ['- fixes\n  #7', [7]],
    ['prefixes #7', []],
    ['#7', []],
    ['see #7', []],
    ['fixes#7', []],
    ['fixes other/shop#7', []],
    ['fixes #7a', []],
    ['`fixes #7`', []],
    ['fixes `x` #7', []],
    ['```\nfixes #7\n```', []],
    ['~~~\nfixes #7\n~~~', []],
    ['text\n\n    fixes #7', []],
    ['<!-- fixes #7 -->', []],
    ['text <!-- fixes #7 --> text', []],
    ['\\`fixes #7\\`', [7]],
    ['> fixes #7', [7]],
  ])('of %j are %j', (body, numbers) => {
    expect(closingNumbers(body)).toEqual(numbers)
  })
})

describe('the linked issue', () => {
  test('is the lowest open closing reference of the repository', () => {
    const references = [reference(9), reference(4, 'CLOSED'), reference(6), reference(2, 'OPEN', 'acme/other')]
    expect(linked({ references }, 6, 9)).toEqual({ linkedIssue: 6, references: [4, 6, 9] })
    expect(linked({ references: [reference(5, 'OPEN', 'ACME/Shop')] }).linkedIssue).toBe(5)
  })

  test('is taken from the body if no closing reference is open', () => {
    const sources = { references: [reference(4, 'CLOSED')], body: 'fixes #8, fixes #3, fixes #2' }
    expect(linked(sources, 3, 8)).toEqual({ linkedIssue: 3, references: [2, 3, 4, 8] })
  })

  test.each([
    ['issue-7', 7],
    ['mia/issue-7', 7],
    ['7-login', 7],
    ['agents/fix/7-login', 7],
    ['issue-7-login', null],
    ['v7-login', null],
    ['7', null],
    ['issue-7/login', null],
  ])('of the branch %s is %j', (branch, number) => {
    expect(linked({ branch }, 7).linkedIssue).toBe(number)
  })

  test('is none if the named issue is not open', () => {
    expect(linked({ branch: 'issue-7', body: 'fixes #6' })).toEqual({ linkedIssue: null, references: [6, 7] })
  })

  test('prefers the body to the branch', () => {
    expect(linked({ branch: 'issue-7', body: 'fixes #8' }, 7, 8).linkedIssue).toBe(8)
  })
})
