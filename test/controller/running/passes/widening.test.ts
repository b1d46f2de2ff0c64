// Steps that grant more than before are held if an agent could have written the manifest.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ChangedFile } from '../../../../platform/files/desired-files.ts'
import { always, raises, type Widens } from '../../../../schemas/members/widening.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { Origin } from '../../../platform/git/origin.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

/** The size of a thing is a limit, whose removal or rise widens. */
const size: Widens = (before: number | undefined, after: number) =>
  before === undefined || raises(before, after, {} as never)

onEachDatabase((database) => {
  let stand: Stand
  let asked: ChangedFile[]
  /** Names by end of the path. */
  let writers: Record<string, string[]>

  beforeEach(async () => {
    asked = []
    writers = {}
    stand = await createStand(database.db, {
      start: false,
      widens: { size, parent: always },
      writersOf: async (files) => {
        asked.push(...files)
        return new Map(
          files.flatMap(({ path }) =>
            Object.entries(writers).flatMap(([end, names]) => (path.endsWith(end) ? [[path, names] as const] : [])),
          ),
        )
      },
    })
    await stand.files({ 'things/a.yml': 'name: a\nsize: 1\n', 'things/b.yml': 'name: b\nsize: 1\n' })
  })
  afterEach(() => stand.close())

  const planOf = (more: object = {}) => stand.controller.plan({ source: 'default', ...more }, person)
  const sizeOf = (name: string) => stand.things.find(name)![1].size

  test('holds nothing in the first pass of a source', async () => {
    writers = { '.yml': ['editor'] }
    expect(await stand.pass()).toMatchObject({ status: 'succeeded', error: null })
    expect(stand.names()).toEqual(['a', 'b'])
    expect(asked).toEqual([])
  })

  test('marks and applies a widening that no agent could have written', async () => {
    await stand.pass()
    writers = { 'b.yml': ['editor'] }
    await stand.files({ 'things/a.yml': 'name: a\nsize: 2\n' })
    const plan = await planOf()
    expect(plan.steps).toMatchObject([{ action: 'update', name: 'a', widens: ['size'] }])
    expect([plan.held, plan.diagnostics]).toEqual([undefined, []])
    await stand.controller.start()
    await eventually(() => sizeOf('a') === 2)
    expect(asked[0]).toMatchObject({ path: expect.stringMatching(/\/things\/a\.yml$/), changedAt: expect.any(Number) })
  })

  test('holds a widening with its agents and position, and applies the rest', async () => {
    await stand.pass()
    writers = { 'a.yml': ['editor', 'lead'], 'c.yml': ['editor'] }
    await stand.files({
      'things/a.yml': 'name: a\nsize: 2\n',
      'things/b.yml': 'name: b\nsize: 2\n',
      'things/c.yml': 'name: c\nsize: 1\n',
    })
    await stand.controller.start()
    await eventually(() => sizeOf('b') === 2)
    await eventually(() => stand.controller.source('default').error !== null)
    expect([sizeOf('a'), stand.names()]).toEqual([1, ['a', 'b']])
    const plan = await planOf()
    expect(plan.held).toMatchObject({ denied: [], unconfirmed: ['things/a', 'things/c'], waiting: [] })
    expect(plan.policies).toMatchObject([
      { policy: 'svc/widening', effect: 'confirm', resources: ['things/a'] },
      { policy: 'svc/widening', effect: 'confirm', resources: ['things/c'] },
    ])
    expect(plan.diagnostics).toMatchObject([
      {
        code: 'policy-unconfirmed',
        severity: 'warning',
        message:
          'policy "svc/widening" requires confirmation: update things/a (it widens size; its manifest could have been written by editor, lead): an agent must not give rights to itself or others: check who made the change',
        hint: `check the plan; to apply it, use --confirm ${plan.held!.hash}`,
        file: 'things/a.yml',
      },
      {
        message: expect.stringContaining('create things/c (it is new; its manifest could have been written by editor)'),
      },
    ])
  })

  test('is released by its hash alone, in a request', async () => {
    await stand.pass()
    writers = { 'a.yml': ['editor'] }
    await stand.files({ 'things/a.yml': 'name: a\nsize: 2\n' })
    const { hash } = (await planOf()).held!
    expect(await stand.pass()).toMatchObject({
      error: expect.stringContaining(`svc reconcile --source default --confirm ${hash}`),
    })
    await stand.controller.apply({ source: 'default', confirm: 'other' }, person, () => undefined)
    expect(sizeOf('a')).toBe(1)
    await stand.controller.apply({ source: 'default', confirm: hash! }, person, () => undefined)
    expect(sizeOf('a')).toBe(2)
    expect((await planOf()).held).toBeUndefined()
  })

  test('stays held for the same version of the file, whatever the agent may now', async () => {
    await stand.pass()
    writers = { 'a.yml': ['editor'] }
    await stand.files({ 'things/a.yml': 'name: a\nsize: 2\n' })
    expect((await planOf()).held).toBeDefined()
    writers = {}
    expect((await planOf()).held).toBeDefined()
    await stand.files({ 'things/a.yml': 'name: a\nsize: 3\n' })
    expect((await planOf()).held).toBeUndefined()
  })

  test('is held for the manifest of a resource that it depends on', async () => {
    await stand.pass()
    writers = { 'b.yml': ['editor'] }
    await stand.files({ 'things/a.yml': 'name: a\nsize: 1\nparent: b\n' })
    expect((await planOf()).held).toMatchObject({ unconfirmed: ['things/a'] })
  })

  test('does not hold a narrower manifest, a revert of drift, or a deletion', async () => {
    await stand.pass()
    writers = { '.yml': ['editor'] }
    stand.things.changeByHand('b', { size: 0 })
    await stand.files({ 'things/a.yml': 'name: a\nsize: 0\n' })
    expect(await stand.pass()).toMatchObject({ status: 'succeeded', error: null })
    expect([sizeOf('a'), sizeOf('b')]).toEqual([0, 1])
    expect(asked).toEqual([])
  })

  test('is held in a git source for a commit without an allowed signature, if these are required', async () => {
    await stand.close()
    const origin = new Origin()
    const key = join(origin.home, 'key')
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    const allowedSigners = join(origin.home, 'signers')
    writeFileSync(allowedSigners, `mira@example.org ${readFileSync(`${key}.pub`, 'utf8')}`)
    const things = (a: number, b: number) =>
      origin.commit({ 'things/a.yml': `name: a\nsize: ${a}\n`, 'things/b.yml': `name: b\nsize: ${b}\n` })
    things(1, 1)
    const place = { url: origin.url, verify: { allowedSigners }, requireSigned: 'widening' } as const
    stand = await createStand(database.db, { widens: { size }, git: { default: place } })
    await eventually(() => stand.names().length === 2)

    const unsigned = things(2, 0)
    const held = await stand.pass()
    expect([sizeOf('a'), sizeOf('b')]).toEqual([1, 0])
    expect(held.error).toMatch(
      new RegExp(
        `update things/a \\(it widens size; commit ${unsigned}: it has no valid signature of an allowed signer.*svc reconcile --source default --confirm [0-9a-f]{12}$`,
        's',
      ),
    )
    origin.signs('gpg.format=ssh', `user.signingKey=${key}`)
    things(3, 0)
    expect(await stand.pass()).toMatchObject({ status: 'succeeded', error: null })
    expect(sizeOf('a')).toBe(3)

    // A rollback to the unsigned commit releases nothing without the hash.
    things(0, 0)
    expect(await stand.pass()).toMatchObject({ status: 'succeeded', error: null })
    const rollBack = async (confirm?: string) => {
      const asked = { run_id: held.id, ...(confirm === undefined ? {} : { confirm }) }
      const { run_id } = await stand.controller.rollback(asked, person)
      return eventually(async () => {
        const run = await stand.controller.run(run_id)
        return run.status !== 'running' && run
      })
    }
    const { error } = await rollBack()
    expect([sizeOf('a'), error]).toEqual([0, expect.stringContaining('svc/widening')])
    await rollBack(/--confirm ([0-9a-f]{12})$/.exec(error!)![1])
    expect(sizeOf('a')).toBe(2)
  })
})
