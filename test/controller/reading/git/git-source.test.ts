import { createHmac } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { readSources } from '../../../../daemon/sources.ts'
import { Origin } from '../../../platform/git/origin.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

const thing = (name: string, more = '') => `name: ${name}\n${more}`
const things = (count: number, more = '') =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`team/things/t${at}.yml`, thing(`t${at}`, more)] as const),
  )

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const open = async (origin: Origin, more: object = {}) => {
    stand = await createStand(database.db, { git: { default: { url: origin.url, path: 'team', ...more } } })
  }
  const source = () => stand.controller.source('default')

  test('converges to a commit and keeps its revisions across a restart', async () => {
    const origin = new Origin()
    const first = origin.commit({ ...things(2), 'other/things/x.yml': thing('x') })
    await open(origin)
    await eventually(() => stand.names().length === 2)
    await eventually(() => source().applied_revision === first)
    expect(source()).toMatchObject({ type: 'git', revision: first, attempted_revision: first, error: null })
    const second = origin.commit({ 'team/things/t0.yml': thing('t0', 'size: 7\n') })
    const run = await stand.pass()
    expect(run).toMatchObject({ status: 'succeeded', revision: second, summary: { update: 1, unchanged: 1 } })
    expect(stand.things.find('t0')?.[1].size).toBe(7)
    renameSync(origin.folder, `${origin.folder}.gone`)
    await stand.reopen()
    await eventually(() => source().applied_revision === second && source().error !== null)
    expect(source()).toMatchObject({ revision: second, attempted_revision: second })
    const [row] = await database.db('controller_sources').where({ name: 'default' })
    expect(row).toMatchObject({ revision: second, attempted: second, applied: second })
  })

  test('follows HEAD to a commit, to another branch and to a detached commit', async () => {
    const origin = new Origin()
    const first = origin.commit(things(1))
    const [named] = readSources({ manifests: `git+${origin.url}#HEAD:team` }, { home: origin.home, env: {} })
    const { git } = named as Extract<typeof named, { git: unknown }>
    stand = await createStand(database.db, { git: { default: git } })
    await eventually(() => source().applied_revision === first)
    const second = origin.commit(things(2))
    expect(await stand.pass()).toMatchObject({ status: 'succeeded', revision: second })
    origin.git('checkout', '--quiet', '-b', 'other')
    const third = origin.commit(things(3))
    expect(await stand.pass()).toMatchObject({ status: 'succeeded', revision: third })
    origin.git('checkout', '--quiet', '--detach')
    const fourth = origin.commit(things(4))
    expect(await stand.pass()).toMatchObject({ status: 'succeeded', revision: fourth })
    expect(stand.names()).toHaveLength(4)
    origin.git('checkout', '--quiet', '--detach', third)
    expect(await stand.pass()).toMatchObject({ status: 'succeeded', revision: third })
    expect(source()).toMatchObject({ applied_revision: third, error: null })
  })

  test('rejects a broken commit and keeps the last good one', async () => {
    const origin = new Origin()
    const good = origin.commit(things(10))
    await open(origin)
    await eventually(() => source().applied_revision === good)
    const bad = origin.commit({
      'team/things/t0.yml': 'name: [\n',
      'team/things/t1.yml': thing('t1', 'size: 7\n'),
      'team/things/t2.yml': null,
      'team/things/new.yml': thing('new'),
    })
    const run = await stand.pass()
    expect(run.status).toBe('failed')
    expect(run.error).toMatch(new RegExp(`commit ${bad} has .*; the last good one stays in force.*things/t0.yml:1`))
    const seen = () => {
      expect(source()).toMatchObject({ revision: good, attempted_revision: bad, applied_revision: good })
      expect(source().error).toMatch(new RegExp(`commit ${bad} was rejected: things/t0.yml.*commit ${good} stays in`))
      expect(stand.names()).toHaveLength(10)
      expect(stand.things.find('t1')?.[1].size).toBe(0)
    }
    seen()
    await stand.reopen()
    await eventually(() => source().error?.includes(bad) === true)
    stand.things.changeByHand('t3', { size: 9 })
    await stand.pass()
    expect(stand.things.find('t3')?.[1].size).toBe(0)
    seen()
    const repaired = origin.commit({ 'team/things/t0.yml': thing('t0') })
    await stand.pass()
    expect(source()).toMatchObject({ revision: repaired, applied_revision: repaired, error: null })
    expect(stand.names()).toContain('new')
    expect(stand.names()).not.toContain('t2')
  })

  test('prunes nothing if the repository or its folder is missing', async () => {
    const origin = new Origin()
    const good = origin.commit(things(3))
    await open(origin)
    await eventually(() => source().applied_revision === good)
    renameSync(origin.folder, `${origin.folder}.gone`)
    expect((await stand.pass()).status).toBe('failed')
    expect(source().error).toMatch(/cannot be queried: .*; the last good state stays in force/)
    renameSync(`${origin.folder}.gone`, origin.folder)
    origin.git('rm', '-r', '--quiet', 'team')
    const without = origin.commit({ 'else/a': '' })
    await stand.pass()
    expect(source().error).toMatch(new RegExp(`commit ${without} has no folder team; nothing is pruned`))
    expect(source()).toMatchObject({ revision: good, attempted_revision: without })
    expect(stand.names()).toHaveLength(3)
    origin.git('update-ref', '-d', 'refs/heads/main')
    await stand.pass()
    expect(source().error).toMatch(/has no HEAD/)
    expect(stand.names()).toHaveLength(3)
  })

  test('follows a force-pushed branch, with deletions within the budget', async () => {
    const origin = new Origin()
    const first = origin.commit(things(10))
    origin.commit({ 'team/things/t0.yml': thing('t0', 'size: 7\n') })
    await open(origin)
    await eventually(() => stand.things.find('t0')?.[1].size === 7)
    origin.git('reset', '--hard', '--quiet', first)
    origin.git('rm', '-r', '--quiet', 'team')
    const forced = origin.commit(things(4, 'size: 3\n'))
    const run = await stand.pass()
    expect(run.error).toMatch(/6 deletions exceed the budget of 2/)
    expect(stand.names()).toHaveLength(10)
    expect(stand.things.find('t1')?.[1].size).toBe(3)
    expect(source()).toMatchObject({ revision: forced, attempted_revision: forced })
    expect(source().applied_revision).not.toBe(forced)
  })

  test('reads nothing outside the folder and reports links and submodules', async () => {
    const origin = new Origin()
    const good = origin.commit({ ...things(2), 'secret.yml': thing('secret') })
    await open(origin)
    await eventually(() => source().applied_revision === good)
    writeFileSync(join(origin.home, 'outside.yml'), thing('outside'))
    const module = new Origin()
    module.commit({ 'things/m.yml': thing('m') })
    origin.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', module.url, 'team/module')
    const named = Buffer.concat([
      Buffer.from(`${origin.folder}/team/things/`),
      Buffer.from([0xff]),
      Buffer.from('.yml'),
    ])
    writeFileSync(named, thing('n'))
    const bad = origin.commit({
      'team/things/a.yml': { link: join(origin.home, 'outside.yml') },
      'team/things/b.yml': { link: '../../secret.yml' },
      'team/up': { link: '..' },
      'team/away': { link: '/etc' },
      'team/things/c.yml': { link: 'none.yml' },
      'team/things/large.yml': Buffer.alloc(2_000_000, 'x'),
      'team/readme': { link: '../secret.yml' },
    })
    const { diagnostics } = await stand.pass()
    const reported = Object.fromEntries(diagnostics.map(({ file, code, message }) => [file, `${code}: ${message}`]))
    const leadsOut = 'file-outside: the link points outside the folder of the source'
    expect(reported).toEqual({
      away: leadsOut,
      up: leadsOut,
      'things/a.yml': leadsOut,
      'things/b.yml': leadsOut,
      'things/c.yml': 'file-unreadable: the link target does not exist',
      'things/large.yml': expect.stringContaining('file-too-large'),
      'things/\ufffd.yml': 'file-unreadable: the file name is not UTF-8',
      module: 'file-outside: this is a submodule; submodules are not read',
    })
    expect(source()).toMatchObject({ revision: good, attempted_revision: bad, applied_revision: good })
    expect(stand.names()).toEqual(['t0', 't1'])
  })

  test('follows links inside the folder, also circular ones', async () => {
    const origin = new Origin()
    const commit = origin.commit({
      'team/base/things/a.yml': thing('a'),
      'team/b.yml': { link: 'base/things/b.txt' },
      'team/base/things/b.txt': 'kind: Thing\nname: b\n',
      'team/circle': { link: 'base/..' },
      'team/readme': { link: '../README' },
      README: 'x',
    })
    await open(origin)
    await eventually(() => source().applied_revision === commit)
    expect(stand.names()).toEqual(['a', 'b'])
  })

  test('rejects commits without an allowed signature and reports both revisions', async () => {
    const origin = new Origin()
    const path = (name: string) => join(origin.home, name)
    for (const name of ['mira', 'eve']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path(name)])
    writeFileSync(path('signers'), `mira@example.org ${readFileSync(path('mira.pub'), 'utf8')}`)
    origin.signs('gpg.format=ssh', `user.signingKey=${path('mira')}`)
    const good = origin.commit(things(2))
    await open(origin, { verify: { allowedSigners: path('signers') } })
    await eventually(() => source().applied_revision === good)
    origin.signs('gpg.format=ssh', `user.signingKey=${path('eve')}`)
    const forged = origin.commit({ 'team/things/evil.yml': thing('evil') })
    await stand.pass()
    expect(source()).toMatchObject({ revision: good, attempted_revision: forged, applied_revision: good })
    expect(source().error).toMatch(new RegExp(`commit ${forged} was rejected: .*no valid signature.*${good} stays`))
    await stand.reopen()
    await eventually(() => source().error !== null)
    expect(stand.names()).toEqual(['t0', 't1'])
  })

  test('reports different declarations in two sources with both positions', async () => {
    const [one, two] = [new Origin(), new Origin()]
    one.commit({ 'things/a.yml': thing('a') })
    two.commit({ 'deep/things/mine.yml': `# mine\n${thing('a', 'size: 7\n')}`, 'deep/things/b.yml': thing('b') })
    stand = await createStand(database.db, { git: { default: { url: one.url } } })
    await eventually(() => stand.names().length === 1)
    await stand.close()
    stand = await createStand(database.db, { git: { default: { url: one.url }, other: { url: two.url } } })
    await eventually(() => stand.names().length === 2)
    const errors = () => ['default', 'other'].map((name) => stand.controller.source(name).error).filter(Boolean)
    await eventually(() => errors().length === 1)
    expect(errors()[0]).toMatch(/things\/(a|mine).yml:\d+:\d+.*things\/(a|mine).yml:\d/)
  })

  test.each(['one repository', 'two repositories'])(
    'keeps the live resource in a move between sources of %s',
    async (of) => {
      const from = new Origin()
      const to = of === 'two repositories' ? new Origin() : from
      from.commit({ 'team/things/t.yml': thing('t'), 'team/things/stays.yml': thing('stays') })
      to.commit({ 'other/things/x.yml': thing('x') })
      const other = { url: to.url, path: 'other' }
      stand = await createStand(database.db, { git: { default: { url: from.url, path: 'team' }, other } })
      await eventually(() => stand.names().length === 3)
      const [liveId] = stand.things.find('t')!
      to.commit({ 'other/things/t.yml': thing('t', 'size: 7\n') })
      from.commit({ 'team/things/t.yml': null })
      // The other source has a separate interval and got no webhook.
      await stand.pass()
      await stand.pass({ source: 'other' })
      await eventually(() => stand.things.find('t')?.[1].size === 7)
      expect([stand.things.find('t')![0], stand.things.removed]).toEqual([liveId, []])
    },
  )

  test('deletes resources of one source while another is unreachable', async () => {
    const [here, there] = [new Origin(), new Origin()]
    here.commit(things(2))
    there.commit({ 'things/x.yml': thing('x') })
    stand = await createStand(database.db, {
      git: { default: { url: here.url, path: 'team' }, other: { url: there.url } },
    })
    await eventually(() => stand.names().length === 3)
    renameSync(there.folder, `${there.folder}.gone`)
    here.commit({ 'team/things/t0.yml': null })
    await stand.pass()
    await eventually(() => stand.names().join() === 't1,x')
  })

  test('fetches new commits for a requested plan, which changes nothing', async () => {
    const origin = new Origin()
    const first = origin.commit(things(2))
    await open(origin)
    await eventually(() => source().applied_revision === first)
    const second = origin.commit({ 'team/things/new.yml': thing('new') })
    const plan = await stand.controller.plan({ source: 'default' }, person)
    expect(plan).toMatchObject({ revision: second, summary: { create: 1 } })
    expect(stand.names()).not.toContain('new')
    expect(existsSync(join(stand.folder, '.data', 'checkouts', 'default'))).toBe(false)
  })

  test('uses a webhook only as a hint to fetch', async () => {
    const origin = new Origin()
    const first = origin.commit(things(2))
    stand = await createStand(database.db, {
      env: { HOOK: 'planted-hook-secret' },
      git: {
        default: { url: origin.url, path: 'team', webhookVariable: 'HOOK' },
        other: { url: origin.url, path: 'none' },
      },
    })
    await eventually(() => source().applied_revision === first)
    const deliver = (body: string, secret = 'planted-hook-secret', name = 'default') => {
      const digest = createHmac('sha256', secret).update(body).digest('hex')
      const headers = { 'x-hub-signature-256': `sha256=${digest}` }
      return stand.controller.receiveWebhook(name, { headers, body: Buffer.from(body) })
    }
    await expect(deliver('{}', 'a guess')).rejects.toMatchObject({ status: 401 })
    await expect(deliver('{}', 'x', 'other')).rejects.toMatchObject({ status: 401, code: 'secret-missing' })
    const second = origin.commit({ 'team/things/t0.yml': thing('t0', 'size: 7\n') })
    const lie = JSON.stringify({ after: 'f'.repeat(40), ref: 'refs/heads/evil', repository: { url: 'ext::sh' } })
    for (let time = 0; time < 20; time++) await deliver(lie)
    await eventually(() => source().applied_revision === second)
    expect(source()).toMatchObject({ attempted_revision: second, error: null })
    expect(JSON.stringify(await database.db('controller_sources').select())).not.toContain('planted')
  })
})
