import { expect, test } from 'vitest'
import type { ManifestContext } from '../../schemas/kind.ts'
import { repositoryKind } from '../../schemas/repository.ts'

const context = (there = true): ManifestContext => ({
  directory: '/srv/team/repositories',
  project: '/srv',
  home: '/home/mira',
  defaultSandbox: 'auto',
  pathFault: () => null,
  worktreeBase: () => null,
  directoryFault: () => (there ? null : 'missing'),
  readText: () => ({ fault: 'unreadable' }),
  resolve: () => undefined,
  lookUp: () => undefined,
  placeOf: () => null,
})

test.each([
  ['.', '/srv'],
  ['../code', '/srv/team/code'],
  ['~/shop', '/home/mira/shop'],
  ['/opt/shop/', '/opt/shop'],
])('resolves the path %s to %s', (path, absolute) => {
  expect(repositoryKind.canonicalise({ name: 'shop', path }, context()).path).toBe(absolute)
})

test('sorts languages and keeps the order of patterns', () => {
  const written = { name: 'shop', path: '/opt', languages: ['rust', 'go', 'rust'], ignore: ['*.js', '!kept.js'] }
  expect(repositoryKind.canonicalise(written, context())).toEqual({
    name: 'shop',
    path: '/opt',
    languages: ['go', 'rust'],
    ignore: ['*.js', '!kept.js'],
  })
  expect(repositoryKind.canonicalise({ name: 'shop', path: '/opt' }, context())).toMatchObject({
    languages: null,
    ignore: [],
  })
})

test('reports a missing directory with its resolved path', () => {
  expect(repositoryKind.check({ name: 'shop', path: '../code' }, context(false))).toMatchObject([
    { path: ['path'], code: 'directory-missing', message: expect.stringContaining('/srv/team/code') },
  ])
})

test('replaces the repository only if its path changes', () => {
  expect(['path', 'languages', 'ignore'].map((member) => repositoryKind.change(member))).toEqual([
    'replace',
    'in-place',
    'in-place',
  ])
})
