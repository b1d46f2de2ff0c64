// `svc drift accept` of git sources and of sent manifests.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Drift } from '../../../schemas/resource.ts'
import { Origin } from '../../platform/git/origin.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

const POLICY = '# who reads\n\nname: careful\nmode: allow_list # never more\ntools: [Read]\n\n'

let stand: DaemonStand
let origin: Origin
beforeAll(async () => {
  stand = await DaemonStand.create()
  origin = new Origin((close) => void closes.push(close))
  origin.commit({ 'team/policies/careful.yml': POLICY })
  writeFileSync(join(stand.home, '.gitconfig'), '[user]\n\tname = Mia\n\temail = mia@example.org\n')
  await stand.start(['bin/svc', 'serve', '--manifests', `git+${origin.url}#main:team`])
  await stand.settled()
  await widen('careful', ['Read', 'Grep'])
}, 90_000)
const closes: (() => void)[] = []
afterAll(async () => {
  await stand.close()
  for (const close of closes) close()
})

const ID = 'policies/careful'
const TREE = () =>
  execFileSync('git', ['-C', origin.folder, 'show', 'accept-it:team/policies/careful.yml'], { encoding: 'utf8' })

async function widen(name: string, tools: string[]): Promise<void> {
  await stand.ask('PUT', `${stand.orchestrator}/policies/${name}`, { mode: 'allow_list', tools })
  await eventually(async () =>
    (await stand.get<Drift[]>(`${stand.controller}/drift?open=true`)).some((drift) => drift.name === name),
  )
}

test('prints a patch that git apply takes from a pipe', async () => {
  const { code, stdout, stderr } = await stand.svc(['drift', 'accept', ID])
  expect(code, stderr).toBe(0)
  expect(stderr).toMatch(/with git apply, or commit it with: .*svc drift accept policies\/careful --branch NAME\n$/)
  const clone = join(stand.home, 'clone')
  execFileSync('git', ['clone', '--quiet', origin.url, clone])
  execFileSync('git', ['-C', clone, 'apply', '-'], { input: stdout })
  expect(readFileSync(join(clone, 'team', ID) + '.yml', 'utf8')).toBe(POLICY.replace('[Read]', '[Read, Grep]'))
})

test('offers a branch in the list of drift', async () => {
  const { stdout } = await stand.svc(['drift'])
  expect(stdout).toMatch(/accept one into its manifest with: .*svc drift accept policies\/careful --branch NAME\n$/)
})

test('commits on a branch of a clone, as the caller', async () => {
  const { code, stderr } = await stand.svc(['drift', 'accept', ID, '--branch', 'kept'])
  expect(code, stderr).toBe(0)
  const [, clone] = /committed [0-9a-f]{12} on branch kept in (\S+)\n/.exec(stderr)!
  expect(stderr).toContain(`push it with: git -C ${clone} push origin kept\n`)
  closes.push(() => execFileSync('rm', ['-rf', clone!]))
  const said = execFileSync('git', ['-C', clone!, 'log', '-1', '--format=%an %s%n%b'], { encoding: 'utf8' })
  expect(said.trim()).toBe('Mia Accept drift of policies/careful\nChanged fields: tools[Grep]')
  expect(origin.git('branch', '--list', 'kept')).toBe('')
})

test('pushes the branch, whose merge ends the drift', { timeout: 60_000 }, async () => {
  const accept = () => stand.svc(['drift', 'accept', ID, '--branch', 'accept-it', '--push'])
  const pushed = await accept()
  expect([pushed.code, pushed.stderr]).toEqual([
    0,
    expect.stringMatching(/committed [0-9a-f]{12} on branch accept-it and pushed it to file:.*: merge it/),
  ])
  expect(TREE()).toBe(POLICY.replace('[Read]', '[Read, Grep]'))
  const again = await accept()
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringMatching(/error: branch accept-it exists in file:.*\nhint: use another name/),
  ])
  origin.git('merge', '--quiet', 'accept-it')
  expect((await stand.svc(['reconcile'])).code).toBe(0)
  await eventually(async () => {
    const [record] = await stand.get<Drift[]>(`${stand.controller}/drift`)
    return record!.resolution === 'accepted'
  })
  const none = await accept()
  expect([none.code, none.stderr]).toEqual([1, expect.stringMatching(/has not drifted: there is nothing to accept/)])
})

test.each<[string[], RegExp]>([
  [['--push'], /--push needs a branch/],
  [['--write', '--branch', 'x'], /mutually exclusive/],
])('refuses %j as wrong usage', async (options, message) => {
  const { code, stderr } = await stand.svc(['drift', 'accept', ID, ...options])
  expect([code, stderr]).toEqual([64, expect.stringMatching(message)])
})

test('refuses --write for a repository', async () => {
  await widen('careful', ['Read', 'Glob'])
  const { code, stderr } = await stand.svc(['drift', 'accept', ID, '--write'])
  expect([code, stderr]).toEqual([64, expect.stringMatching(/read from the commits of file:.*\nhint: .*--branch NAME/)])
  expect((await stand.svc(['drift', 'revert', ID])).code).toBe(0)
})

test('offers nothing for manifests that were applied by command', { timeout: 60_000 }, async () => {
  const folder = join(stand.home, 'team')
  mkdirSync(join(folder, 'policies'), { recursive: true })
  writeFileSync(join(folder, 'policies', 'sent.yml'), POLICY.replace('careful', 'sent'))
  expect((await stand.agent(['apply', folder])).code).toBe(0)
  await widen('sent', ['Read', 'Glob'])
  const listed = await stand.svc(['drift', 'policies/sent'])
  expect(listed.stdout).toMatch(/revert it with: /)
  expect(listed.stdout).not.toMatch(/accept/)
  const branch = await stand.svc(['drift', 'accept', 'policies/sent', '--branch', 'x'])
  expect([branch.code, branch.stderr]).toEqual([
    64,
    expect.stringMatching(/is a folder, not a git source.*\n.*--write/),
  ])
  expect(existsSync(join(folder, 'policies', 'sent.yml'))).toBe(true)
})
