// A project whose git settings start programs: nothing that svc does with it runs one.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync, appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DaemonStand } from '../support/daemon.ts'
import { eventually } from '../support/eventually.ts'

const HOOKS = ['post-checkout', 'pre-commit', 'reference-transaction', 'post-index-change', 'pre-auto-gc']
const AGENT = 'name: worker\nworking_dir: .\nworktree: true\nshell: bash\nruntime: scripted\n'

function plant(project: string, traps: string): void {
  const program = join(project, 'trap.sh')
  writeFileSync(program, `#!/bin/sh\ntouch "${traps}/$$"\ncat\n`, { mode: 0o755 })
  for (const hook of HOOKS)
    writeFileSync(join(project, '.git', 'hooks', hook), `#!/bin/sh\nexec ${program}\n`, { mode: 0o755 })
  writeFileSync(join(project, '.gitattributes'), '* filter=evil diff=evil merge=evil\n')
  appendFileSync(
    join(project, '.git', 'config'),
    `[core]
	fsmonitor = ${program}
	pager = ${program}
	editor = ${program}
	sshCommand = ${program}
	hooksPath = ${join(project, '.git', 'hooks')}
[filter "evil"]
	clean = ${program}
	smudge = ${program}
	process = ${program}
	required = true
[diff "evil"]
	textconv = ${program}
	command = ${program}
[merge "evil"]
	driver = ${program}
[gpg]
	program = ${program}
[commit]
	gpgSign = true
[credential]
	helper = ${program}
[remote "origin"]
	url = ext::${program} %S
	promisor = true
[protocol]
	allow = always
[alias]
	status = !${program}
`,
  )
}

test('runs no program of a project in worktrees, plans, checks and searches', { timeout: 120_000 }, async () => {
  const stand = await DaemonStand.create()
  onTestFinished(() => stand.close())
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', stand.project, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args])
  writeFileSync(join(stand.project, 'needle.ts'), 'export const needle = 1\n')
  stand.write('agents/worker.yml', AGENT)
  git('add', '.')
  git('commit', '-qm', 'one')
  const traps = join(stand.home, 'traps')
  mkdirSync(traps)
  plant(stand.project, traps)
  await stand.startReady()
  const { id } = await stand.agentNamed('worker')
  const worktree = join(stand.dataDir, 'worktrees', readdirSync(join(stand.dataDir, 'worktrees'))[0]!)
  writeFileSync(join(worktree, 'new.txt'), 'work\n')
  for (const words of [['validate', stand.manifests], ['plan', stand.manifests], ['reconcile', '--wait'], ['doctor']])
    expect((await stand.svc(words)).code, words[0]).toBe(0)
  const { index } = stand.urls
  const made = await stand.ask('POST', `${index}/repositories`, { name: 'project', path: stand.project })
  await eventually(
    async () => (await stand.ask('GET', `${index}/repositories/${made.body.id}/status`)).body.status === 'ready',
    30_000,
  )
  const found = await stand.ask('POST', `${index}/search/agentic`, { query: 'needle', path: stand.project })
  expect([found.status, found.body.total]).toEqual([200, 1])
  expect((await stand.ask('DELETE', `${stand.orchestrator}/agents/${id}?purge=true`)).status).toBe(204)
  expect(
    execFileSync('git', ['-C', stand.project, 'for-each-ref', 'refs/svc/preserved'], { encoding: 'utf8' }),
  ).not.toBe('')
  expect(readdirSync(traps)).toEqual([])
  // Shows that the settings are live.
  spawnSync('git', ['-C', stand.project, 'diff'], { stdio: 'ignore' })
  expect(readdirSync(traps)).not.toEqual([])
})
