import { expect, test } from 'vitest'
import { diffTexts, lineCount, readPatch } from '../../../../web/parts/text/line-diff.ts'

test('numbers the lines of both sides', () => {
  const [hunk] = diffTexts('# Changes\n\n## Unreleased\n', '# Changes\n\n## 4.2.0\n- Carts survive\n')!
  expect(hunk).toMatchObject({ from: 1, to: 4, added: 2, removed: 1 })
  expect(hunk!.lines).toEqual([
    { kind: 'same', before: 1, after: 1, text: '# Changes' },
    { kind: 'same', before: 2, after: 2, text: '' },
    { kind: 'removed', before: 3, after: null, text: '## Unreleased' },
    { kind: 'added', before: null, after: 3, text: '## 4.2.0' },
    { kind: 'added', before: null, after: 4, text: '- Carts survive' },
  ])
})

test('omits the note about a missing line feed', () => {
  const hunks = diffTexts('a', 'b')!
  expect(lineCount(hunks)).toBe(2)
})

test('gives up on texts without a common line', () => {
  const lines = (prefix: string) => Array.from({ length: 15_000 }, (_, index) => `${prefix}${index}`).join('\n')
  expect(diffTexts(lines('a'), lines('b'))).toBeNull()
})

test('reads a unified diff of several files', () => {
  const text =
    '--- a/agents/greeter.yml\n+++ b/agents/greeter.yml\n@@ -1,1 +1,1 @@\n-model: a\n+model: b\n' +
    '--- a/x.yml\n+++ b/x.yml\n@@ -1,1 +1,2 @@\n same\n+more\n'
  expect(readPatch(text)!.map(({ file, hunks }) => [file, lineCount(hunks)])).toEqual([
    ['agents/greeter.yml', 2],
    ['x.yml', 2],
  ])
})

test('rejects text whose hunk has another length than it says', () => {
  expect(readPatch('--- a\n+++ b\n@@ -1,5 +1,5 @@\n-x\n')).toBeNull()
})
