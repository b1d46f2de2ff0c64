import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Askers } from '../../attack/identity/asker.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { makeTree, startIndex, type IndexStand, type Tree } from './stand.ts'

let home: Tree
beforeAll(() => {
  home = makeTree({
    'project/a.ts': 'export const visible = 1\n',
    'other/b.ts': 'export const visible = 2\n',
    '.ssh/c.ts': 'export const visible = 3\n',
  })
  symlinkSync(join(home.path, '.ssh'), join(home.path, 'project', 'link'))
})
afterAll(() => home.remove())

async function inIndex(env: Record<string, string>, work: (stand: IndexStand) => Promise<void>): Promise<void> {
  const database = await sqliteDatabase()
  const stand = await startIndex(database.url, { HOME: home.path, SVC_INDEX_EMBEDDING_PROVIDER: 'builtin', ...env })
  try {
    await work(stand)
  } finally {
    await stand.close()
    await database.remove()
  }
}

const searched = async (stand: IndexStand, body: object = {}): Promise<string[] | string> => {
  const { status, body: reply } = await stand.ask('POST /search/agentic', { query: 'visible', ...body })
  if (status !== 200) return `${status} ${reply.code}: ${reply.detail}`
  return reply.matches.map(({ file_path }: { file_path: string }) => file_path)
}

test('searches the directory in which the daemon was started', async () => {
  await inIndex({ PWD: join(home.path, 'project') }, async (stand) => {
    expect(await searched(stand)).toEqual(['a.ts'])
    expect(await searched(stand, { path: '../other' })).toContain('422 unprocessable-content')
  })
})

test.each(['/', 'home'])('requires the setting if the daemon was started in %s', async (started) => {
  const PWD = started === 'home' ? home.path : started
  await inIndex({ PWD }, async (stand) => {
    for (const path of ['.', 'project', join(home.path, 'project')]) {
      const refused = await searched(stand, { path })
      expect(refused).toContain('422 path-closed')
      expect(refused).toContain(`started in ${PWD}, which holds a home directory: set SVC_INDEX_WORKING_DIR`)
    }
    await stand.indexed(join(home.path, 'project'))
    expect(await searched(stand, { path: join(home.path, 'project') })).toEqual(['a.ts'])
  })
})

test('refuses an agent if the orchestrator is in another process, and names the cause', async () => {
  const askers = new Askers()
  const asker = await askers.start({ env: { SVC_AGENT_ID: '5f0c1c1e-8f0d-4b8e-9d5c-0f2b6f3f9a11' } })
  await inIndex({ PWD: join(home.path, 'project') }, async (stand) => {
    await stand.indexed(join(home.path, 'other'))
    for (const path of ['.', join(home.path, 'other'), join(home.path, 'missing')]) {
      const { status, text } = await asker.http({
        method: 'POST',
        url: `${stand.host.urls.index}/search/agentic`,
        headers: { 'content-type': 'application/json', 'x-svc-actor': 'mia' },
        body: JSON.stringify({ query: 'visible', path }),
      })
      const { code, detail } = JSON.parse(text)
      expect([status, code]).toEqual([422, 'path-closed'])
      expect(detail).toMatch(/is not open to agent:\?: this process knows no directory of it, so serve the index and/)
    }
  })
  await askers.close()
})

test('searches a home directory that the setting names, without its credentials', async () => {
  await inIndex({ PWD: '/', SVC_INDEX_WORKING_DIR: home.path }, async (stand) => {
    expect(await searched(stand)).toEqual(['other/b.ts', 'project/a.ts'])
    for (const path of ['.ssh', 'project/link', '.ssh/missing'])
      expect(await searched(stand, { path })).toContain('422 path-closed')
  })
})

test('indexes no credentials, and registers no closed directory', async () => {
  await inIndex({}, async (stand) => {
    for (const path of ['.ssh', 'project/link']) {
      const { status, body } = await stand.ask('POST /repositories', { name: 'x', path: join(home.path, path) })
      expect([status, body.code]).toEqual([422, 'path-closed'])
    }
    await stand.indexed(home.path)
    const { body } = await stand.ask('POST /search', { query: 'visible', search_mode: 'keyword', limit: 100 })
    const files = body.results.map(({ file_path }: { file_path: string }) => file_path)
    expect(new Set(files)).toEqual(new Set(['other/b.ts', 'project/a.ts']))
  })
})
