import { expect, test } from 'vitest'
import { kinds } from '../../schemas/kinds.ts'
import { readManifests } from '../../controller/reading/manifest.ts'
import { emptyContext } from '../controller/reading/reading.ts'

const lists = (depth: number) => Array.from({ length: depth }, (_, at) => [at, Array(10).fill(`*a${at}`).join(', ')])
const BOMBS: Record<string, string> = {
  aliases: ['a0: &a0 [x]', ...lists(40).map(([at, all]) => `a${Number(at) + 1}: &a${Number(at) + 1} [${all}]`)].join(
    '\n',
  ),
  'merge keys': [
    'a0: &a0 { k: x }',
    ...lists(40).map(([at, all]) => `a${Number(at) + 1}: &a${Number(at) + 1} { <<: [${all}] }`),
  ].join('\n'),
  '6,000 levels of lists': `labels: ${'['.repeat(6000)}${']'.repeat(6000)}`,
  '6,000 levels of mappings': `labels: ${'{a: '.repeat(6000)}1${'}'.repeat(6000)}`,
  '1,400 indented levels': Array.from({ length: 1400 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
}

test.each(Object.keys(BOMBS))('reports quickly, and reads the other files: %s', (what) => {
  const files = {
    'policies/bomb.yml': `name: bomb\nmode: deny_all\n${BOMBS[what]}\n`,
    'policies/good.yml': 'name: good\nmode: deny_all\n',
  }
  const sent = Object.entries(files).map(([path, content]) => ({ path, content }))
  const before = process.cpuUsage()
  const { diagnostics, resources } = readManifests(sent, { root: '/none', kinds, home: '/home', context: emptyContext })
  const { user, system } = process.cpuUsage(before)
  expect(diagnostics.length).toBeGreaterThan(0)
  expect(new Set(diagnostics.map(({ file }) => file))).toEqual(new Set(['policies/bomb.yml']))
  expect(resources.map(({ name }) => name)).toEqual(['good'])
  expect((user + system) / 1e6).toBeLessThan(3)
})
