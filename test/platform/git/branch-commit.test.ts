import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BranchError, commitOnBranch, pushBranch } from '../../../platform/git/branch-commit.ts'
import { Origin } from './origin.ts'

let origin: Origin
let revision: string

beforeEach(() => {
  origin = new Origin()
  origin.commit({ 'team/agents/a.yml': 'name: a\n', 'other.md': 'x' })
  revision = origin.git('rev-parse', 'HEAD')
  configure('[user]\n\tname = Mira\n\temail = mira@example.org\n')
})
afterEach(() => vi.unstubAllEnvs())

/** Git of the caller. */
function configure(config: string): void {
  const folder = join(origin.home, 'caller')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '.gitconfig'), config)
  mkdirSync(join(folder, 'tmp'), { recursive: true })
  vi.stubEnv('HOME', folder)
  vi.stubEnv('XDG_CONFIG_HOME', folder)
  vi.stubEnv('TMPDIR', join(folder, 'tmp'))
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1')
}

const wanted = (more: Partial<Parameters<typeof commitOnBranch>[0]> = {}) => ({
  url: origin.url,
  revision,
  file: 'team/agents/a.yml',
  branch: 'accept-drift',
  message: 'Accept drift\n\nof a field',
  edit: (text: string) => `${text}model: opus\n`,
  env: process.env,
  ...more,
})

async function refusal(asked: Promise<unknown>): Promise<BranchError> {
  const error = await asked.then(
    () => null,
    (refused: unknown) => refused,
  )
  expect(error).toBeInstanceOf(BranchError)
  return error as BranchError
}
const clones = () => readdirSync(tmpdir())
const branches = () => origin.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n')

test('commits one file on the revision, as the caller', async () => {
  origin.commit({ 'other.md': 'newer' })
  const { clone, commit } = await commitOnBranch(wanted())
  expect(readFileSync(join(clone, 'team/agents/a.yml'), 'utf8')).toBe('name: a\nmodel: opus\n')
  expect(branches()).toEqual(['main'])
  await pushBranch({ clone, branch: 'accept-drift', env: process.env })
  expect(origin.git('log', '-1', '--format=%H %P %an <%ae> %B', 'accept-drift')).toBe(
    `${commit} ${revision} Mira <mira@example.org> Accept drift\n\nof a field`,
  )
  expect(origin.git('diff', '--name-only', revision, 'accept-drift')).toBe('team/agents/a.yml')
  expect(clones()).toEqual([])
})

test('ignores the repository that a hook names', async () => {
  vi.stubEnv('GIT_DIR', join(origin.folder, '.git'))
  vi.stubEnv('GIT_INDEX_FILE', join(origin.folder, '.git', 'index'))
  const { clone } = await commitOnBranch(wanted())
  expect(existsSync(join(clone, '.git', 'HEAD'))).toBe(true)
  vi.unstubAllEnvs()
  expect(branches()).toEqual(['main'])
})

const REFUSED: Record<string, [() => Parameters<typeof commitOnBranch>[0], RegExp, RegExp]> = {
  'a branch that exists': [() => wanted({ branch: 'main' }), /branch main exists in file:/, /another name/],
  'a word that is no branch name': [() => wanted({ branch: '--mirror' }), /"--mirror" is no branch name/, /such as/],
  'a repository that is gone': [
    () => wanted({ url: `${origin.url}-gone` }),
    /-gone cannot be queried: .*does not/s,
    /credentials of the daemon are not used/,
  ],
  'an address that runs a program': [
    () => wanted({ url: 'ext::sh -c true' }),
    /cannot be cloned: expected a full commit id and an https, ssh or file address/,
    /printed patch/,
  ],
  'a commit that is gone': [() => wanted({ revision: 'f'.repeat(40) }), /commit f+ cannot be fetched/, /printed patch/],
  'a missing file': [() => wanted({ file: 'team/b.yml' }), /has no file team\/b.yml/, /printed patch/],
  'a file of git itself': [() => wanted({ file: '.git/config' }), /has no file/, /printed patch/],
  'a path out of the clone': [() => wanted({ file: '../../../.gitconfig' }), /has no file/, /printed patch/],
}

test.each(Object.keys(REFUSED))('refuses %s and leaves no clone', async (name) => {
  const [options, message, hint] = REFUSED[name]!
  const error = await refusal(commitOnBranch(options()))
  expect([error.message, error.hint]).toEqual([expect.stringMatching(message), expect.stringMatching(hint)])
  expect(clones()).toEqual([])
})

test('refuses a link that leaves the clone', async () => {
  const outside = join(origin.home, 'outside.yml')
  writeFileSync(outside, 'name: a\n')
  revision = origin.commit({ 'team/agents/a.yml': { link: outside } })
  expect((await refusal(commitOnBranch(wanted()))).message).toMatch(/has no file/)
  expect(readFileSync(outside, 'utf8')).toBe('name: a\n')
})

test('asks for the identity of the caller', async () => {
  configure('[user]\n\tuseConfigOnly = true\n')
  const { message, hint } = await refusal(commitOnBranch(wanted()))
  expect([message, hint]).toEqual([
    expect.stringMatching(/cannot commit the change: /),
    expect.stringMatching(/git config --global user.name NAME/),
  ])
  expect(clones()).toEqual([])
})

test('keeps the commit if the push is refused', async () => {
  const hook = join(origin.folder, '.git', 'hooks', 'pre-receive')
  mkdirSync(join(hook, '..'), { recursive: true })
  writeFileSync(hook, '#!/bin/sh\necho branches are closed >&2\nexit 1\n', { mode: 0o755 })
  const { clone, commit } = await commitOnBranch(wanted())
  const { message, hint } = await refusal(pushBranch({ clone, branch: 'accept-drift', env: process.env }))
  expect(message).toMatch(/branch accept-drift cannot be pushed: .*branches are closed/s)
  expect(hint).toBe(`the commit is kept: push it with git -C ${clone} push origin accept-drift`)
  expect(readFileSync(join(clone, '.git/refs/heads/accept-drift'), 'utf8').trim()).toBe(commit)
})
