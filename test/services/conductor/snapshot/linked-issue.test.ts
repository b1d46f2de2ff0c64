import { describe, expect, test } from 'vitest'
import { atOnce } from '../../../../platform/async/time-slices.ts'
import { closingNumbers, linkedIssues, type LinkSources } from '../../../../services/conductor/snapshot/linked-issue.ts'

const reference = (number: number, state = 'OPEN', nameWithOwner = 'acme/shop') => ({
  number,
  state,
  repository: { nameWithOwner },
})
const NONE: LinkSources = { references: [], body: '', branch: 'feature' }
const linked = (sources: Partial<LinkSources>, ...open: number[]) =>
  atOnce(linkedIssues({ ...NONE, ...sources }, 'acme/shop', new Set(open)))

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
    ['[fixes][1] #7\n\n[1]: https://shop.example', [7]],
    ['fixes #7\n\n- text #8\n- closes #9', [7, 9]],
  ])('of %j are %j', (body, numbers) => {
    expect(atOnce(closingNumbers(body))).toEqual(numbers)
  })
})

test.each([
  ['of many lines', 'fixes **#7** and `code`\n'.repeat(3000)],
  ['of one line', 'fixes **#7** and `code` '.repeat(3000)],
])('yields within a long paragraph %s', (_, text) => {
  const work = closingNumbers(`${text}and closes #9`)
  let pauses = 0
  let step = work.next()
  for (; !step.done; step = work.next()) pauses++
  expect(new Set(step.value)).toEqual(new Set([7, 9]))
  expect(pauses).toBeGreaterThan(text.length / 2000)
})

test('finds a number after any length of a paragraph', () => {
  const text = 'text '.repeat(600)
  for (let shift = 0; shift < 30; shift++) {
    const body = `${text.slice(shift, 2000)}closes #123 ${text}`
    expect(atOnce(closingNumbers(body)), `after ${2000 - shift} characters`).toEqual([123])
  }
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
