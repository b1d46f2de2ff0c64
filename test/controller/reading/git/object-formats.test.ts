import { afterEach, expect, onTestFinished, test } from 'vitest'
import { Origin } from '../../../platform/git/origin.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, type Stand } from '../../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const open = async (origin: Origin, more: object = {}) => {
    stand = await createStand(database.db, { git: { default: { url: origin.url, path: 'team', ...more } } })
  }
  const source = () => stand.controller.source('default')

  test('follows a repository in SHA-256 format, by HEAD and by commit', async () => {
    const origin = new Origin(onTestFinished, 'sha256')
    const first = origin.commit({ 'team/things/one.yml': 'name: one\n' })
    await open(origin)
    await eventually(() => source().applied_revision === first)
    const second = origin.commit({ 'team/things/two.yml': 'name: two\n' })
    expect(await stand.pass()).toMatchObject({ status: 'succeeded', revision: second })
    await stand.close()
    await open(origin, { ref: { commit: first } })
    await eventually(() => source().applied_revision === first)
    expect(first).toHaveLength(64)
  })
})
