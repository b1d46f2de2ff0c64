// The lines of a file of a repository are never those of a file of the daemon.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DaemonStand } from '../../support/daemon.ts'

const SSH = 'canary-of-an-ssh-key'

let stand: DaemonStand
let key: string
let address: string
let viewer: string
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.env.SVC_INDEX_WORKING_DIR = stand.home
  for (const folder of [join(stand.home, '.ssh'), join(stand.project, 'src')]) mkdirSync(folder)
  writeFileSync(join(stand.project, 'src', 'a.ts'), 'export const answer = 42\n')
  symlinkSync(stand.dataDir, join(stand.project, 'data-link'))
  symlinkSync(join(stand.home, '.ssh'), join(stand.project, 'src', 'ssh-link'))
  symlinkSync(join(stand.home, '.ssh', 'key.ts'), join(stand.project, 'src', 'key-link.ts'))
  await stand.start()
  for (const folder of [join(stand.home, '.ssh'), stand.dataDir]) writeFileSync(join(folder, 'key.ts'), SSH)
  key = readFileSync(join(stand.dataDir, 'key'), 'utf8').trim()
  const body = { name: 'home', path: stand.home }
  const made = await stand.ask<{ id: string }>('POST', `${stand.urls.index}/repositories`, body)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  address = `${stand.urls.index}/repositories/${made.body.id}/file`
  viewer = (await stand.svc(['token', 'create', 'vera', '--role', 'viewer'])).stdout.trim()
}, 60_000)
afterAll(() => stand.close())

async function lines(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${address}?${new URLSearchParams({ path }).toString()}`, { headers })
  return { status: response.status, text: await response.text() }
}

test('reads a file below a repository', async () => {
  expect(await lines('project/src/a.ts')).toMatchObject({ status: 200, text: expect.stringContaining('answer') })
})

test.each([
  'data/key',
  'data/key.ts',
  'data/launch/key.ts',
  '.ssh/key.ts',
  'project/data-link/key',
  'project/data-link/key.ts',
  'project/src/ssh-link/key.ts',
  'project/src/key-link.ts',
  'project/../data/key.ts',
  'project/src/../../data/key.ts',
])('refuses the lines of the closed file %s', async (path) => {
  for (const named of [path, join(stand.home, path), `${stand.home}/${path}`])
    for (const headers of [{}, { authorization: `Bearer ${viewer}` }] as Record<string, string>[]) {
      const { status, text } = await lines(named, headers)
      expect([400, 404, 422], `${named}: ${text}`).toContain(status)
      expect(text).not.toContain(SSH)
      expect(text).not.toContain(key)
    }
})
