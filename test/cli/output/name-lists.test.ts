import { expect, test } from 'vitest'
import { firstLines, nameList } from '../../../cli/output/name-lists.ts'
import { summaryText, servicesOnly } from '../../../cli/svc/daemon/first-pass.ts'

test('names the first entries and counts the others, never "and 1 more"', () => {
  expect(nameList([], 2)).toBe('')
  expect(nameList(['a', 'b', 'c'], 2)).toBe('a, b, c')
  expect(nameList(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more')
  expect(firstLines(['a', 'b', 'c'], 2)).toEqual(['a', 'b', 'c'])
  expect(firstLines(['a', 'b', 'c', 'd'], 2)).toEqual(['a', 'b', '  … and 2 more'])
})

test('fits the summary of a large start on a screen', () => {
  const names = Array.from({ length: 300 }, (_each, index) => `w${index}`)
  const text = summaryText({
    ...servicesOnly({ orchestrator: 'http://127.0.0.1:1' }, Date.now()),
    created: { workflows: names },
    resources: [],
    failed: names.map((name) => `workflows/${name}: no`),
  })
  expect(text).toMatch(/300 workflows +w0, w1, w10, w100, .* and 290 more\n/)
  expect(text.split('\n').length).toBeLessThan(30)
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(120)
})
