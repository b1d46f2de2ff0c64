import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { hostFacts, listeningSockets } from '../../../platform/sandbox/facts.ts'

const top = realpathSync(mkdtempSync(join(tmpdir(), 'svc-facts-')))
afterAll(() => rmSync(top, { recursive: true }))

test('reads what a path is, through links', () => {
  writeFileSync(join(top, 'file'), 'text')
  symlinkSync('file', join(top, 'link'))
  symlinkSync('missing', join(top, 'dangling'))
  const paths = [top, join(top, 'file'), join(top, 'link'), join(top, 'dangling'), '/dev/null']
  expect(paths.map(hostFacts.kind)).toEqual(['folder', 'file', 'file', null, 'other'])
  expect(paths.map(hostFacts.realPath)).toEqual([top, paths[1], paths[1], null, '/dev/null'])
  expect(hostFacts.exists(paths[3]!)).toBe(false)
  expect([hostFacts.text(paths[2]!), hostFacts.text(top)]).toEqual(['text', null])
  expect([hostFacts.names(top).sort(), hostFacts.names(paths[1]!)]).toEqual([['dangling', 'file', 'link'], []])
})

test('finds sockets that accept connections', async () => {
  const path = join(top, 'a socket')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(path, resolve))
  expect(hostFacts.kind(path)).toBe('socket')
  expect(hostFacts.listeningSockets()).toContain(path)
  await new Promise((resolve) => server.close(resolve))
  expect(hostFacts.listeningSockets()).not.toContain(path)
})

test('leaves out abstract, relative and connected sockets', () => {
  const table = [
    'Num       RefCount Protocol Flags    Type St Inode Path',
    '00000000bbc99fa1: 00000002 00000000 00010000 0001 01    82 /run/a b.sock',
    '00000000bbc99fa2: 00000002 00000000 00010000 0001 01 12345 @abstract',
    '00000000bbc99fa3: 00000002 00000000 00010000 0005 01 12346 relative.sock',
    '00000000bbc99fa4: 00000003 00000000 00000000 0001 03 12347 /run/connected',
    '00000000bbc99fa5: 00000003 00000000 00000000 0001 03 12348',
    '00000000bbc99fa6: 00000002 00000000 00010000 0005 01 12349 /run/second',
    '00000000bbc99fa7: 00000002 00000000 00010000 0005 01 12350 /run/second',
  ].join('\n')
  expect(listeningSockets(table)).toEqual(['/run/a b.sock', '/run/second'])
})
