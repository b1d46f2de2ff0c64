// Nothing that a repository or the user's configuration names is run, and the token stays secret.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { servedOverHttp } from '../../../platform/git/http-origin.ts'
import { StackedRemote } from '../../../platform/git/stacked-remote.ts'
import { dataDirOf, forever, gitOf, restackOf, TOKEN } from './clone-fixture.ts'

let remote: StackedRemote
let marker: string

beforeEach(() => {
  remote = new StackedRemote()
  marker = join(remote.home, 'marker')
  const program = join(remote.home, 'program')
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${marker}\nexit 1\n`)
  chmodSync(program, 0o755)
  configure(program)
})

/** Configuration, hooks and attributes of the user, which all name the program. */
function configure(program: string): void {
  const hooks = join(remote.home, 'hooks')
  const template = join(remote.home, 'template')
  for (const folder of [hooks, join(template, 'hooks')]) {
    mkdirSync(folder, { recursive: true })
    for (const name of HOOKS) writeFileSync(join(folder, name), readFileSync(program), { mode: 0o755 })
  }
  const config = `
[core]
	hooksPath = ${hooks}
	fsmonitor = ${program}
	sshCommand = ${program}
	attributesFile = ${join(remote.home, 'attributes')}
[init]
	templateDir = ${template}
[commit]
	gpgSign = true
[push]
	gpgSign = true
[gpg]
	program = ${program}
[rerere]
	enabled = true
[rebase]
	autoSquash = true
	autoStash = true
[filter "run"]
	clean = ${program}
	smudge = ${program}
	required = true
[merge "run"]
	driver = ${program}
[diff "run"]
	textconv = ${program}
	command = ${program}
[credential]
	helper = ${program}
[sequence]
	editor = ${program}
`
  writeFileSync(join(remote.home, '.gitconfig'), config)
  writeFileSync(join(remote.home, 'attributes'), '* filter=run merge=run diff=run\n')
}

const HOOKS = [
  'applypatch-msg',
  'commit-msg',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-rewrite',
  'pre-commit',
  'pre-push',
  'pre-rebase',
  'prepare-commit-msg',
  'reference-transaction',
]

test('runs no program of the repository or the user', async () => {
  remote.commit('main', { '.gitattributes': '* filter=run merge=run diff=run\n', link: { link: '/etc' } }, 'attributes')
  mkdirSync(join(remote.work, 'module'))
  remote.git('update-index', '--add', '--cacheinfo', `160000,${remote.head('main')!},module`)
  remote.git('commit', '--quiet', '-m', 'module')
  remote.push('main')
  remote.stack()
  const files = {
    '.gitmodules': `[submodule "module"]\n\tpath = module\n\turl = ext::touch ${marker}\n`,
    '--exec=touch': 'c\n',
    '--force': 'c\n',
    'hooks/post-checkout': `#!/bin/sh\ntouch ${marker}\n`,
    ':(glob)*': 'c\n',
  }
  remote.git('checkout', '--quiet', '--force', 'c')
  remote.commit('c', files, 'fixup! c1')
  const merged = remote.squash('a', 1)
  expect((await gitOf(remote).restack(restackOf(remote, merged), forever)).outcome).toBe('done')
  expect(remote.subjects('c').slice(0, 3)).toEqual(['fixup! c1', 'c1', 'b1'])
  expect(remote.remote('ls-tree', '--name-only', 'c').split('\n')).toContain('--exec=touch')
  expect(remote.remote('cat-file', 'commit', 'c')).not.toContain('gpgsig')
  expect(existsSync(marker)).toBe(false)
})

test('runs no program in a conflict, and writes no file through a link', async () => {
  const outside = join(remote.home, 'outside')
  mkdirSync(outside)
  remote.commit('main', { '.gitattributes': '* merge=run filter=run\n' }, 'attributes')
  remote.stack()
  remote.commit('c', { 'dir/file': 'c\n', 'shared.txt': 'c\n' }, 'c2')
  remote.commit('main', { dir: { link: outside }, 'shared.txt': 'm\n' }, 'link')
  const merged = remote.squash('a', 1)
  expect(await gitOf(remote).restack(restackOf(remote, merged), forever)).toMatchObject({
    outcome: 'conflict',
    number: 3,
    files: expect.arrayContaining(['shared.txt']),
  })
  expect(readdirSync(outside)).toEqual([])
  expect(existsSync(marker)).toBe(false)
})

test('treats names like options and refspecs as names of branches', async () => {
  remote.stack()
  const merged = remote.squash('a', 1)
  const { onto, branches } = restackOf(remote, merged)
  const git = gitOf(remote)
  for (const branch of ['--upload-pack=touch', 'b:refs/heads/main', '*', '../../x', 'b\nrefs/heads/c']) {
    const named = [{ ...branches[0]!, branch }]
    const restack = { onto, merged: { number: 1, head: merged }, branches: named, trunks: ['main'] }
    expect(await git.restack(restack, forever)).toEqual({ outcome: 'moved', branch })
    expect(await git.deleteBranch({ branch, head: merged, trunks: ['main'] }, forever)).toBe('unchanged')
  }
  expect(existsSync(marker)).toBe(false)
})

/** Runs a restack with a password over HTTP; the server accepts only `accepted`. */
async function overHttp(accepted: string) {
  remote.stack()
  const merged = remote.squash('a', 1)
  remote.remote('config', 'http.receivepack', 'true')
  const served = await servedOverHttp({ home: join(remote.home, 'acme') }, accepted, 'x-access-token')
  const git = gitOf(remote, { remote: served.url.replace('/team', '/{name}.git') })
  return git.restack(restackOf(remote, merged), forever).finally(() => served.close())
}

test('sends the token over HTTP and writes it to no file', async () => {
  expect((await overHttp(TOKEN)).outcome).toBe('done')
  const files = readdirSync(dataDirOf(remote), { recursive: true, encoding: 'utf8' })
    .map((name) => join(dataDirOf(remote), name))
    .filter((path) => statSync(path).isFile())
  expect(files.length).toBeGreaterThan(3)
  expect(files.filter((path) => readFileSync(path).includes(TOKEN))).toEqual([])
  expect(existsSync(marker)).toBe(false)
})

test('keeps the token out of the error of a refusal', async () => {
  await expect(overHttp('another')).rejects.toMatchObject({
    code: 'git-failed',
    message: expect.stringMatching(/^(?!.*planted).*rejects the password of SVC_FORGE_TOKEN/),
  })
})

test('keeps the token out of the process list and of the hooks of a repository on disk', async () => {
  const seen = join(remote.home, 'processes')
  remote.stack()
  const merged = remote.squash('a', 1)
  remote.hook('pre-receive', `ps -eo args > ${seen}; env >> ${seen}`)
  await gitOf(remote).restack(restackOf(remote, merged), forever)
  expect(readFileSync(seen, 'utf8')).toContain('push --quiet --atomic')
  expect(readFileSync(seen, 'utf8')).not.toContain(TOKEN)
  expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(TOKEN)
})
