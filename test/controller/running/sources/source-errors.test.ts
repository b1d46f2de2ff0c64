import { afterEach, expect, test } from 'vitest'
import type { Log } from '../../../../platform/core/log/log.ts'
import { noLog } from '../../../../platform/core/log/log.ts'
import { TestClock } from '../../../../platform/core/clock.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  let lines: { what: string; code: string; source: string }[]
  afterEach(() => stand.close())

  const open = async (more: object = {}) => {
    lines = []
    const log = { ...noLog, warn: (facts: any, what: string) => void lines.push({ ...facts, what }) } as unknown as Log
    stand = await createStand(database.db, { start: false, log, sources: ['other'], ...more })
  }
  const loggedCodes = () => lines.filter(({ what }) => what.includes('plan of the source')).map(({ code }) => code)
  const errorOf = (name: string) => stand.controller.source(name).error

  test('reports resources that another source owns', async () => {
    await open()
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\n' })
    await stand.pass()
    await stand.files({ 'things/t.yml': 'name: t\nsize: 2\n', 'things/own.yml': 'name: own\n' }, 'other')
    for (let again = 0; again < 3; again++) await stand.pass({ source: 'other' })
    expect(errorOf('other')).toBe('things/t.yml:1:1: things/t belongs to source "default" (things/t.yml:1)')
    expect(errorOf('default')).toBeNull()
    expect(await stand.controller.health!()).toMatchObject({ status: 'degraded', sources_in_error: ['other'] })
    expect([loggedCodes(), stand.names()]).toEqual([['owned-elsewhere'], ['own', 't']])
    await stand.files({ 'things/t.yml': 'name: t\nsize: 3\n' }, 'other')
    await stand.pass({ source: 'other' })
    expect(loggedCodes(), 'a revision later').toHaveLength(2)
    await stand.files({ 'things/t.yml': null }, 'other')
    await stand.pass({ source: 'other' })
    expect([errorOf('other'), (await stand.controller.health!()).status]).toEqual([null, 'ok'])
  })

  test('reports ambiguous names beside manifest errors', async () => {
    await open()
    const thing = { size: 1, hard: '', parent: null, env: {} }
    stand.things.live.set('one', { name: 'b', ...thing })
    stand.things.live.set('two', { name: 'b', ...thing })
    await stand.files({ 'things/b.yml': 'name: b\n', 'things/broken.yml': 'name: [\n' })
    for (let again = 0; again < 3; again++) await stand.pass()
    expect(errorOf('default')).toMatch(/^things\/broken\.yml:.*things\/b\.yml:1:1: 2 live resources are called "b"/)
    expect(loggedCodes()).toEqual(['ambiguous'])
    stand.things.live.delete('two')
    await stand.pass()
    expect(errorOf('default')).not.toContain('live resources')
  })

  test('reports unobservable resources of applied manifests', async () => {
    const clock = new TestClock()
    await open({ start: true, clock })
    const manifests = [
      { path: 'things/t.yml', content: 'name: t\n' },
      { path: 'gadgets/g.yml', content: 'name: g\n' },
    ]
    await stand.controller.apply({ manifests, root: '/sent' }, person, () => undefined)
    const { name } = stand.controller.sources().find((source) => source.name.startsWith('apply:'))!
    stand.gadgets.before = () => Promise.reject(new Error('the socket is closed'))
    const resyncUntil = async (holds: () => boolean) => {
      await eventually(() => {
        clock.tick(60_000)
        return holds()
      })
    }
    await resyncUntil(() => errorOf(name) !== null)
    expect(errorOf(name)).toContain('the socket is closed')
    expect(await stand.controller.health!()).toMatchObject({ status: 'degraded', sources_in_error: [name] })
    const before = loggedCodes().length
    expect(before).toBeGreaterThan(0)
    clock.tick(120_000)
    stand.gadgets.before = () => undefined
    await resyncUntil(() => errorOf(name) === null)
    expect(loggedCodes()).toHaveLength(before)
  })
})
