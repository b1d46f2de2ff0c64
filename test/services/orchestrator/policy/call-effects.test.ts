import { expect, test } from 'vitest'
import { effectsOf } from '../../../../services/orchestrator/policy/call-effects.ts'
import { closedUnder } from './closed-under.ts'

const place = { workingDir: '/work/app', home: '/home/me', closed: closedUnder('/home/me') }

test.each<[tool: string, input: Record<string, unknown>, reads: string[], writes: string[]]>([
  ['Read', { file_path: 'a' }, ['/work/app/a'], []],
  ['Write', { file_path: '/work/b', content: '' }, [], ['/work/b']],
  ['Grep', { pattern: 'x' }, ['/work/app'], []],
  ['Bash', { command: 'cat a b > c' }, ['/work/app/a', '/work/app/b'], ['/work/app/c']],
  ['Bash', { command: 'rm -rf build && cp a b' }, ['/work/app/a'], ['/work/app/build', '/work/app/b']],
  ['Bash', { command: 'cat a; rm a' }, [], ['/work/app/a']],
])('lists the paths of %s %j', (tool, input, reads, writes) => {
  const found = effectsOf(tool, input, place)
  expect([new Set(found!.reads), new Set(found!.writes)]).toEqual([new Set(reads), new Set(writes)])
  expect(found!.complete).toBe(true)
})

test('tells that a command may reach paths that are not known', () => {
  expect(effectsOf('Bash', { command: 'cat "$FILE"' }, place)).toMatchObject({ complete: false })
})

test.each<[tool: string, input: Record<string, unknown>]>([
  ['WebFetch', { url: 'https://example.com' }],
  ['Bash', { command: 'echo "' }],
  ['Bash', {}],
  ['Read', { file_path: 7 }],
  ['mcp__files__read', { path: '/work/a' }],
])('knows no paths of %s %j', (tool, input) => {
  expect(effectsOf(tool, input, place)).toBeNull()
})

test('gives up on a command with too many paths', () => {
  const command = `cat ${Array.from({ length: 20_000 }, (_, at) => `f${at}`).join(' ')}`
  expect(effectsOf('Bash', { command }, place)).toBeNull()
})
