import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { Origin } from '../../../platform/git/origin.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

const thing = (name: string, more = '') => `name: ${name}\n${more}`

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const source = () => stand.controller.source('default')
  const size = (name: string) => stand.things.find(name)?.[1].size
  const problem = (status: number, code: string, message: RegExp) =>
    expect.objectContaining({ status, code, message: expect.stringMatching(message) })
  const waitForEnd = (id: string) =>
    eventually(async () => {
      const run = await stand.controller.run(id)
      return run.status !== 'running' && run
    })
  const rollBack = async (run_id: string, more: { prune_override?: string; plan_hash?: string } = {}) =>
    waitForEnd((await stand.controller.rollback({ run_id, ...more }, person)).run_id)
  const untouched = () => [source().hold, source().revision, stand.names(), stand.things.applied.length]

  /** Applies three commits, each in a separate run. */
  async function threeRuns(more: object = {}) {
    const origin = new Origin()
    const commits: string[] = []
    const runs: string[] = []
    const changes: Record<string, string>[] = [
      { 'team/things/a.yml': thing('a', 'size: 1\n'), 'team/things/b.yml': thing('b') },
      { 'team/things/a.yml': thing('a', 'size: 2\n') },
      { 'team/things/a.yml': thing('a', 'size: 3\n'), 'team/things/c.yml': thing('c') },
    ]
    for (const files of changes) {
      commits.push(origin.commit(files))
      if (commits.length === 1) stand = await open(origin, more)
      const { id } = await stand.pass()
      const { items } = await stand.controller.runs()
      runs.push(items.find(({ revision, steps }) => revision === commits.at(-1) && steps.length > 0)?.id ?? id)
    }
    return { origin, commits, runs }
  }

  async function open(origin: Origin, more: object): Promise<Stand> {
    return createStand(database.db, { git: { default: { url: origin.url, path: 'team', ...more } } })
  }

  test('restores and holds the state of a run across a restart', async () => {
    const { origin, commits, runs } = await threeRuns()
    stand.things.changeByHand('b', { size: 9 })
    const plan = await stand.controller.planRollback({ run_id: runs[0]! })
    expect(plan).toMatchObject({ revision: commits[0], summary: { update: 2, delete: 1 } })
    expect(size('a')).toBe(3)
    renameSync(origin.folder, `${origin.folder}.gone`)
    const run = await rollBack(runs[0]!, { plan_hash: plan.hash })
    expect(run).toMatchObject({ status: 'succeeded', revision: commits[0], actor: 'mira' })
    renameSync(`${origin.folder}.gone`, origin.folder)
    const held = async () => {
      await stand.pass()
      expect([stand.names(), size('a'), size('b')]).toEqual([['a', 'b'], 1, 0])
      expect(source()).toMatchObject({ revision: commits[0], attempted_revision: commits[2], error: null })
      expect(source().hold).toEqual({
        revision: commits[0],
        against: commits[2],
        run_id: runs[0],
        actor: 'mira',
        since: expect.any(String),
      })
    }
    await held()
    expect(source().applied_revision).toBe(commits[0])
    await stand.reopen()
    await held()
    // A hold reverts manual changes.
    stand.things.changeByHand('a', { size: 8 })
    await held()
  })

  test('ends a hold with a newer valid commit, not a broken one', async () => {
    const { origin, commits, runs } = await threeRuns()
    await rollBack(runs[1]!)
    const broken = origin.commit({ 'team/things/a.yml': 'name: [\n' })
    expect((await stand.pass()).error).toMatch(new RegExp(`commit ${broken} has .*the last good one stays in force`))
    expect(source()).toMatchObject({ revision: commits[1], attempted_revision: broken, hold: { revision: commits[1] } })
    expect(source().error).toMatch(`commit ${commits[1]} stays in force`)
    expect([size('a'), stand.names()]).toEqual([2, ['a', 'b']])
    const newer = origin.commit({ 'team/things/a.yml': thing('a', 'size: 4\n') })
    expect(await stand.pass()).toMatchObject({ status: 'succeeded', revision: newer })
    expect(source()).toMatchObject({ revision: newer, applied_revision: newer, hold: null, error: null })
    expect([size('a'), stand.names()]).toEqual([4, ['a', 'b', 'c']])
    await stand.reopen()
    expect(source().hold).toBeNull()
  })

  test('ends a hold on resume or rollback to the newest revision', async () => {
    const { commits, runs } = await threeRuns()
    await rollBack(runs[0]!)
    expect(await stand.controller.resume('default', person)).toMatchObject({ hold: null })
    await eventually(() => size('a') === 3 && stand.names().length === 3)
    await eventually(() => source().applied_revision === commits[2])
    await rollBack(runs[1]!)
    expect(source().hold).toMatchObject({ revision: commits[1] })
    await rollBack(runs[0]!)
    expect(source().hold).toMatchObject({ revision: commits[0], against: commits[2] })
    await rollBack(runs[2]!)
    expect(source()).toMatchObject({ hold: null, revision: commits[2] })
    expect(size('a')).toBe(3)
  })

  test('restores what was live when drift was reverted, not the commit that last changed the resource', async () => {
    const { origin, commits } = await threeRuns()
    stand.things.changeByHand('b', { size: 9 })
    const { id, revision } = await stand.controller.revert('things', 'b', person)
    expect([revision, size('b')]).toEqual([commits[2], 0])
    origin.commit({ 'team/things/a.yml': thing('a', 'size: 4\n') })
    await stand.pass()
    expect(await rollBack(id)).toMatchObject({ status: 'succeeded', revision: commits[2] })
    expect([size('a'), stand.names()]).toEqual([3, ['a', 'b', 'c']])
  })

  test('holds back deletions over budget until they are overridden', async () => {
    const origin = new Origin()
    const first = origin.commit({ 'team/things/a.yml': thing('a') })
    stand = await open(origin, {})
    await eventually(() => source().applied_revision === first)
    const { items } = await stand.controller.runs()
    const many = Object.fromEntries(
      Array.from({ length: 5 }, (_, at) => [`team/things/n${at}.yml`, thing(`n${at}`)] as const),
    )
    origin.commit(many)
    await stand.pass()
    const asked = { run_id: items.find(({ steps }) => steps.length > 0)!.id }
    expect((await rollBack(asked.run_id)).error).toMatch(/5 deletions exceed the budget of 1/)
    expect(stand.names()).toHaveLength(6)
    const { guard } = await stand.controller.planRollback(asked)
    await rollBack(asked.run_id, { prune_override: guard!.hash })
    expect(stand.names()).toEqual(['a'])
  })

  test('rejects a stale plan, a suspended source and a missing revision', async () => {
    const { runs } = await threeRuns()
    const before = untouched()
    const { hash } = await stand.controller.planRollback({ run_id: runs[0]! })
    stand.things.changeByHand('a', { size: 7 })
    await expect(stand.controller.rollback({ run_id: runs[0]!, plan_hash: hash }, person)).rejects.toEqual(
      problem(409, 'stale-plan', /is stale: .*; nothing was changed/),
    )
    await stand.controller.suspend('default', person)
    const suspended = problem(409, 'source-suspended', /source default is suspended/)
    await expect(stand.controller.planRollback({ run_id: runs[0]! })).rejects.toEqual(suspended)
    await expect(stand.controller.rollback({ run_id: runs[0]! }, person)).rejects.toEqual(suspended)
    await stand.controller.resume('default', person)
    await database.db('controller_runs').where({ id: runs[0] }).update({ revision: null, status: 'failed' })
    await expect(stand.controller.rollback({ run_id: runs[0]! }, person)).rejects.toEqual(
      problem(409, 'conflict', /\(failed\) applied no revision: choose one/),
    )
    await expect(stand.controller.rollback({ run_id: 'none' }, person)).rejects.toMatchObject({ status: 404 })
    expect(untouched()).toEqual(before)
  })

  test('refuses a missing commit and one without an allowed signature', async () => {
    const { origin, commits, runs } = await threeRuns()
    const before = untouched()
    const nowhere = 'f'.repeat(40)
    await database.db('controller_runs').where({ id: runs[0] }).update({ revision: nowhere })
    await expect(stand.controller.rollback({ run_id: runs[0]! }, person)).rejects.toEqual(
      problem(422, 'source-unreadable', new RegExp(`commit ${nowhere} cannot be fetched`)),
    )
    expect(untouched()).toEqual(before)
    await stand.close()
    const key = join(origin.home, 'key')
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    const allowedSigners = join(origin.home, 'signers')
    writeFileSync(allowedSigners, `mira@example.org ${readFileSync(`${key}.pub`, 'utf8')}`)
    origin.signs('gpg.format=ssh', `user.signingKey=${key}`)
    const signed = origin.commit({ 'team/things/a.yml': thing('a', 'size: 5\n') })
    stand = await open(origin, { verify: { allowedSigners } })
    await eventually(() => source().applied_revision === signed)
    const { items } = await stand.controller.runs()
    await database.db('controller_runs').where({ id: items[0]!.id }).update({ revision: commits[0] })
    await expect(stand.controller.rollback({ run_id: items[0]!.id }, person)).rejects.toEqual(
      problem(422, 'source-unreadable', new RegExp(`commit ${commits[0]} was rejected`)),
    )
    expect(size('a')).toBe(5)
  })

  test('refuses to roll back a folder and names the alternative', async () => {
    stand = await createStand(database.db)
    await stand.files({ 'things/a.yml': thing('a') })
    const { id } = await stand.pass()
    const refused = problem(409, 'no-revisions', /keeps no earlier revisions to roll back to: restore the files of/)
    await expect(stand.controller.rollback({ run_id: id }, person)).rejects.toEqual(refused)
    await expect(stand.controller.planRollback({ run_id: id })).rejects.toEqual(refused)
    const applied = await stand.controller.apply(
      { manifests: [{ path: 'things/x.yml', content: thing('x') }], root: '/x' },
      person,
      () => undefined,
    )
    await expect(stand.controller.rollback({ run_id: applied.id }, person)).rejects.toEqual(
      problem(409, 'no-revisions', /apply the earlier manifests again/),
    )
  })
})
