// Agents of a git source that work in its repository.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Source } from '../../../schemas/source.ts'
import { Origin } from '../../platform/git/origin.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

const agent = (name: string, more = '') =>
  `name: ${name}\nruntime: scripted\nshell: bash\nworking_dir: ../../src\n${more}`

let stand: DaemonStand
let origin: Origin
let checkout: string
const closes: (() => void)[] = []
beforeAll(async () => {
  stand = await DaemonStand.create()
  checkout = join(stand.dataDir, 'checkouts', 'default')
  origin = new Origin((close) => void closes.push(close))
  origin.commit({
    'team/agents/editor.yml': agent('editor'),
    'team/agents/apart.yml': agent('apart', 'worktree: true\n'),
    'src/a.ts': '1',
  })
  await stand.start(['bin/svc', 'serve', '--manifests', `git+${origin.url}#main:team`])
  await stand.settled()
  await stand.connected()
}, 90_000)
afterAll(async () => {
  await stand.close()
  for (const close of closes) close()
})

const text = () => readFileSync(join(checkout, 'src', 'a.ts'), 'utf8')
const source = () => stand.get<Source>(`${stand.controller}/sources/default`)
const commit = async (version: string) => {
  const made = origin.commit({ 'src/a.ts': version })
  const { code, stdout, stderr } = await stand.svc(['reconcile'])
  expect(code, stdout + stderr).toBe(0)
  await eventually(async () => (await source()).applied_revision === made)
  return made
}

test('work in the checkout of the revision in force, or in a clone of it', async () => {
  expect((await stand.agentNamed('editor')).config.working_dir).toBe(join(checkout, 'src'))
  const { id } = await stand.agentNamed('apart')
  const clone = join(stand.dataDir, 'worktrees', `apart-${id.slice(0, 8)}`)
  expect([text(), readFileSync(join(clone, 'src', 'a.ts'), 'utf8')]).toEqual(['1', '1'])
  expect((await source()).conditions).toEqual([])
})

test('keep their files while one of them is busy', { timeout: 60_000 }, async () => {
  const { id } = await stand.agentNamed('editor')
  await stand.send(id, 'SLOW 600000')
  await eventually(async () => (await stand.agentNamed('editor')).activity === 'busy')
  await commit('2')
  expect(text()).toBe('1')
  expect((await stand.agent(['orchestrator', 'interrupt', 'editor'])).code).toBe(0)
  await eventually(async () => (await stand.agentNamed('editor')).activity === 'idle')
  expect((await stand.svc(['reconcile'])).code).toBe(0)
  await eventually(() => text() === '2')
})

test('are not held up by one that works apart', { timeout: 60_000 }, async () => {
  const { id } = await stand.agentNamed('apart')
  await stand.send(id, 'SLOW 600000')
  await eventually(async () => (await stand.agentNamed('apart')).activity === 'busy')
  await commit('3')
  await eventually(() => text() === '3')
})

test('lose no change, which status names until it is undone', { timeout: 60_000 }, async () => {
  const notes = join(checkout, 'notes.md')
  writeFileSync(notes, 'mine')
  const before = (await source()).applied_revision
  await commit('4')
  await eventually(async () => (await source()).conditions.length > 0)
  const [condition] = (await source()).conditions
  expect(condition).toMatchObject({ type: 'CheckoutDirty', status: 'True', reason: 'LocalChanges' })
  expect(condition!.message).toContain(`${checkout} stays at commit ${before}`)
  expect((await stand.svc(['status'])).stdout).toMatch(/source default: checkout has changes: .*"notes\.md"/)
  expect([text(), existsSync(notes)]).toEqual(['3', true])
  rmSync(notes)
  expect((await stand.svc(['reconcile'])).code).toBe(0)
  await eventually(() => text() === '4')
  expect((await source()).conditions).toEqual([])
})
