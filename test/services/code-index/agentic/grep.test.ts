import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import type { AgenticMatch } from '../../../../schemas/code-index/search.ts'
import { grep } from '../../../../services/code-index/agentic/grep.ts'
import { makeTree } from '../stand.ts'

const LINES = ['first();', '', 'alpha', 'beta = $1', 'last']
const WORDS = Array.from({ length: 100_000 }, (_each, at) => `é${at}`)
const tree = makeTree({
  'ends/crlf.c': LINES.join('\r\n'),
  'ends/lf.c': LINES.join('\n'),
  'ends/lone.c': 'alpha\rlast\r',
  'bundle/long.js': `${WORDS.join(' ')}\n${WORDS.join('+')}\nshort\n`,
})
afterAll(() => tree.remove())

const found = async (pattern: string, filePattern: string, contextLines = 0): Promise<AgenticMatch[]> => {
  const where = { root: tree.path, hidden: [], ignore: [], filePattern }
  return (await grep({ pattern, ...where, contextLines, limit: 20, deadlineMs: 60_000 }, process.env.PATH!)).matches
}
const places = async (pattern: string): Promise<string[]> =>
  (await found(pattern, 'ends/*')).map(({ file_path, line_number }) => `${file_path}:${line_number}`)

test.each([
  ['alpha$', [3]],
  ['^$', [2]],
  ['^\\(alpha$\\|last$\\)', [3, 5]],
  ['[^;]$', [3, 4, 5]],
  ['^.\\{5\\}$', [3]],
  ['= $1', [4]],
  ["last\\'", [5]],
])('matches %j as if lines ended with newlines only', async (pattern, lines) => {
  const both = ['crlf.c', 'lf.c'].flatMap((name) => lines.map((line) => `ends/${name}:${line}`))
  expect((await places(pattern)).filter((place) => !place.startsWith('ends/lone.c'))).toEqual(both)
})

test('returns lines and their context without carriage returns of line ends', async () => {
  const [match, ...others] = await found('alpha', 'ends/crlf.c', 1)
  expect(others).toEqual([])
  expect(match).toMatchObject({ content: 'alpha', context_before: [''], context_after: ['beta = $1'] })
  // Others are characters of the line.
  expect(await places('\r')).toEqual(['ends/lone.c:1'])
})

/** The temporary folder during `work`. */
async function withTemporary(path: string, work: () => Promise<unknown>): Promise<void> {
  vi.stubEnv('TMPDIR', path)
  try {
    await work()
  } finally {
    vi.unstubAllEnvs()
  }
}

test('leaves no temporary file', async () => {
  const own = makeTree({})
  await withTemporary(own.path, () => places('alpha'))
  expect(readdirSync(own.path)).toEqual([])
  own.remove()
})

test('reports a temporary folder that cannot be written', () =>
  withTemporary(join(tree.path, 'missing'), () =>
    expect(places('alpha')).rejects.toThrow(/^failed to write a temporary file: ENOENT.*: free space in .*missing$/),
  ))

test.each(['é99999', 'é1 é2', 'é5000[^0-9]'])('shows the part of a long line that matches %s', async (pattern) => {
  const matches = await found(pattern, 'bundle/*')
  expect(matches.length).toBeGreaterThan(0)
  for (const { content } of matches) {
    expect(content.length).toBeLessThanOrEqual(4000)
    expect(content).toMatch(new RegExp(pattern))
    expect(content).not.toContain('\ufffd')
  }
})

test('shows the beginning of a long line for an empty match', async () => {
  const [match] = await found('x*', 'bundle/*')
  expect(match!.content).toMatch(/^é0 é1 é2 /)
  expect(match!.content).toHaveLength(4000)
})
