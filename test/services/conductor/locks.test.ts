// Locks of the conductor and of others, in the real rooms.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import type { RoomLock } from '../../../schemas/communicate/message.ts'
import { eventually } from '../../support/eventually.ts'
import { forgeFault } from './memory-forge.ts'
import { issue, pullRequest } from './snapshots.ts'
import { conductorStands, type ConductorStand } from './stand.ts'

vi.setConfig({ testTimeout: 30_000 })

const start = conductorStands()

const unlabelled = (count: number) => Array.from({ length: count }, (_, at) => issue({ number: at + 1, labels: [] }))
const locksOf = async ({ ask }: ConductorStand) =>
  (await ask<RoomLock[]>('GET /rooms/engineering/locks', undefined, 'communicate')).body

describe('locks', () => {
  test('of others defer a run, which does and stores nothing', async () => {
    const { run, ask, forge, memories, postAs } = await start({ issues: unlabelled(1) })
    await postAs('builder', 'engineering', '[LOCK] moving issues')
    const before = forge.picture
    const deferred = await run()
    expect(deferred).toMatchObject({
      status: 'deferred',
      health: 'ok',
      actions: [],
      waiting_for: { holder: 'builder', purpose: 'moving issues' },
      requests: 0,
    })
    expect(await run({ dry_run: true })).toMatchObject({ status: 'deferred' })
    expect([forge.picture, await memories(), (await ask('GET /runs')).body]).toEqual([before, [], []])
    await ask('POST /rooms/engineering/messages', { sender_id: 'builder', content: '[UNLOCK]' }, 'communicate')
    expect(await run()).toMatchObject({ status: 'done', waiting_for: null })
  })

  test('surround a change of more than three issues', async () => {
    const started = await start({ issues: unlabelled(4) })
    const { run, messages, forge } = started
    const seen: number[] = []
    forge.onWrite = async (write, moment) => {
      if (moment === 'before' && write.startsWith('add-label')) seen.push((await locksOf(started)).length)
    }
    const { actions } = await run()
    expect(actions.map(({ action }) => action).slice(0, 6)).toEqual([
      'lock',
      'add-label',
      'add-label',
      'add-label',
      'add-label',
      'unlock',
    ])
    expect(seen).toEqual([1, 1, 1, 1])
    expect(await locksOf(started)).toEqual([])
    const texts = (await messages('engineering')).map(({ content }) => content)
    expect(texts).toEqual([
      expect.stringMatching(/^\[LOCK\] acme\/shop: 4 issues, step 2/),
      expect.stringMatching(/^\[UNLOCK\]/),
    ])
  })

  test('are renewed every five minutes, and outlast their expiry', async () => {
    const clock = new TestClock()
    const started = await start({ issues: unlabelled(4) }, { clock })
    const { run, messages, forge } = started
    const announced = async () => (await messages('engineering')).filter(({ content }) => content.startsWith('[LOCK]'))
    let held: number | null = null
    forge.onWrite = async (write, moment) => {
      if (moment === 'after' || !write.endsWith(' 2')) return
      for (let count = 2; count <= 5; count++) {
        for (let step = 0; step < 15; step++) {
          clock.tick(20_000)
          await turnOfTheLoop()
        }
        await eventually(async () => (await announced()).length === count)
      }
      held = (await locksOf(started)).length
    }
    expect(await run()).toMatchObject({ status: 'done' })
    expect(held).toBe(1)
    expect(await locksOf(started)).toEqual([])
    clock.tick(300_000)
    expect(await announced()).toHaveLength(5)
  })

  test('are given back if the forge fails', async () => {
    const started = await start({ issues: unlabelled(4) })
    const { run, forge } = started
    forge.onWrite = (write) => {
      if (write.endsWith(' 3')) throw forgeFault('forge-limited')
    }
    await started.ask('POST /runs', {})
    expect(await locksOf(started)).toEqual([])
    forge.onWrite = () => undefined
    expect(await run()).toMatchObject({ status: 'done', health: 'ok' })
  })

  test('left by a crash are given back first', async () => {
    const started = await start({ issues: unlabelled(1) })
    const { run, ask } = started
    const body = { sender_id: 'conductor', content: '[LOCK] acme/shop: 9 issues, step 3' }
    await ask('POST /rooms/engineering/messages', body, 'communicate')
    expect(await locksOf(started)).toHaveLength(1)
    const { actions, status } = await run()
    expect(status).toBe('done')
    expect(actions[0]).toMatchObject({ step: 0, action: 'unlock', room: 'engineering', outcome: 'done' })
    expect(await locksOf(started)).toEqual([])
  })

  test('left by a crash stay while another participant has one', async () => {
    const started = await start({ issues: unlabelled(1) })
    const { run, ask, postAs } = started
    const say = (sender_id: string, content: string) =>
      ask('POST /rooms/engineering/messages', { sender_id, content }, 'communicate')
    await say('conductor', '[LOCK] acme/shop: 9 issues, step 3')
    await postAs('builder', 'engineering', '[LOCK] moving issues')
    expect(await run()).toMatchObject({ status: 'deferred', waiting_for: { holder: 'builder' }, actions: [] })
    expect(await locksOf(started)).toHaveLength(2)
    await say('builder', '[UNLOCK]')
    expect((await run()).actions[0]).toMatchObject({ action: 'unlock', outcome: 'done' })
    expect(await locksOf(started)).toEqual([])
  })

  test('of others that begin during a step let it end, and leave out the next', async () => {
    const triaged = [5, 6, 7, 8].map((number) => issue({ number, labels: ['triaged'] }))
    const { run, forge, postAs } = await start({ issues: [...unlabelled(4), ...triaged] })
    forge.onWrite = async () => {
      forge.onWrite = () => undefined
      await postAs('builder', 'engineering', '[LOCK] moving issues')
    }
    const { actions } = await run()
    const steps = actions.map(({ step, action, outcome }) => `${step} ${action} ${outcome}`)
    expect(steps.slice(0, 7)).toEqual([
      '2 lock done',
      ...[1, 2, 3, 4].map(() => '2 add-label done'),
      '2 unlock done',
      '3 lock failed',
    ])
  })

  test('of a run of another repository stay, and leave a step out', async () => {
    const started = await start({ issues: unlabelled(4) })
    const { run, ask, messages } = started
    const body = { sender_id: 'conductor', content: '[LOCK] acme/office: 9 issues, step 3' }
    await ask('POST /rooms/engineering/messages', body, 'communicate')
    const { actions, status } = await run()
    expect(status).toBe('done')
    expect(actions[0]).toMatchObject({
      action: 'lock',
      outcome: 'failed',
      reason: expect.stringContaining('acme/office: 9 issues'),
    })
    expect(await locksOf(started)).toMatchObject([{ purpose: 'acme/office: 9 issues, step 3' }])
    expect((await messages('engineering')).filter(({ content }) => content.startsWith('[UNLOCK]'))).toEqual([])
  })

  test('of a run in progress are not listed by a dry run', async () => {
    const started = await start({ issues: unlabelled(1) })
    const body = { sender_id: 'conductor', content: '[LOCK] acme/shop: 9 issues, step 3' }
    await started.ask('POST /rooms/engineering/messages', body, 'communicate')
    const { actions } = await started.run({ dry_run: true })
    expect(actions.map(({ action }) => action)).not.toContain('unlock')
    expect(await locksOf(started)).toHaveLength(1)
  })

  test('of others prevent a label that depends on the rules', async () => {
    const { ask, postAs, forge } = await start({ pullRequests: [pullRequest({ number: 7, labels: [] })] })
    await postAs('builder', 'engineering', '[LOCK] moving issues')
    const reply = await ask('POST /items/7/labels', { add: 'merge-ready', if_eligible: true })
    expect(reply).toMatchObject({ status: 503, body: { detail: expect.stringContaining('builder holds a lock') } })
    expect(forge.picture.pullRequests).toMatchObject([[7, [], 'main', expect.any(String)]])
  })

  test('of others leave a step out, which the next run does', async () => {
    const { run, ask, forge, postAs } = await start({
      issues: unlabelled(4),
      pullRequests: [pullRequest({ number: 9 })],
    })
    forge.onRead = async () => {
      forge.onRead = () => undefined
      await postAs('builder', 'engineering', '[LOCK] moving issues')
    }
    const { actions, status } = await run()
    expect(status).toBe('done')
    expect(actions[0]).toMatchObject({ action: 'lock', outcome: 'failed', reason: expect.stringContaining('builder') })
    expect(actions.map(({ action }) => action)).toContain('merge')
    expect(forge.picture.issues.flatMap(([, labels]) => labels)).toEqual([])
    await ask('POST /rooms/engineering/messages', { sender_id: 'builder', content: '[UNLOCK]' }, 'communicate')
    await run()
    expect(forge.picture.issues.flatMap(([, labels]) => labels)).toHaveLength(4)
  })
})
