// Another process changes a watched folder without pause: the system hands out events faster than they are read.
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Source } from '../../../schemas/source.ts'
import { whileSwapped } from '../../platform/files/swapped-folder.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

test('a folder that changes without pause does not block the daemon', { timeout: 60_000 }, async () => {
  const stand = await DaemonStand.create()
  onTestFinished(() => stand.close())
  stand.write('documents/a.yml', 'name: a\ntitle: a\ncontent: a\n')
  stand.write('swapped/note.md', 'x')
  await stand.startReady()
  const reason = async () => {
    const { conditions } = await stand.get<Source>(`${stand.controller}/sources/default`)
    return conditions.find(({ type }) => type === 'Watching')?.reason
  }
  await eventually(async () => (await reason()) === 'Watched')
  await whileSwapped(join(stand.manifests, 'swapped'), stand.home, async () => {
    await eventually(async () => (await reason()) === 'TooManyEvents')
    for (let round = 0; round < 20; round++)
      expect(await stand.get(`${stand.controller}/health`)).toMatchObject({ status: 'ok' })
  })
})
