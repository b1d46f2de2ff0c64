// Agents whose working directory is the checkout of a git source.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkOut } from '../../../../platform/git/checkout.ts'
import { Mirror } from '../../../../platform/git/mirror.ts'
import { checkoutFolder, indexIn, mirrorIn, sourceFolder } from '../../../../platform/git/source-folders.ts'
import { Origin } from '../../../platform/git/origin.ts'
import { alice, refusal, TestMachine, type TestOrchestrator } from '../harness.ts'

const machine = new TestMachine()
const closes: (() => void)[] = []
let daemon: TestOrchestrator
let folder: string
beforeAll(async () => {
  const origin = new Origin((close) => void closes.push(close))
  const commit = origin.commit({ 'src/a.ts': '1' })
  const source = sourceFolder(machine.folder, 'team')
  const env = { PATH: process.env.PATH }
  const mirror = new Mirror({ folder: mirrorIn(source), url: origin.url, env, home: origin.home, credentials: {} })
  await mirror.fetch(commit)
  folder = checkoutFolder(machine.folder, 'team')
  expect(await checkOut({ mirror, folder, index: indexIn(source) }, commit)).toBe(null)
  daemon = await machine.open()
})
afterAll(async () => {
  await machine.close()
  for (const close of closes) close()
})

const agents = () => daemon.orchestrator.agents

test('work in the checkout itself', async () => {
  const { id } = await daemon.create({ name: 'in', working_dir: join(folder, 'src') })
  expect((await machine.launchFile(id)).directory).toBe(join(folder, 'src'))
})

test('work in a clone of their own with a worktree, which is removed without work', async () => {
  const { id } = await daemon.create({ name: 'apart', working_dir: join(folder, 'src'), worktree: true })
  const clone = join(machine.folder, 'worktrees', `apart-${id.slice(0, 8)}`)
  expect((await machine.launchFile(id)).directory).toBe(join(clone, 'src'))
  expect((await daemon.orchestrator.sandboxTrials.of(id)).directory).toBe(join(clone, 'src'))
  expect(existsSync(join(clone, 'src', 'a.ts'))).toBe(true)
  await agents().restart(id, alice)
  expect((await machine.launchFile(id)).directory).toBe(join(clone, 'src'))
  await agents().purge(id, alice)
  expect(existsSync(clone)).toBe(false)
})

test('keep the clone with its work when they are purged', async () => {
  const { id } = await daemon.create({ name: 'dirty', working_dir: folder, worktree: true })
  const clone = join(machine.folder, 'worktrees', `dirty-${id.slice(0, 8)}`)
  writeFileSync(join(clone, 'unsaved'), 'work')
  await agents().purge(id, alice)
  expect(existsSync(join(clone, 'unsaved'))).toBe(true)
  expect(daemon.frame('worktree_kept', id)).toMatchObject({
    content: expect.stringMatching(/is kept: it has files that are not committed/),
  })
})

test.each(['working_dir', 'additional_dirs'])('are refused under another OS user in %s', async (member) => {
  const place = member === 'working_dir' ? { working_dir: folder } : { additional_dirs: [folder] }
  const refused = await refusal(daemon.create({ name: 'other', user: 'nobody', ...place }))
  expect(refused).toMatchObject({
    status: 422,
    message: expect.stringMatching(/data directory of svc, which OS user "nobody" cannot enter: omit "user"/),
  })
})
