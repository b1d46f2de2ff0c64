import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { withOptionalReturn } from '../../../../services/code-index/agentic/line-ends.ts'
import { numbers } from '../../../support/random.ts'

test.each([
  ['a$', 'a\r\\?$'],
  ['\\(a$\\)', '\\(a\r\\?$\\)'],
  ['a$\\|b$', 'a\r\\?$\\|b\r\\?$'],
  ['a$\nb', 'a\r\\?$\nb'],
  ["a\\'", "a\r\\?\\'"],
  ['a$b', 'a$b'],
  ['a\\$', 'a\\$'],
  ['[$]', '[$]'],
  ['[]$]$', '[]$]\r\\?$'],
  ['[^]$]', '[^]$]'],
  ['[[:alpha:]$]$', '[[:alpha:]$]\r\\?$'],
  ['[[.$.]$]', '[[.$.]$]'],
  ['[a$', '[a$'],
  ['a\\', 'a\\'],
])('lets %j match before a carriage return', (pattern, made) => {
  expect(withOptionalReturn(pattern)).toBe(made)
})

/** Matching line numbers; null for an invalid expression. */
function grepped(pattern: string, input: string): string[] | null {
  try {
    const options = { input, env: { PATH: process.env.PATH!, LC_ALL: 'C.UTF-8' }, encoding: 'utf8' as const }
    const found = execFileSync('grep', ['-an', '-e', pattern], { ...options, stdio: 'pipe' })
    return found
      .trim()
      .split('\n')
      .map((line) => line.split(':')[0]!)
  } catch (error) {
    return (error as { status: number }).status === 1 ? [] : null
  }
}

test('matches at least the lines that match without carriage returns, for random expressions', () => {
  const text = 'a\n\nab\nb$\n$\n[a]\naa b\n\\\n^\n'
  const random = numbers(7)
  const atoms = [
    'a',
    'b',
    '$',
    '^',
    '\\$',
    '[$]',
    '[^a]',
    '[',
    ']',
    '\\(',
    '\\)',
    '\\|',
    '*',
    "\\'",
    '.',
    '\\?',
    '\\b',
    '\n',
  ]
  for (let round = 0; round < 150; round++) {
    const query = Array.from(
      { length: 1 + Math.floor(random() * 5) },
      () => atoms[Math.floor(random() * atoms.length)]!,
    )
    const pattern = query.join('')
    const wanted = grepped(pattern, text)
    const found = grepped(withOptionalReturn(pattern), text.replaceAll('\n', '\r\n'))
    if (wanted === null) expect(found, pattern).toBeNull()
    else expect(found, JSON.stringify(pattern)).toEqual(expect.arrayContaining(wanted))
  }
})
