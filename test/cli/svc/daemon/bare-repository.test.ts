// A git repository without a checkout, given as a folder of manifests.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DaemonStand } from '../../../support/daemon.ts'
import { eventually } from '../../../support/eventually.ts'

let stand: DaemonStand
let bare: string
let address: string
beforeEach(async () => {
  stand = await DaemonStand.create()
  stand.write('policies/reading.yml', 'name: reading\nmode: allow_list\ntools: [Read]\n')
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=mia', '-c', 'user.email=mia@example.org', ...words], { cwd: stand.manifests })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'A team')
  bare = join(stand.home, 'a team.git')
  git('clone', '--quiet', '--bare', stand.manifests, bare)
  address = `git+${pathToFileURL(bare).href}`
})
afterEach(() => stand.close())

test('serve follows its commits and says so', async () => {
  await stand.start(['bin/svc', 'serve', '--manifests', bare])
  const followed = `${bare} is a git repository without a checkout: its commits are followed, as ${address}`
  await eventually(() => stand.output.includes(followed))
  await stand.settled()
  expect(await stand.get(`${stand.controller}/resources`)).toMatchObject([{ id: 'policies/reading' }])
  expect((await stand.svc(['sources', '--json'])).stdout).toContain(address)
})

test.each(['validate', 'plan', 'apply'])('%s names it and the command that follows it', async (command) => {
  const { code, stderr } = await stand.svc([command, bare])
  expect(code).not.toBe(0)
  expect(stderr).toContain(`error: ${bare} is a git repository without a checkout\n`)
  expect(stderr).toContain(`follows it with: svc serve --manifests ${address}\n`)
})
