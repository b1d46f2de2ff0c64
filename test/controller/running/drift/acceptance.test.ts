import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Acceptance } from '../../../../schemas/resource.ts'
import { Origin } from '../../../platform/git/origin.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { createStand, person, type Stand } from '../../fixture.ts'

/** Applies the patch as a person would, in a clone. */
function applyIn(origin: Origin, { diff }: Acceptance): string {
  const clone = join(origin.home, 'clone')
  execFileSync('git', ['clone', '--quiet', origin.url, clone])
  execFileSync('git', ['-C', clone, 'apply', '-'], { input: diff })
  return clone
}

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  const open = async (origin: Origin) => {
    stand = await createStand(database.db, { git: { default: { url: origin.url, path: 'team' } } })
    await eventually(() => stand.controller.source('default').applied_revision !== null)
  }

  test('is a patch of the revision in force that git applies', async () => {
    const origin = new Origin()
    const text = '# sizes\n\nname: t\nhard: a\nsize: 1 # small\n\n\n'
    const revision = origin.commit({ 'team/things/t.yml': text, 'team/things/other.yml': 'name: o\n' })
    await open(origin)
    expect(stand.controller.source('default').drift_acceptance).toBe('branch')
    stand.things.changeByHand('t', { size: 5 })
    // A newer commit with errors is not in force.
    origin.commit({ 'team/things/bad.yml': 'name: [\n' })
    await stand.pass({ keep_drift: true })
    const accepted = await stand.controller.accept('things', 't')
    expect(accepted).toMatchObject({
      file: 'things/t.yml',
      origin: { url: origin.url, revision, file: 'team/things/t.yml' },
      changes: [{ path: 'size', value: 5 }],
      redacted: false,
    })
    const clone = applyIn(origin, accepted)
    expect(readFileSync(join(clone, 'team/things/t.yml'), 'utf8')).toBe(text.replace('size: 1', 'size: 5'))
  })

  test('changes the file that a link leads to', async () => {
    const origin = new Origin()
    origin.commit({
      'team/shared/t.txt': 'kind: thing\nname: t\nsize: 1\n',
      'team/things/t.yml': { link: '../shared/t.txt' },
    })
    await open(origin)
    stand.things.changeByHand('t', { size: 5 })
    const accepted = await stand.controller.accept('things', 't')
    expect(accepted.origin!.file).toBe('team/shared/t.txt')
    const clone = applyIn(origin, accepted)
    expect(readFileSync(join(clone, 'team/shared/t.txt'), 'utf8')).toContain('size: 5')
  })

  test('says that lines with secrets are redacted', async () => {
    const origin = new Origin()
    origin.commit({ 'team/things/t.yml': 'name: t\nenv: {TOKEN: planted-literal}\nsize: 1\n' })
    await open(origin)
    stand.things.changeByHand('t', { size: 5 })
    const { diff, redacted } = await stand.controller.accept('things', 't')
    expect([redacted, diff.includes('planted')]).toEqual([true, false])
    expect(diff).toMatch(/^ env: \{TOKEN: \*\*\*\}$/m)
  })

  test('is refused without drift, and for a commit that cannot be read', async () => {
    const origin = new Origin()
    origin.commit({ 'team/things/t.yml': 'name: t\nsize: 1\n' })
    await open(origin)
    await expect(stand.controller.accept('things', 't')).rejects.toMatchObject({
      status: 409,
      message: 'things/t has not drifted: there is nothing to accept',
    })
    stand.things.changeByHand('t', { size: 5 })
    const mirror = join(stand.folder, '.data', 'sources', 'default', 'mirror.git')
    execFileSync('rm', ['-rf', mirror, origin.folder])
    await expect(stand.controller.accept('things', 't')).rejects.toMatchObject({
      status: 422,
      code: 'source-unreadable',
      message: expect.stringMatching(/cannot be (fetched|created|read)/),
    })
  })

  test('is not offered for sent manifests, and names the next step', async () => {
    stand = await createStand(database.db)
    const manifests = [{ path: 'things/t.yml', content: 'name: t\nsize: 1\n' }]
    await stand.controller.apply({ manifests, root: '/nowhere' }, person, () => undefined)
    const [shown] = stand.controller.sources().filter(({ name }) => name === 'apply:/nowhere')
    expect(shown!.drift_acceptance).toBe(null)
    stand.things.changeByHand('t', { size: 5 })
    await expect(stand.controller.accept('things', 't')).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(
        /t\.yml: ENOENT\): it was sent by a command or a request: .*apply it again, or revert the drift with svc drift revert things\/t/,
      ),
    })
  })

  test('points to the new source of a former git source', async () => {
    const origin = new Origin()
    origin.commit({ 'things/t.yml': 'name: t\nsize: 1\n' })
    const git: Record<string, { url: string }> = { team: { url: origin.url } }
    stand = await createStand(database.db, { git })
    await eventually(() => stand.names().length === 1)
    delete git.team
    await stand.reopen()
    stand.things.changeByHand('t', { size: 5 })
    expect(stand.controller.source('team').drift_acceptance).toBe(null)
    await expect(stand.controller.accept('things', 't')).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(/source team is no longer read.*svc sources adopt team --into SOURCE/),
    })
  })

  test('is a short diff of the file of a folder', async () => {
    stand = await createStand(database.db)
    await stand.files({ 'things/t.yml': 'name: t\nsize: 1\n' })
    await stand.pass()
    expect(stand.controller.source('default').drift_acceptance).toBe('write')
    stand.things.changeByHand('t', { size: 5 })
    const { origin, diff } = await stand.controller.accept('things', 't')
    expect([origin, diff]).toEqual([null, '--- things/t.yml\n+++ things/t.yml\n@@ -2,1 +2,1 @@\n-size: 1\n+size: 5\n'])
  })
})
