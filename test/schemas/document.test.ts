import { expect, test } from 'vitest'
import { documentKind } from '../../schemas/document.ts'
import type { ManifestContext, ReadText } from '../../schemas/kind.ts'

const context = (read: ReadText = { fault: 'unreadable' }): ManifestContext => ({
  directory: '/manifests/documents',
  project: '/',
  home: '/home/mira',
  defaultSandbox: 'auto',
  pathFault: () => null,
  worktreeBase: () => null,
  directoryFault: () => null,
  readText: (path) => (path === '/manifests/handbook.md' ? read : { fault: 'outside' }),
  resolve: () => undefined,
  lookUp: () => undefined,
  placeOf: () => null,
})

test('defaults the title to the name and sorts tags', () => {
  expect(documentKind.canonicalise({ name: 'handbook', content: 'x', tags: ['b', 'a', 'b'] }, context())).toEqual({
    name: 'handbook',
    title: 'handbook',
    content: 'x',
    tags: ['a', 'b'],
  })
})

test('reads the text from a file', () => {
  const manifest = { name: 'handbook', content_file: '../handbook.md' }
  const read = context({ text: '# Handbook' })
  expect(documentKind.check(manifest, read)).toEqual([])
  expect(documentKind.canonicalise(manifest, read)).toMatchObject({ content: '# Handbook' })
})

test.each([
  ['no text', {}, 'the text is missing'],
  ['two texts', { content: 'x', content_file: '../handbook.md' }, 'given twice'],
  ['a missing file', { content_file: '../handbook.md' }, 'cannot be read'],
  ['a file outside the project', { content_file: '../../../etc/passwd' }, 'outside the folder'],
  ['NUL characters', { content: 'a\0b' }, 'NUL'],
  ['a blank title', { content: 'x', title: ' ' }, 'is blank'],
  ['a title with a line break', { content: 'x', title: 'a\nb' }, 'control characters'],
])('rejects %s', (_what, members, message) => {
  const faults = documentKind.check({ name: 'handbook', ...members }, context())
  expect(faults).toMatchObject([{ message: expect.stringContaining(message) }])
})

test('rejects a file that is too long', () => {
  const manifest = { name: 'handbook', content_file: '../handbook.md' }
  expect(documentKind.check(manifest, context({ text: 'x'.repeat(262_145) }))).toMatchObject([
    { path: ['content_file'], message: expect.stringContaining('at most 262144') },
  ])
})
