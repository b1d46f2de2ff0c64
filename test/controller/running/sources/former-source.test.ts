import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { ReadContext } from '../../../../controller/reading/desired-state.ts'
import { GitSource } from '../../../../controller/reading/git/git-source.ts'
import { systemClock } from '../../../../platform/core/clock.ts'
import { noLog, type Log } from '../../../../platform/core/log/log.ts'
import { kinds } from '../../../../schemas/kinds.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { Origin } from '../../../platform/git/origin.ts'
import { createStand, type Stand } from '../../fixture.ts'

const nothing: ReadContext = { exists: () => false, variable: () => undefined }
const keptClones = (stand: Stand) => {
  const top = join(stand.folder, '.data', 'sources')
  return existsSync(top) ? readdirSync(top) : []
}

/** Clones a source with project files; returns the project folder. */
async function cloneOf(stand: Stand, name: string): Promise<string> {
  const origin = new Origin()
  origin.commit({ 'agents/one.yml': 'name: one\nworking_dir: .\n', 'notes.md': 'x', '.gitignore': 'built\n' })
  const folder = join(stand.folder, '.data', 'sources', name)
  const env = { PATH: process.env.PATH }
  const place = { url: origin.url, ref: {}, path: '', pollSecs: 3600, credentials: {}, verify: null }
  const checkout = join(stand.folder, '.data', 'checkouts', name)
  const busyIn = async () => []
  const known = { kinds, home: origin.home, env, clock: systemClock, log: noLog, busyIn }
  const reader = new GitSource({ ...known, folder, checkout, place })
  const end = reader.watch(() => undefined)
  await reader.remote.refresh()
  await reader.read(nothing)
  end()
  return checkout
}

onEachDatabase((database) => {
  let stand: Stand
  afterEach(() => stand.close())

  test('keeps a clone until its source is released', async () => {
    const [one, two] = [new Origin(), new Origin()]
    one.commit({ 'things/a.yml': 'name: a\n' })
    two.commit({ 'things/b.yml': 'name: b\n' })
    const git: Record<string, { url: string }> = { default: { url: one.url }, other: { url: two.url } }
    stand = await createStand(database.db, { git })
    await eventually(() => stand.names().length === 2)
    expect(keptClones(stand)).toEqual(['default', 'other'])
    delete git.other
    await stand.reopen()
    expect(stand.controller.source('other').orphaned).toBe(true)
    await stand.reopen()
    expect(keptClones(stand)).toEqual(['default', 'other'])
    await stand.controller.release('other')
    await eventually(() => keptClones(stand).length === 1)
    expect([keptClones(stand), stand.names()]).toEqual([['default'], ['a', 'b']])
  })

  test('removes clones of former git sources without resources at startup', async () => {
    stand = await createStand(database.db)
    for (const name of ['old', 'default']) {
      const project = await cloneOf(stand, name)
      // Ignored files do not keep a clone.
      writeFileSync(join(project, 'built'), 'x')
    }
    await stand.reopen()
    await eventually(() => keptClones(stand).length === 0)
  })

  test('keeps changed and added files and logs their path', async () => {
    const warnings: unknown[] = []
    const warn = (...words: unknown[]) => {
      warnings.push(words)
    }
    stand = await createStand(database.db, { log: { ...noLog, warn } })
    const [changed, added] = [await cloneOf(stand, 'changed'), await cloneOf(stand, 'added')]
    writeFileSync(join(changed, 'notes.md'), 'mine')
    writeFileSync(join(added, 'report.md'), 'mine')
    // Earlier versions had the files there.
    renameSync(changed, join(stand.folder, '.data', 'sources', 'changed', 'project'))
    for (let time = 0; time < 2; time++) {
      await stand.reopen()
      await eventually(() => warnings.length === 2)
    }
    expect(readFileSync(join(changed, 'notes.md'), 'utf8')).toBe('mine')
    expect(readFileSync(join(added, 'report.md'), 'utf8')).toBe('mine')
    expect(keptClones(stand)).toEqual([])
    expect(JSON.stringify(warnings)).toContain('notes.md')
  })

  test('keeps a clone while a live resource may use it', async () => {
    let stays = 0
    const info = (_facts: unknown, what: string) => {
      if (what.includes('kept the clone of a former source')) stays++
    }
    stand = await createStand(database.db, { log: { ...noLog, info } as Log })
    const project = await cloneOf(stand, 'old')
    const thing = { name: 'x', size: 0, hard: join(project, 'sub'), parent: null, env: {} }
    stand.things.live.set('id-x', thing)
    await stand.reopen()
    await eventually(() => stays === 1)
    stand.things.live.delete('id-x')
    stand.gadgets.before = () => {
      throw new Error('away')
    }
    await stand.reopen()
    await eventually(() => stays === 2)
    expect(keptClones(stand)).toEqual(['old'])
    stand.gadgets.before = () => undefined
    await stand.reopen()
    await eventually(() => keptClones(stand).length === 0)
  })
})
