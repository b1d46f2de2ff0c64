import { renameSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import type { RecordedTopic } from '../../../../platform/store/live-topic.ts'
import type { Source } from '../../../../schemas/source.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { Origin } from '../../../platform/git/origin.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  let reported: string[]
  afterEach(() => stand.close())

  const topic = () => stand.controller.topics!.find(({ name }) => name === 'sources') as RecordedTopic
  const shown = async (name = 'default') => (await topic().read([name], '')).get(name) as Source | undefined
  const follow = () => {
    reported = []
    topic().unrecorded!((name) => reported.push(name))
  }

  async function open(): Promise<void> {
    stand = await createStand(database.db, { start: false })
    follow()
    await stand.files({ 'svc.yaml': 'sync: {max_delete: "1"}\n', 'things/a.yml': 'name: a\n' })
    await stand.files({ 'things/b.yml': 'name: b\n', 'things/c.yml': 'name: c\n' })
    await stand.pass()
    await eventually(() => reported.length > 0)
    reported.length = 0
  }

  test('reads sources as the list shows them, without unknown ones', async () => {
    await open()
    const read = await topic().read(['default', 'other'], '')
    expect([...read]).toEqual([['default', stand.controller.source('default')]])
  })

  test('reports deletions that a plan holds back, and their end', async () => {
    await open()
    await stand.files({ 'things/a.yml': null, 'things/b.yml': null })
    await stand.pass()
    await eventually(() => reported.includes('default'))
    expect((await shown())!.held_back).toMatchObject({ deletions: { deletes: 2 } })
    reported.length = 0
    await stand.files({ 'things/a.yml': 'name: a\n', 'things/b.yml': 'name: b\n' })
    await stand.pass()
    await eventually(() => reported.includes('default'))
    expect((await shown())!.held_back).toBeNull()
  })

  test('reports invalid manifests and a missing folder', async () => {
    await open()
    await stand.files({ 'things/a.yml': 'name: [\n' })
    await stand.pass()
    await eventually(() => reported.includes('default'))
    expect((await shown())!.error).toContain('things/a.yml:')
    reported.length = 0
    await stand.files({ '.': null })
    await stand.pass()
    await eventually(() => reported.includes('default'))
    expect((await shown())!.error).toContain(stand.folder)
  })

  test('reports nothing after a pass that changes only the time of the read', async () => {
    await open()
    const { observed_at } = (await shown())!
    await eventually(async () => {
      await stand.pass()
      return (await shown())!.observed_at !== observed_at
    })
    expect(reported).toEqual([])
  })

  test('reads a source of sent manifests until it is torn down', async () => {
    await open()
    await stand.controller.apply({ manifests: [], root: '/sent', source: 'apply:/sent' }, person, () => undefined)
    expect(await shown('apply:/sent')).toMatchObject({ name: 'apply:/sent', owned: 0 })
    await stand.controller.apply(
      { manifests: [], root: '/sent', source: 'apply:/sent', delete_all: true },
      person,
      () => undefined,
    )
    expect(await shown('apply:/sent')).toBeUndefined()
  })

  test('reports a failed poll of a repository, without a pass', async () => {
    const origin = new Origin()
    const commit = origin.commit({ 'team/things/a.yml': 'name: a\n' })
    stand = await createStand(database.db, {
      git: { default: { url: origin.url, path: 'team', pollSecs: 0.05 } },
    })
    follow()
    await eventually(async () => (await shown())!.applied_revision === commit)
    await stand.controller.suspend('default', person)
    reported.length = 0
    renameSync(origin.folder, `${origin.folder}.gone`)
    await eventually(async () => reported.includes('default') && (await shown())!.error !== null)
    expect(await shown()).toMatchObject({ revision: commit, suspended: true })
    renameSync(`${origin.folder}.gone`, origin.folder)
    await eventually(async () => (await shown())!.error === null)
  })
})
