import { afterEach, beforeEach, expect, test } from 'vitest'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

const rules = (...policies: object[]) => JSON.stringify({ sync: { max_delete: '100%', policies } })
const LARGE = { name: 'no-giants', kind: 'thing', member: 'size', forbid: 9, message: 'take a smaller one' }
const STAYS = { name: 'stays', action: 'delete', effect: 'confirm', message: 'it contains messages' }

onEachDatabase((database) => {
  let stand: Stand
  beforeEach(async () => void (stand = await createStand(database.db, { start: false })))
  afterEach(() => stand.close())
  const planOf = (more: object = {}) => stand.controller.plan({ source: 'default', ...more }, person)
  const codes = async () => (await planOf()).diagnostics.map(({ code }) => code)

  test('denies a step and its dependents, and applies the rest', async () => {
    await stand.files({
      'svc.yaml': rules(LARGE),
      'things/good.yml': 'name: good\nsize: 1\n',
      'things/giant.yml': 'name: giant\nsize: 9\n',
      'things/child.yml': 'name: child\nparent: giant\n',
    })
    const run = await stand.pass()
    expect(stand.names()).toEqual(['good'])
    expect(run).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(
        /things\/giant\.yml:2:1: policy "no-giants" denies: create things\/giant \(size is 9\)/,
      ),
    })
    const plan = await planOf()
    expect(plan.steps).toEqual([])
    expect(plan.held).toEqual({ denied: ['things/giant'], unconfirmed: [], waiting: ['things/child'], hash: null })
    expect(plan.policies).toEqual([
      { policy: 'no-giants', effect: 'deny', resources: ['things/giant'], member: 'size' },
    ])
    expect(plan.diagnostics).toMatchObject([
      { code: 'policy-denied', severity: 'error', file: 'things/giant.yml', line: 2, column: 1, name: 'giant' },
    ])
    expect(stand.controller.source('default')).toMatchObject({
      applied_revision: null,
      error: expect.stringContaining('no-giants'),
    })
  })

  test('reports all errors at once, in automatic and requested passes', async () => {
    await stand.files({
      'svc.yaml': rules(LARGE, { ...LARGE, name: 'small-only', forbid: undefined, allow: [1, 2] }),
      'things/a.yml': 'name: a\nsize: 9\n',
      'things/b.yml': 'name: b\nsize: 3\n',
      'things/c.yml': 'name: c\nsize: 2\n',
    })
    await stand.controller.start()
    await eventually(() => stand.names().join() === 'c')
    await eventually(() => /no-giants.*small-only/.test(stand.controller.source('default').error ?? ''))
    expect(await codes()).toEqual(['policy-denied', 'policy-denied', 'policy-denied'])
    await stand.files({ 'things/a.yml': 'name: a\nsize: 1\n', 'things/b.yml': 'name: b\nsize: 2\n' })
    await eventually(() => stand.names().join() === 'a,b,c')
    await eventually(() => stand.controller.source('default').error === null)
  })

  test('requires a deletion to be confirmed by its hash', async () => {
    await stand.files({
      'svc.yaml': rules(STAYS),
      'things/a.yml': 'name: a\n',
      'things/b.yml': 'name: b\n',
      'things/c.yml': 'name: c\n',
    })
    await stand.pass()
    await stand.files({ 'things/a.yml': null })
    const held = await stand.pass()
    expect(held).toMatchObject({ status: 'succeeded', error: expect.stringMatching(/"stays" requires confirmation/) })
    const { held: first } = await planOf()
    expect(first).toMatchObject({ unconfirmed: ['things/a'], hash: expect.stringMatching(/^[0-9a-f]{12}$/) })
    expect(stand.controller.source('default').error).toContain(first!.hash!)
    await stand.files({ 'things/b.yml': null })
    // The hash covers one deletion; now there are two.
    await stand.controller.apply({ source: 'default', confirm: first!.hash! }, person, () => undefined)
    expect(stand.things.removed).toEqual([])
    const { hash } = (await planOf()).held!
    const confirmed = await planOf({ confirm: hash! })
    expect(confirmed.steps.map(({ action, name }) => `${action} ${name}`)).toEqual(['delete b', 'delete a'])
    await stand.controller.apply({ source: 'default', confirm: hash! }, person, () => undefined)
    expect(stand.things.removed.sort()).toEqual(['a', 'b'])
    expect((await planOf()).held).toBeUndefined()
  })

  test('applies a confirmed deferred step without another confirmation', async () => {
    await stand.files({ 'svc.yaml': rules(STAYS), 'things/a.yml': 'name: a\n', 'things/b.yml': 'name: b\n' })
    await stand.pass()
    stand.things.busy.add('a')
    await stand.files({ 'things/a.yml': null })
    const { hash } = (await planOf()).held!
    const run = await stand.controller.apply({ source: 'default', confirm: hash! }, person, () => undefined)
    expect(run.status).toBe('waiting')
    await stand.controller.start()
    stand.things.busy.delete('a')
    stand.things.changes.publish({ id: stand.things.find('a')![0], name: 'a' })
    await eventually(() => stand.things.removed.join() === 'a', 20_000)
  })

  test('requires another confirmation if the manifest changed meanwhile', async () => {
    const restarts = { name: 'asks-first', action: 'restart', effect: 'confirm', message: 'people wait for it' }
    await stand.files({ 'svc.yaml': rules(restarts), 'things/a.yml': 'name: a\nhard: a\n' })
    await stand.pass()
    stand.things.busy.add('a')
    await stand.files({ 'things/a.yml': 'name: a\nhard: b\n' })
    const { hash } = (await planOf()).held!
    const run = await stand.controller.apply({ source: 'default', confirm: hash! }, person, () => undefined)
    expect(run.status).toBe('waiting')
    await stand.files({ 'things/a.yml': 'name: a\nhard: c\n' })
    await stand.controller.start()
    await eventually(() => /asks-first/.test(stand.controller.source('default').error ?? ''), 20_000)
    stand.things.busy.delete('a')
    stand.things.changes.publish({ id: stand.things.find('a')![0], name: 'a', moved: 'idle' })
    await stand.files({ 'things/z.yml': 'name: z\n' })
    await eventually(() => stand.things.find('z') !== undefined, 20_000)
    expect(stand.things.find('a')![1]).toMatchObject({ hard: 'a' })
    expect((await planOf()).held).toMatchObject({ unconfirmed: ['things/a'] })
  })

  test('keeps resources in use and respects the deletion budget', async () => {
    const FEW = { name: 'few', action: 'delete', most: 1, message: 'split the change' }
    await stand.files({
      'svc.yaml': rules({ ...LARGE, name: 'fixed', forbid: undefined, effect: 'confirm' }, FEW),
      'things/base.yml': 'name: base\n',
      'things/user.yml': 'name: user\nparent: base\nsize: 1\n',
      'things/x.yml': 'name: x\n',
    })
    const { hash } = (await planOf()).held!
    await stand.controller.apply({ source: 'default', confirm: hash! }, person, () => undefined)
    expect(stand.names()).toEqual(['base', 'user', 'x'])
    await stand.files({ 'things/base.yml': null, 'things/user.yml': 'name: user\nsize: 2\n' })
    await stand.pass()
    expect((await planOf()).held).toMatchObject({ unconfirmed: ['things/user'], waiting: ['things/base'] })
    expect(stand.names()).toEqual(['base', 'user', 'x'])
    await stand.files({ 'things/x.yml': null })
    const { held, diagnostics } = await planOf()
    expect(held!.denied.sort()).toEqual(['things/base', 'things/x'])
    expect(diagnostics.map(({ message }) => message).join()).toMatch(
      /delete things\/\w+.*\(2 such steps, at most 1 allowed\)/,
    )
  })

  test('warns under effect: warn, but denies with strict', async () => {
    await stand.files({ 'svc.yaml': rules({ ...LARGE, effect: 'warn' }), 'things/giant.yml': 'name: giant\nsize: 9\n' })
    expect((await planOf({ strict: true })).held).toMatchObject({ denied: ['things/giant'] })
    expect(await codes()).toEqual(['policy-warning'])
    expect(await stand.pass()).toMatchObject({ status: 'succeeded' })
    expect(stand.names()).toEqual(['giant'])
  })

  test('hides a secret that a policy tests', async () => {
    await stand.files({
      'svc.yaml': rules({ name: 'probe', kind: 'thing', member: 'env.TOKEN', allow: 'guess', message: 'no' }),
      'things/a.yml': 'name: a\nenv: {TOKEN: planted-1a2b}\n',
    })
    const text = JSON.stringify(await planOf())
    expect(text).toContain('env.TOKEN is')
    expect(text).not.toMatch(/planted|[0-9a-f]{16}"\)/)
  })

  test('reports invalid policies as faults of svc.yaml', async () => {
    await stand.files({
      'svc.yaml': rules({ ...LARGE, kind: 'thingg' }, { ...LARGE, allow: 1 }, { name: 'w', forbid: 1, message: 'm' }),
      'things/a.yml': 'name: a\n',
    })
    expect((await codes()).sort()).toEqual(['conflicting-members', 'duplicate-name', 'missing-member', 'unknown-kind'])
    expect((await planOf()).diagnostics.every(({ file }) => file === 'svc.yaml')).toBe(true)
  })
})
