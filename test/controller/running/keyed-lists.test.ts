import { afterEach, expect, test } from 'vitest'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { Circles } from '../memory-kind.ts'
import { createStand, person, type Stand } from '../fixture.ts'

const KEEP = { keep_drift: true }
const alice = { identifier: 'alice', role: 'member' }
const bob = { identifier: 'bob', role: 'admin' }
const carol = { identifier: 'carol', role: 'member' }
const dave = { identifier: 'dave', role: 'member' }

onEachDatabase((database) => {
  let stand: Stand
  let circles: Circles
  afterEach(() => stand.close())

  const writeManifest = (participants: object[], more = '') =>
    stand.files({ 'circles/c.yml': `name: c\nparticipants: ${JSON.stringify(participants)}\n${more}` })
  const open = async (participants: object[], more = '', svc = '') => {
    circles = new Circles()
    stand = await createStand(database.db, { beside: [circles.reconciler()] })
    await stand.files({ 'svc.yaml': svc })
    await writeManifest(participants, more)
    await stand.pass()
  }
  const openDrift = async () => (await stand.controller.drift({ open: true })).items
  const waitForDrift = async (count: number) =>
    eventually(async () => {
      const found = await openDrift()
      return found.length === count && found.sort((a, b) => (a.path < b.path ? -1 : 1))
    })
  const paths = async () => (await stand.controller.plan({ source: 'default' }, person)).steps[0]?.changes

  test('records an added element as one drift with its author', async () => {
    await open([alice, bob])
    circles.changeByHand('c', { participants: [alice, bob, carol] }, 'mira', 'participants[carol]')
    const [record] = await waitForDrift(1)
    expect(record).toMatchObject({ path: 'participants[carol]', desired: null, live: carol, actor: 'mira' })
  })

  test('keeps an added element and its record across commits', async () => {
    await open([alice, bob])
    circles.changeByHand('c', { participants: [alice, bob, carol] }, 'mira', 'participants[carol]')
    const [record] = await waitForDrift(1)
    await writeManifest([{ ...alice, role: 'admin' }, dave])
    await stand.pass(KEEP)
    expect(circles.get('c').participants).toEqual([{ ...alice, role: 'admin' }, carol, dave])
    expect(await openDrift()).toEqual([record])
    expect((await stand.controller.plan({ source: 'default', keep_drift: true }, person)).steps).toEqual([])
  })

  test('records each added element with its own author', async () => {
    await open([alice], 'tools: [Read]\n')
    circles.changeByHand('c', { tools: ['Read', 'Write'] }, 'mira', 'tools[Write]')
    circles.changeByHand('c', { tools: ['Read', 'Write', 'Bash(ls [ab]*)'] }, 'jon', 'tools["Bash(ls [ab]*)"]')
    expect((await waitForDrift(2)).map(({ path, actor }) => [path, actor])).toEqual([
      ['tools["Bash(ls [ab]*)"]', 'jon'],
      ['tools[Write]', 'mira'],
    ])
  })

  test('records one drift for a removed element and restores it on request', async () => {
    await open([alice, bob])
    circles.changeByHand('c', { participants: [bob] }, 'mira', 'participants[alice]')
    expect(await waitForDrift(1)).toMatchObject([{ path: 'participants[alice]', desired: alice, live: null }])
    await stand.controller.revert('circles', 'c', person)
    expect(circles.get('c').participants).toEqual([alice, bob])
    expect((await stand.controller.drift({})).items).toMatchObject([{ resolution: 'reverted' }])
  })

  test('tracks drift per field of an element, which can be ignored', async () => {
    await open([alice, bob, carol], 'sync: {ignore: ["participants[carol]", "tools[Write]"]}\n')
    const moved = [{ ...alice, role: 'observer' }, bob, { ...carol, role: 'observer' }]
    circles.changeByHand('c', { participants: moved, tools: ['Write'] }, 'mira', '')
    expect(await waitForDrift(1)).toMatchObject([
      { path: 'participants[alice].role', desired: 'member', live: 'observer' },
    ])
    expect(await paths()).toMatchObject([{ path: 'participants[alice].role', before: 'observer', after: 'member' }])
  })

  test('ignores the order of keyed lists only', async () => {
    await open([alice, bob], 'tools: [Read, Grep]\nsteps: [a, b]\n')
    circles.changeByHand('c', { tools: ['Grep', 'Read'], participants: [bob, alice], steps: ['b', 'a'] }, 'mira', '')
    expect(await waitForDrift(1)).toMatchObject([{ path: 'steps', live: ['b', 'a'] }])
    expect((await paths())!.map(({ path }) => path)).toEqual(['steps'])
  })

  test('replaces the whole list when its mode changes', async () => {
    await open([], 'mode: deny\ntools: [Bash]\n')
    circles.changeByHand('c', { tools: ['Bash', 'Rm'] }, 'mira', 'tools')
    await waitForDrift(1)
    await writeManifest([], 'mode: allow\ntools: [Bash]\n')
    await stand.pass(KEEP)
    expect(circles.get('c')).toMatchObject({ mode: 'allow', tools: ['Bash'] })
    const [record] = (await stand.controller.drift({})).items
    expect(record).toMatchObject({ resolution: 'overwritten' })
  })

  test('shows the owner of each element beside the three sides', async () => {
    await open([alice, bob])
    circles.changeByHand('c', { participants: [alice, carol] }, 'mira', 'participants')
    await waitForDrift(2)
    const { owners, drift } = await stand.controller.resource('circles', 'c')
    expect(owners).toMatchObject({
      participants: 'manifest',
      'participants[bob]': 'live',
      'participants[carol]': 'live',
    })
    expect(drift.map(({ path }) => path).sort()).toEqual(['participants[bob]', 'participants[carol]'])
  })

  test('treats a list with duplicate keys as one value', async () => {
    await open([alice])
    circles.changeByHand('c', { participants: [alice, { ...alice, role: 'admin' }] }, 'mira', 'participants')
    expect(await waitForDrift(1)).toMatchObject([{ path: 'participants' }])
  })

  test('accepts an element by adding only its lines', async () => {
    await open([])
    const lines = ['name: c', 'participants:', '  - identifier: alice # first', '    role: member', 'topic: x', '']
    await stand.files({ 'circles/c.yml': lines.join('\n') })
    await stand.pass()
    circles.changeByHand('c', { participants: [alice, bob] }, 'mira', 'participants[bob]')
    await waitForDrift(1)
    const { changes, diff } = await stand.controller.accept('circles', 'c')
    expect(changes).toEqual([{ path: 'participants[bob]', value: bob }])
    expect(diff.split('\n').slice(2).filter(Boolean)).toEqual([
      '@@ -4,0 +5,2 @@',
      '+  - identifier: bob',
      '+    role: admin',
    ])
    await stand.files({ 'circles/c.yml': lines.toSpliced(4, 0, '  - identifier: bob', '    role: admin').join('\n') })
    await stand.pass()
    await eventually(async () => (await openDrift()).length === 0)
    expect((await stand.controller.drift({})).items).toMatchObject([{ resolution: 'accepted' }])
  })
})
