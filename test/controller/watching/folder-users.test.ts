import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { busyIn } from '../../../controller/watching/folder-users.ts'
import { Things } from '../fixture.ts'

function stand() {
  const top = mkdtempSync(join(tmpdir(), 'svc-users-'))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  const folder = join(top, 'checkout')
  mkdirSync(join(folder, 'src'), { recursive: true })
  const things = new Things()
  const add = (name: string, hard: string) =>
    things.live.set(`id-${name}`, { name, size: 0, hard, parent: null, env: {} })
  const reconciler = { ...things.reconciler(), worksIn: ({ hard }: { hard: string }) => [hard] }
  const live = { reconcilers: [things.reconciler('gadget'), reconciler], signal: new AbortController().signal }
  const lookup = { liveId: () => null, nameOf: () => null }
  return { top, folder, things, add, busy: () => busyIn(folder, { ...live, lookup }) }
}

test('names busy resources that work in the folder, below it, or through a link', async () => {
  const { top, folder, things, add, busy } = stand()
  symlinkSync(join(folder, 'src'), join(top, 'link'))
  for (const [name, place] of Object.entries({
    at: folder,
    below: join(folder, 'src'),
    linked: join(top, 'link'),
    beside: `${folder}-other`,
    idle: folder,
  })) {
    add(name, place)
    if (name !== 'idle') things.busy.add(name)
  }
  expect((await busy()).sort()).toEqual(['things/at', 'things/below', 'things/linked'])
})

test('asks where the running process works, not where the next one will', async () => {
  const { folder, things, add, busy } = stand()
  add('moving', '/elsewhere')
  things.busy.add('moving')
  things.running.set('id-moving', { ...things.live.get('id-moving')!, hard: folder })
  expect(await busy()).toEqual(['things/moving'])
})

test('fails if a kind cannot be observed', async () => {
  const { things, busy } = stand()
  things.before = () => {
    throw new Error('away')
  }
  await expect(busy()).rejects.toThrow('away')
})
