import { afterEach, describe, expect, test } from 'vitest'
import { TestClock } from '../../../../platform/core/clock.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const apply = (things: Record<string, string>, more: { prune?: boolean; targets?: string[] } = {}) =>
    stand.controller.apply(
      {
        manifests: Object.entries(things).map(([name, text]) => ({
          path: `things/${name}.yml`,
          content: `name: ${name}\n${text}`,
        })),
        root: '/sent',
        ...more,
      },
      person,
      () => undefined,
    )
  const becomesIdle = (name: string) => {
    stand.things.busy.clear()
    const [id] = stand.things.find(name)!
    stand.things.changes.publish({ id, name, moved: 'idle' })
  }
  const hard = () => stand.things.find('t')?.[1].hard

  describe.each([[false], [true]])('deferred work, daemon restarted meanwhile: %s', (reopens) => {
    const meanwhile = async () => {
      if (reopens) await stand.reopen()
    }

    test('makes a deferred restart when the resource is idle', async () => {
      stand = await createStand(database.db)
      await apply({ t: 'hard: a\n' })
      stand.things.busy.add('t')
      expect((await apply({ t: 'hard: b\n' })).status).toBe('waiting')
      await meanwhile()
      expect(hard()).toBe('a')
      becomesIdle('t')
      await eventually(() => hard() === 'b')
    })

    test('makes only the deferred deletion when the resource is idle', async () => {
      stand = await createStand(database.db)
      await apply({ t: '', stays: '', other: '' })
      stand.things.busy.add('t')
      expect((await apply({ stays: '' }, { prune: true })).steps.map(({ name }) => name).sort()).toEqual([])
      expect((await apply({ stays: '', other: '' }, { prune: true })).status).toBe('waiting')
      await meanwhile()
      becomesIdle('t')
      await eventually(() => stand.things.removed.includes('t'))
      expect(stand.names()).toEqual(['other', 'stays'])
    })

    test('completes a requested change in manual mode when it becomes possible', async () => {
      stand = await createStand(database.db)
      await stand.files({ 'svc.yaml': 'sync:\n  mode: manual\n', 'things/t.yml': 'name: t\nhard: a\n' })
      await stand.pass()
      stand.things.busy.add('t')
      await stand.files({ 'things/t.yml': 'name: t\nhard: b\n' })
      expect((await stand.pass()).status).toBe('waiting')
      await meanwhile()
      becomesIdle('t')
      await eventually(() => hard() === 'b')
    })

    test.each([['default'], ['apply:/sent']])(
      'makes a deferred revert in source %s when the resource is idle',
      async (of) => {
        stand = await createStand(database.db)
        if (of === 'default') {
          await stand.files({ 'things/t.yml': 'name: t\nhard: a\n' })
          await stand.pass()
        } else await apply({ t: 'hard: a\n' })
        stand.things.changeByHand('t', { hard: 'x' })
        stand.things.busy.add('t')
        await eventually(async () => (await stand.controller.drift({ open: true })).items.length === 1)
        expect((await stand.controller.revert('things', 't', person)).status).toBe('waiting')
        await meanwhile()
        becomesIdle('t')
        await eventually(() => hard() === 'a')
        await eventually(async () => (await stand.controller.drift({})).items[0]?.resolution === 'reverted')
      },
    )

    test('heals or reports drift as each manifest specifies', async () => {
      stand = await createStand(database.db)
      await apply({ t: 'size: 1\nsync: { drift: heal }\n', u: 'size: 1\n' })
      await meanwhile()
      stand.things.changeByHand('u', { size: 5 })
      stand.things.changeByHand('t', { size: 5 })
      await eventually(() => stand.things.find('t')![1].size === 1)
      await eventually(async () => (await stand.controller.drift({ open: true })).items.length === 1)
      expect(stand.things.find('u')![1].size).toBe(5)
    })
  })

  test('keeps a resource applied again before its deferred deletion', async () => {
    stand = await createStand(database.db)
    await apply({ t: '', stays: '' })
    stand.things.busy.add('t')
    expect((await apply({ stays: '' }, { prune: true })).status).toBe('waiting')
    expect((await apply({ t: '', stays: '' })).status).toBe('succeeded')
    becomesIdle('t')
    await stand.reopen()
    await stand.controller.revert('things', 'stays', person)
    expect([stand.names(), stand.things.removed]).toEqual([['stays', 't'], []])
  })

  test('makes a deferred restart at the drain deadline', async () => {
    const clock = new TestClock(Date.now())
    stand = await createStand(database.db, { clock, drainTimeoutSecs: 60 })
    await apply({ t: 'hard: a\n' })
    stand.things.busy.add('t')
    await apply({ t: 'hard: b\n' })
    await eventually(() => {
      clock.tick(5_000)
      return hard() === 'b'
    })
  })

  test('retries a failed step without undoing a targeted apply', async () => {
    stand = await createStand(database.db)
    await apply({ t: 'size: 1\n', u: 'size: 1\n' })
    await apply({ t: 'size: 2\n', u: 'size: 2\n' }, { targets: ['things/t'] })
    stand.things.failing.set('new', new Error('no room'))
    expect((await apply({ t: 'size: 2\n', u: 'size: 1\n', new: '' })).status).toBe('failed')
    stand.things.failing.clear()
    await stand.reopen()
    await eventually(() => stand.names().includes('new'))
    expect(['t', 'u'].map((name) => stand.things.find(name)![1].size)).toEqual([2, 1])
  })

  test('stores repeated applies of one target once', async () => {
    stand = await createStand(database.db)
    await apply({ t: 'size: 1\n', u: 'size: 1\n' })
    for (const size of [2, 3, 4]) await apply({ t: `size: ${size}\n` }, { targets: ['things/t'] })
    expect(await database.db('controller_sent').select('source')).toHaveLength(2)
    await apply({ u: 'size: 5\n' }, { targets: ['things/u'] })
    expect(await database.db('controller_sent').select('source')).toHaveLength(3)
    await stand.reopen()
    await eventually(() => stand.things.find('u')?.[1].size === 5)
    expect(stand.things.find('t')?.[1].size).toBe(4)
  })
})
