import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Run } from '../../../schemas/run.ts'
import type { Source } from '../../../schemas/source.ts'
import { Origin } from '../../platform/git/origin.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

const policy = (name: string, mode: string) => `name: ${name}\nmode: ${mode}\n`

let stand: DaemonStand
beforeEach(async () => void (stand = await DaemonStand.create()))
afterEach(() => stand.close())

const shown = async (...args: string[]) => {
  const { code, stdout, stderr } = await stand.svc(args)
  expect(code, stderr + stdout).toBe(0)
  return stdout
}
const modeOf = async (name: string) =>
  (await stand.ask<{ mode: string }>('GET', `${stand.orchestrator}/policies/${name}`)).body.mode
const source = async () => (JSON.parse(await shown('sources', '--json')) as Source[])[0]!

test('refuses a rollback of a folder and names the alternative', { timeout: 60_000 }, async () => {
  stand.write('policies/strict.yml', policy('strict', 'deny_all'))
  await stand.startInside()
  const run = JSON.parse(await shown('reconcile', '--json')) as Run
  const { code, stderr } = await stand.svc(['rollback', run.id.slice(0, 8), '--exit-codes', 'extended'])
  expect([code, stderr]).toEqual([14, expect.stringMatching(/keeps no earlier revisions.*\nhint: revert the change/s)])
})

test(
  'rolls back, holds, and follows again on a new revision or resume',
  {
    timeout: 90_000,
  },
  async () => {
    const origin = new Origin()
    const first = origin.commit({ 'team/policies/strict.yml': policy('strict', 'require_approval') })
    await stand.start(['bin/svc', 'serve', '--manifests', `git+${origin.url}#main:team`])
    await shown('reconcile')
    const second = origin.commit({
      'team/policies/strict.yml': policy('strict', 'allow_all'),
      'team/policies/more.yml': policy('more', 'deny_all'),
    })
    await shown('reconcile')
    const history = JSON.parse(await shown('history', '--json')) as Run[]
    const [newer, older] = [second, first].map((revision) =>
      history.find((run) => run.revision === revision && run.steps.length > 0)!.id.slice(0, 8),
    )

    const planned = await shown('rollback', older!, '--dry-run')
    expect(planned).toMatch(/policies\/strict/)
    expect(planned).toMatch(/allow_all.*require_approval/s)
    expect([await modeOf('strict'), (await source()).hold]).toEqual(['allow_all', null])

    const text = await shown('rollback', older!)
    expect(text.startsWith(planned.trimEnd())).toBe(true)
    expect(text).toMatch(/Run [0-9a-f]{8} succeeded/)
    expect(text).toMatch(`source default: held at ${first.slice(0, 8)}: tester rolled back to run ${older}`)
    expect(await modeOf('strict')).toBe('require_approval')
    // Neither a pass nor a restart of the daemon ends the hold.
    await stand.stopBy('SIGKILL')
    await stand.start(['bin/svc', 'serve', '--manifests', `git+${origin.url}#main:team`])
    expect(await shown('reconcile')).toMatch('no changes')
    for (const command of ['status', 'sources'])
      expect(await shown(command)).toMatch(
        new RegExp(`default .* held .*held at ${first.slice(0, 8)}.*svc resume default`, 's'),
      )
    expect((await source()).hold).toMatchObject({ revision: first, against: second, actor: 'tester' })

    expect(await shown('resume')).toBe('source default is resumed; pending changes are applied now\n')
    await eventually(async () => (await modeOf('strict')) === 'allow_all')

    const run = JSON.parse(await shown('rollback', older!, '--json')) as Run
    expect(run).toMatchObject({ status: 'succeeded', revision: first, actor: 'tester' })
    const third = origin.commit({ 'team/policies/strict.yml': policy('strict', 'deny_all') })
    await shown('reconcile')
    expect(await modeOf('strict')).toBe('deny_all')
    expect(await source()).toMatchObject({ hold: null, applied_revision: third })
    // The newest revision needs no hold.
    await shown('rollback', older!)
    const newest = (JSON.parse(await shown('history', '--json')) as Run[]).find(({ revision }) => revision === third)!
    expect(await shown('rollback', newest.id)).toMatch('source default is at its newest revision and follows it')
    expect((await stand.svc(['rollback', 'ffffffff'])).stderr).toMatch(/run ffffffff does not exist/)
    expect(newer).not.toBe(older)
  },
)
