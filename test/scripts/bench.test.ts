import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/root.ts'

test('rejects an unknown benchmark with the known names before building', () => {
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [join(root, 'scripts', 'bench.mjs'), 'start-up', 'nope'],
    {
      encoding: 'utf8',
    },
  )
  expect([status, stdout]).toEqual([64, ''])
  const [error, hint] = stderr.trim().split('\n')
  expect(error).toBe('error: unknown benchmark nope')
  const named = hint!.replace('hint: the benchmarks are ', '').split(', ')
  const files = readdirSync(join(root, 'test', 'bench'), { recursive: true, encoding: 'utf8' })
  const names = files.filter((file) => file.endsWith('.bench.ts')).map((file) => basename(file, '.bench.ts'))
  expect(new Set(named)).toEqual(new Set(names))
})
