// `svc plan --base REV`, without a daemon or credentials.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Plan } from '../../../schemas/plan.ts'
import { svc } from '../../support/command.ts'

let folder: string
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=mia', '-c', 'user.email=m@example.org', ...words], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
const write = (files: Record<string, string | null>) => {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, 'team', path)
    mkdirSync(dirname(file), { recursive: true })
    if (text === null) rmSync(file)
    else writeFileSync(file, text)
  }
}
const commit = (files: Record<string, string | null>) => {
  write(files)
  git('add', '-A')
  git('commit', '-qm', 'Change')
  return git('rev-parse', 'HEAD')
}
const policy = (name: string, mode: string) => `name: ${name}\nmode: ${mode}\n`
const AGENT = 'name: planner\nworking_dir: .\nshell: bash\nruntime: scripted\nenv: {TOKEN: "${SET_NOWHERE}"}\n'
const FLOW = 'name: triage\nagent: planner\nsource: {type: manual}\nprompt_template_file: ../prompt.md\n'
const planned = async (...more: string[]) => svc(['plan', join(folder, 'team'), ...more])

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-base-'))
  git('init', '-q', '-b', 'main')
  commit({
    'agents/planner.yml': AGENT,
    'workflows/triage.yml': FLOW,
    'prompt.md': '\nLook at {{title}}\n\n',
    'policies/a.yml': policy('a', 'deny_all'),
    'policies/b.yml': policy('b', 'deny_all'),
  })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('shows changes of the branch, not those of others', async () => {
  const base = git('rev-parse', 'HEAD')
  git('checkout', '-qb', 'topic')
  commit({ 'policies/a.yml': policy('a', 'allow_all'), 'policies/b.yml': null, 'prompt.md': 'Look at {{url}}\n' })
  git('checkout', '-q', 'main')
  commit({ 'policies/c.yml': policy('c', 'deny_all') })
  git('checkout', '-q', 'topic')
  // Uncommitted changes count.
  write({ 'policies/new.yml': policy('new', 'deny_all') })
  const { code, stdout, stderr } = await planned('--base', 'main', '--json', '--detailed-exitcode')
  expect([code, stderr]).toEqual([2, expect.stringContaining(`planned against commit ${base}`)])
  const { steps, guard, diagnostics } = JSON.parse(stdout) as Plan
  expect(steps.map(({ action, kind, name }) => `${action} ${kind}/${name}`)).toEqual([
    'update policies/a',
    'create policies/new',
    'update workflows/triage',
    'delete policies/b',
  ])
  expect([guard, diagnostics]).toEqual([null, []])
})

test('plans nothing without changes, and applies the rules of the source', async () => {
  expect(await planned('--base', 'HEAD', '--detailed-exitcode')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No changes. 4 resources are as desired'),
  })
  commit({
    'svc.yaml': 'sync: {policies: [{name: closed, kind: policy, message: not these}]}\n',
    'policies/a.yml': policy('a', 'allow_all'),
  })
  expect(await planned('--base', 'HEAD~1', '--exit-codes=extended')).toMatchObject({
    code: 12,
    stdout: expect.stringContaining('policy "closed" denies: update policies/a'),
  })
})

test.each([
  ['an unknown revision', ['--base', 'nowhere'], 'revision nowhere of'],
  ['an option instead of a revision', ['--base', '--all'], 'revision --all of'],
])('reports %s', async (_what, words, said) => {
  const { code, stderr } = await planned(...words)
  expect([code, stderr]).toEqual([1, expect.stringContaining(said)])
})

test('reports a folder outside a repository and faults in an earlier commit', async () => {
  rmSync(join(folder, '.git'), { recursive: true })
  expect(await planned('--base', 'main')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not in a git repository'),
  })
  git('init', '-q', '-b', 'main')
  commit({ 'policies/a.yml': 'name: a\nmod: x\n' })
  expect(await planned('--base', 'main')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/have errors: policies\/a\.yml:2:1/),
  })
})
